/** Filters and order of the list of documents, kept in the page's address. */
import type { DocumentFilter, DocumentSort } from "../api/models.ts"
import { DAY, isDay } from "../ui/time/day.ts"

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

const SORTS: ReadonlySet<string> = new Set(
  ["timestamp", "updated_at", "title", "size"].flatMap((name) => [name, `-${name}`])
)

export const documentSearchOf = (query: Record<string, unknown>): DocumentSearch => {
  const text = (name: string): string => typeof query[name] === "string" ? query[name] : ""
  const [q, source, kind, from, to, where, sort] = ["q", "source", "kind", "from", "to", "where", "sort"].map(text)
  return {
    ...(q ? { q } : {}),
    ...(source ? { source } : {}),
    ...(kind ? { kind } : {}),
    ...(isDay(from!) ? { from: from! } : {}),
    ...(isDay(to!) ? { to: to! } : {}),
    ...(where === "in" || where === "out" ? { where } : {}),
    ...(SORTS.has(sort!) ? { sort: sort as DocumentSort } : {})
  }
}

/** As the API takes it. */
export const filterOf = ({ from, kind, q, source, to, where }: DocumentSearch): DocumentFilter => ({
  ...(q === undefined || q.trim() === "" ? {} : { q }),
  ...(source === undefined ? {} : { source }),
  ...(kind === undefined ? {} : { kind }),
  ...(from === undefined ? {} : { from: `${from}T00:00:00.000Z` }),
  ...(to === undefined ? {} : { to: new Date(Date.parse(`${to}T00:00:00Z`) + DAY).toISOString() }),
  ...(where === undefined ? {} : { in_context: where === "in" })
})
