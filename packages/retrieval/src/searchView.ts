/** Searching a view: one part after the other, each knowing what it has to surpass. */
import { blockedIn, type FilterOptions } from "./filter.ts"
import type { ViewPart } from "./Mask.ts"
import type { Query } from "./Query.ts"
import { scoringOf } from "./scoring.ts"
import { searchPart } from "./searchPart.ts"
import { type Hit, type Top, TopHits } from "./TopHits.ts"

export interface SearchOptions extends FilterOptions {
  /** How many hits at the most. */
  readonly limit: number
  /** One hit for each document, its best chunk; or one for each chunk. */
  readonly groupBy: "document" | "chunk"
}

const hitOf = (parts: ReadonlyArray<ViewPart>, { chunk, document, part, score }: Top, identifierBonus: number): Hit => {
  const { segment } = parts[part]!
  return {
    part,
    chunk,
    documentId: segment.idOf(document),
    version: segment.versionOf(document),
    ordinal: chunk - segment.firstChunks[document]!,
    score,
    // All words together give less.
    identifier: score >= identifierBonus,
    from: segment.fromOf(document),
    to: segment.toOf(document)
  }
}

/** Throws `SegmentUnreadable` when a part turns out to be damaged. */
export const searchView = (
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  options: SearchOptions
): ReadonlyArray<Hit> => {
  if (!(options.limit > 0)) return []
  const scoring = scoringOf(parts, query)
  const top = new TopHits(parts, options.limit)
  const { groupBy } = options
  parts.forEach((part, position) => {
    searchPart({ part, position, groupBy, blocked: blockedIn(part, options) }, scoring, top)
  })
  return top.best().map((found) => hitOf(parts, found, scoring.identifierBonus))
}
