/** Searches a view part by part. Each part knows the score to beat. */
import { blockedIn, type FilterOptions, mayPass } from "./filter.ts"
import type { ViewPart } from "../segment/Mask.ts"
import type { Query } from "./query/Query.ts"
import { type Scoring, scoringOf } from "./scoring.ts"
import { searchPart } from "./searchPart.ts"
import { type Hit, hitOf, type Scored, TopHits } from "./TopHits.ts"

export interface SearchOptions extends FilterOptions {
  /** The most hits. */
  readonly limit: number
  /** One hit per document, its best chunk; or one per chunk. */
  readonly groupBy: "document" | "chunk"
}

// A search is synchronous, so this buffer is shared.
const top = new TopHits()

/** Hits before details are read from the segment. Best first. */
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
      if (!mayPass(part, options)) return
      searchPart({ part, position, groupBy, blocked: blockedIn(part, options) }, scoring, top)
    })
    return top.best()
  } finally {
    top.close()
  }
}

export const hitFrom = (parts: ReadonlyArray<ViewPart>, found: Scored, { identifierBonus }: Scoring): Hit =>
  // All words together add less than one identifier.
  hitOf(parts[found.part]!, found, found.score >= identifierBonus)

/** `parts` are everything that is searched. Throws `SegmentUnreadable` if one is damaged. */
export const searchView = (
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  options: SearchOptions
): ReadonlyArray<Hit> => {
  const scoring = scoringOf(parts, query)
  return findTops(parts, query, options, scoring).map((found) => hitFrom(parts, found, scoring))
}
