/** What a search or a question is made of, as it is filled in and as the page's address keeps it. */
import { DAY } from "../../ui/time/day.ts"

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

const given = (value: unknown): string | undefined => typeof value === "string" && value !== "" ? value : undefined

/** Parses the query string and ignores what is invalid. */
export const callSearchOf = (query: Record<string, unknown>): CallSearch => {
  const [q, source, from, to, metadata] = ["q", "source", "from", "to", "metadata"].map((name) => given(query[name]))
  const where = query["where"]
  return {
    ...(q === undefined ? {} : { q }),
    ...(source === undefined ? {} : { source }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(where === "in" || where === "out" ? { where } : {})
  }
}

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

/** `to` is the last day; the API takes an exclusive end. */
export const sentFilters = ({ from, metadata = "", source, to }: CallSearch) => ({
  ...(source === undefined || source === "" ? {} : { sources: [source] }),
  ...(from === undefined || from === "" ? {} : { from: `${from}T00:00:00.000Z` }),
  ...(to === undefined || to === "" ? {} : { to: new Date(Date.parse(`${to}T00:00:00Z`) + DAY).toISOString() }),
  ...(Object.keys(pairsOf(metadata)).length === 0 ? {} : { metadata: pairsOf(metadata) })
})
