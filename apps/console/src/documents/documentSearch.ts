/** Filters and order of the list of documents, kept in the page's address. */
import type { DocumentFilter, DocumentSort } from "../api/models.ts"
import { dayRangeOf, instantsOf } from "../charts/days.ts"
import { textsIn, whereIn } from "../shell/address.ts"

export interface DocumentSearch {
  readonly q?: string
  readonly source?: string
  readonly kind?: string
  /** `YYYY-MM-DD`, in UTC; `to` is the last day. */
  readonly from?: string
  readonly to?: string
  readonly where?: "in" | "out"
  readonly sort?: DocumentSort
}

export const NEWEST_FIRST: DocumentSort = "-timestamp"

const SORTS: ReadonlySet<unknown> = new Set(
  ["timestamp", "updated_at", "title", "size"].flatMap((name) => [name, `-${name}`])
)

export const documentSearchOf = (query: Record<string, unknown>): DocumentSearch => ({
  ...textsIn(query, "q", "source", "kind"),
  ...dayRangeOf(query),
  ...whereIn(query),
  ...(SORTS.has(query["sort"]) ? { sort: query["sort"] as DocumentSort } : {})
})

/** Besides the words. */
export const countFilters = (search: DocumentSearch): number =>
  Object.keys(search).filter((name) => name !== "q" && name !== "sort").length

export const isFiltered = (search: DocumentSearch): boolean => search.q !== undefined || countFilters(search) > 0

/** As the API takes it. */
export const filterOf = ({ kind, q, source, where, ...days }: DocumentSearch): DocumentFilter => ({
  ...(q === undefined || q.trim() === "" ? {} : { q }),
  ...(source === undefined ? {} : { source }),
  ...(kind === undefined ? {} : { kind }),
  ...instantsOf(days),
  ...(where === undefined ? {} : { in_context: where === "in" })
})
