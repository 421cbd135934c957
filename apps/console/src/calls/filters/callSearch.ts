/** What a search or a question is made of, as it is filled in and as the page's address keeps it. */
import { dayRangeOf, instantsOf } from "../../charts/days.ts"
import { textsIn, whereIn } from "../../shell/address.ts"

export interface CallSearch {
  readonly q?: string
  readonly source?: string
  /** `YYYY-MM-DD`, in UTC. */
  readonly from?: string
  readonly to?: string
  /** Lines of `key=value`. */
  readonly metadata?: string
  readonly where?: "in" | "out"
}

export const callSearchOf = (query: Record<string, unknown>): CallSearch => ({
  ...textsIn(query, "q", "source", "metadata"),
  ...dayRangeOf(query),
  ...whereIn(query)
})

/** Equal calls have equal keys. */
export const keyOf = (search: CallSearch): string =>
  JSON.stringify(
    [search.q, search.source, search.from, search.to, search.metadata, search.where].map((one) => one ?? "")
  )

export const hasFilters = ({ from, metadata, source, to, where }: CallSearch): boolean =>
  [from, metadata, source, to, where].some((filter) => filter !== undefined && filter !== "")

const pairsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const at = line.indexOf("=")
      return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const]
    })
  )

/** As the API takes them. */
export const sentFilters = ({ metadata = "", source, ...days }: CallSearch) => ({
  ...(source === undefined ? {} : { sources: [source] }),
  ...instantsOf(days),
  ...(Object.keys(pairsOf(metadata)).length === 0 ? {} : { metadata: pairsOf(metadata) })
})
