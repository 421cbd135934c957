/** A page of a list, in a stable order. */
import { Schema } from "effect"

export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** Where the next page begins; null on the last. */
  readonly next: string | null
}

/** `limit` is at most 100; `cursor` is what the page before gave as `next`. */
export interface PageRequest {
  readonly limit: number
  readonly cursor: string | null
}

/** The cursor was not made by this list. */
export class InvalidCursor extends Schema.TaggedError<InvalidCursor>()("InvalidCursor", {}) {}
