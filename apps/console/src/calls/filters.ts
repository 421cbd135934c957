/** What narrows a search or a question, as it is filled in and as it is sent. */
import { DAY } from "../ui/day.ts"

export interface Filters {
  readonly source: string
  /** `YYYY-MM-DD`, in UTC; empty: no bound. */
  readonly from: string
  readonly to: string
  /** Lines of `key=value`. */
  readonly metadata: string
}

export const NO_FILTERS: Filters = { source: "", from: "", to: "", metadata: "" }

const pairsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const at = line.indexOf("=")
      return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const]
    })
  )

/** `to` names the last day, and the interface takes the first moment that is out. */
export const sentFilters = ({ from, metadata, source, to }: Filters) => ({
  ...(source === "" ? {} : { sources: [source] }),
  ...(from === "" ? {} : { from: new Date(`${from}T00:00:00Z`) }),
  ...(to === "" ? {} : { to: new Date(Date.parse(`${to}T00:00:00Z`) + DAY) }),
  ...(Object.keys(pairsOf(metadata)).length === 0 ? {} : { metadata: pairsOf(metadata) })
})
