/** Makes a list that comes in pages out of the call that fetches one. */
import type { Effect } from "effect"
import type { Call, CallOptions } from "./calling.ts"
import { type Page, Pages } from "./Pages.ts"

/** Options of a list's pages. */
export interface Listing extends CallOptions {
  /** The number of entries per page, 1 to 100; 20 by default. */
  readonly limit?: number | undefined
}

interface Position {
  readonly cursor?: string
  readonly limit?: number
}

export const paging =
  <R>(call: Call<R>) =>
  <A, E>({ limit, ...options }: Listing, fetch: (position: Position) => Effect.Effect<Page<A>, E, R>): Pages<A> =>
    new Pages((cursor) =>
      call(fetch({ ...(cursor === null ? {} : { cursor }), ...(limit === undefined ? {} : { limit }) }), options)
    )
