/** Makes a list that comes in pages out of the call that fetches one. */
import type { Effect } from "effect"
import { CALL, type Call, type CallOptions } from "./calling.ts"
import { checkNames, type Names } from "./optionNames.ts"
import { Pages } from "./Pages.ts"

/** Options of a list's pages. */
export interface Listing extends CallOptions {
  /** The number of entries per page, 1 to 100; 20 by default. */
  readonly limit?: number | undefined
}

export const LISTING: Names<Listing> = { ...CALL, limit: true }

interface Position {
  readonly cursor?: string
  readonly limit?: number
}

/** An answer with a page of entries in the field `Name`. */
type List<Name extends string> =
  & { readonly next_cursor: string | null }
  & { readonly [_ in Name]: ReadonlyArray<unknown> }

/**
 * Makes the pages of a list. `name` is the field of an answer that has the entries: `Name` types the entries of the
 * pages by it. `fetch` gets the query with the position of a page.
 */
export type Paging<R> = <Name extends string, Query extends object, Answer extends List<Name>, E>(
  name: Name,
  query: Query,
  options: Listing,
  fetch: (query: Query & Position) => Effect.Effect<Answer, E, R>
) => Pages<Answer[Name][number]>

export const paging = <R>(call: Call<R>): Paging<R> => (name, query, options, fetch) => {
  checkNames(LISTING, options)
  const { limit, ...rest } = options
  return new Pages(async (cursor) => {
    const position = { ...(cursor === null ? {} : { cursor }), ...(limit === undefined ? {} : { limit }) }
    const { [name]: items, next_cursor } = await call(fetch({ ...query, ...position }), rest)
    return { items, next_cursor }
  })
}
