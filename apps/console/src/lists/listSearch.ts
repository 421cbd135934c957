/** Filters of a list, kept in the page's address. */
import { textsIn } from "../shell/address.ts"

export interface ListSearch {
  /** Words that a row has to contain. */
  readonly q?: string
  /** One of the page's own choices. */
  readonly is?: string
}

export const listSearchOf = (query: Record<string, unknown>): ListSearch => textsIn(query, "q", "is")

/** Whether all words occur in the texts. */
export const hasWords = ({ q = "" }: ListSearch, ...texts: ReadonlyArray<string | null>): boolean => {
  const all = texts.join("\n").toLowerCase()
  return q.toLowerCase().split(/\s+/).every((word) => all.includes(word))
}
