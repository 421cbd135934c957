/**
 * Searches one piece of a view: all of it if that is loaded, or else the parts that are loaded together. Hits and scores
 * are the same, except that documents of several pieces are not compared with each other.
 */
import type { ViewPart } from "../segment/Mask.ts"
import type { Query } from "./query/Query.ts"
import { COMPARED_HITS } from "./rescoring/TermVectors.ts"
import { measureProximity } from "./rescoring/measureProximity.ts"
import type { HitFeatures } from "./rescoring/HitFeatures.ts"
import type { Scoring } from "./scoring.ts"
import { findTops, hitFrom, type SearchOptions } from "./searchView.ts"
import { byRank, type Hit } from "./TopHits.ts"
import { withFeedback } from "./rescoring/relevanceFeedback.ts"

export interface PieceOptions extends SearchOptions {
  /** How many of the best hits are rescored. */
  readonly rescoreWindow: number
  /**
   * The number of hits that must be exact; only valid if one piece is everything that is searched. The best documents are
   * then compared with each other, too.
   */
  readonly exactHits?: number | undefined
}

export interface PieceHits {
  /** The hits to rescore; with `exactHits`, only those that may be among the first this many. */
  readonly toRescore: ReadonlyArray<HitFeatures<Hit>>
  /** The hits after them, best first. */
  readonly rest: ReadonlyArray<Hit>
}

/** `scoring` must be that of all pieces. */
export const searchPiece = (
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  scoring: Scoring,
  options: PieceOptions
): PieceHits => {
  const tops = findTops(parts, query, options, scoring)
  const { groupBy, exactHits, rescoreWindow } = options
  const isCompared = groupBy === "document" && exactHits !== undefined
  const exact = isCompared ? Math.max(exactHits, COMPARED_HITS) : exactHits
  const measured = measureProximity(parts, query, scoring, tops.slice(0, rescoreWindow), exact)
    .map((one) => ({ ...one, hit: hitFrom(parts, one.hit, scoring) }))
  return {
    toRescore: isCompared ? withFeedback(parts, query, scoring, measured) : measured,
    rest: tops.slice(rescoreWindow).map((top) => hitFrom(parts, top, scoring))
  }
}

/** Merges results of the same options. */
export const mergePieces = (pieces: ReadonlyArray<PieceHits>, { limit, rescoreWindow }: PieceOptions): PieceHits => {
  const [only, ...others] = pieces
  if (only !== undefined && others.length === 0) return only
  const features = new Map(pieces.flatMap(({ toRescore }) => toRescore).map((one) => [one.hit, one]))
  const hits = [...features.keys(), ...pieces.flatMap(({ rest }) => rest)].sort(byRank).slice(0, Math.max(0, limit))
  return { toRescore: hits.slice(0, rescoreWindow).map((hit) => features.get(hit)!), rest: hits.slice(rescoreWindow) }
}
