/** A page of a list, in a stable order. */
import { Schema } from "effect"

/** Entries of a list, and where it continues. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** The cursor of the next page; null on the last. */
  readonly next: string | null
}

/** `limit` is at most 100; `cursor` is `next` of the previous page. */
export interface PageRequest {
  readonly limit: number
  readonly cursor: string | null
}

/** The cursor belongs to another list. */
export class InvalidCursor extends Schema.TaggedError<InvalidCursor>()("InvalidCursor", {}) {}

/** What a page of a list with filters says of them. */
export const filterWarnings = {
  /**
   * If nothing matches: values of `source` and `kind` that match nothing in the workspace, and a `from` that is not
   * before `to`. Absent if there are none.
   */
  warnings: Schema.optionalKey(Schema.Array(Schema.String))
}

/** What a page of a list says of the next one. */
export const nextPage = {
  /** The `cursor` of the next page. Null: this is the last page. */
  next_cursor: Schema.NullOr(Schema.String)
}
