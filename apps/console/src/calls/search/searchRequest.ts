import type { SearchRequest } from "../../api/models.ts"
import { type CallSearch, sentFilters } from "../filters/callSearch.ts"

/** Null while there are no words to search for. `source` is that of a page that is about one source. */
export const searchRequest = (search: CallSearch, source?: string): SearchRequest | null => {
  const { q, where } = search
  if (q === undefined || q.trim() === "") return null
  return {
    q,
    ...sentFilters(source === undefined ? search : { ...search, source }),
    ...(where === undefined ? {} : { in_context: where === "in" })
  }
}
