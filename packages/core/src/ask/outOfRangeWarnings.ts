/** Warns if the documents that match a question best are outside of the range. */
import { type FilterOptions, parseQuery, searchView } from "@tributary/retrieval"
import type { View } from "../context/View.ts"
import type { Range } from "../model/TemporalRange.ts"

const OUT_OF_RANGE =
  "range: the documents that match best lie outside of the knowledge context's range, which ask does not read"

/**
 * `filters` are those of the question, with the range and without. Compares within the loaded segments only: a narrow
 * range exists to load little.
 */
export const outOfRangeWarnings = (
  question: string,
  { parts }: View,
  range: Range,
  filters: { readonly inside: FilterOptions; readonly anywhere: FilterOptions }
): ReadonlyArray<string> => {
  if (range.from === -Infinity && range.to === Infinity) return []
  const query = parseQuery(question)
  const best = (options: FilterOptions): number =>
    searchView(parts, query, { ...options, groupBy: "document", limit: 1 })[0]?.score ?? 0
  const outside = best({ ...filters.anywhere, outside: range })
  return outside > 0 && outside > best(filters.inside) ? [OUT_OF_RANGE] : []
}
