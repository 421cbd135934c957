/** Searching a view: one part after the other, each knowing what it has to surpass. */
import { blockedIn, type FilterOptions } from "./filter.ts"
import type { ViewPart } from "./Mask.ts"
import type { Query } from "./Query.ts"
import { type Scoring, scoringOf } from "./scoring.ts"
import { searchPart } from "./searchPart.ts"
import { type Hit, hitOf, TopHits } from "./TopHits.ts"

export interface SearchOptions extends FilterOptions {
  /** How many hits at the most. */
  readonly limit: number
  /** One hit for each document, its best chunk; or one for each chunk. */
  readonly groupBy: "document" | "chunk"
}

/**
 * Throws `SegmentUnreadable` when a part turns out to be damaged. `scoring` is given where these parts are not all that
 * is searched; the best of all are then among the best of each.
 */
export const searchView = (
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  options: SearchOptions,
  scoring: Scoring = scoringOf(parts, query)
): ReadonlyArray<Hit> => {
  if (!(options.limit > 0)) return []
  const top = new TopHits(parts, options.limit)
  const { groupBy } = options
  parts.forEach((part, position) => {
    searchPart({ part, position, groupBy, blocked: blockedIn(part, options) }, scoring, top)
  })
  return top.best().map((found) =>
    // All words together give less than one identifier.
    hitOf(parts[found.part]!, found, found.score >= scoring.identifierBonus)
  )
}
