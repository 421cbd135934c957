/** Searching a view: one part after the other, each knowing what it has to surpass. */
import { blockedIn, type FilterOptions } from "./filter.ts"
import type { ViewPart } from "../segment/Mask.ts"
import type { Query } from "./Query.ts"
import { type Scoring, scoringOf } from "./scoring.ts"
import { searchPart } from "./searchPart.ts"
import { type Hit, hitOf, type Scored, TopHits } from "./TopHits.ts"

export interface SearchOptions extends FilterOptions {
  /** How many hits at the most. */
  readonly limit: number
  /** One hit for each document, its best chunk; or one for each chunk. */
  readonly groupBy: "document" | "chunk"
}

// A search runs to its end without a pause, so all share it.
const top = new TopHits()

/** As a search finds it, without what only the segment tells. Best first. */
export const findTops = (
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  options: SearchOptions,
  scoring: Scoring
): ReadonlyArray<Scored> => {
  const { groupBy, limit } = options
  if (!(limit > 0)) return []
  top.open(parts, limit)
  try {
    parts.forEach((part, position) => {
      searchPart({ part, position, groupBy, blocked: blockedIn(part, options) }, scoring, top)
    })
    return top.best()
  } finally {
    top.close()
  }
}

export const hitFrom = (parts: ReadonlyArray<ViewPart>, found: Scored, { identifierBonus }: Scoring): Hit =>
  // All words together give less than one identifier.
  hitOf(parts[found.part]!, found, found.score >= identifierBonus)

/**
 * Throws `SegmentUnreadable` when a part turns out to be damaged. `scoring` is given where these parts are not all that
 * is searched; the best of all are then among the best of each.
 */
export const searchView = (
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  options: SearchOptions,
  scoring: Scoring = scoringOf(parts, query)
): ReadonlyArray<Hit> => findTops(parts, query, options, scoring).map((found) => hitFrom(parts, found, scoring))
