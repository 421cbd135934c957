/**
 * Searches a view piece by piece if it is not completely loaded. Hits and scores are the same, except that documents of
 * several pieces are not compared with each other.
 */
import type { ViewPart } from "../segment/Mask.ts"
import type { Query } from "./query/Query.ts"
import { COMPARED } from "./rescoring/HitWords.ts"
import { measureProximity } from "./rescoring/measureProximity.ts"
import type { Rescored } from "./rescoring/Rescored.ts"
import type { Scoring } from "./scoring.ts"
import { findTops, hitFrom, type SearchOptions } from "./searchView.ts"
import { byRank, type Hit } from "./TopHits.ts"
import { withFeedback } from "./rescoring/withFeedback.ts"

export interface PieceOptions extends SearchOptions {
  /** How many of the best are rescored. */
  readonly ranked: number
  /**
   * The number of hits that must be exact; only valid if one piece is everything that is searched. The best documents are
   * then compared with each other, too.
   */
  readonly settled?: number | undefined
}

export interface PieceHits {
  /** The hits to rescore; with `settled`, only those that may be among the first this many. */
  readonly rescored: ReadonlyArray<Rescored<Hit>>
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
  const { groupBy, ranked, settled } = options
  const isCompared = groupBy === "document" && settled !== undefined
  const exact = isCompared ? Math.max(settled, COMPARED) : settled
  const rescored = measureProximity(parts, query, scoring, tops.slice(0, ranked), exact)
    .map((one) => ({ ...one, hit: hitFrom(parts, one.hit, scoring) }))
  return {
    rescored: isCompared ? withFeedback(parts, query, scoring, rescored) : rescored,
    rest: tops.slice(ranked).map((top) => hitFrom(parts, top, scoring))
  }
}

/** Merges results of the same options. */
export const bestOf = (pieces: ReadonlyArray<PieceHits>, { limit, ranked }: PieceOptions): PieceHits => {
  const [only, ...others] = pieces
  if (only !== undefined && others.length === 0) return only
  const rescored = new Map(pieces.flatMap(({ rescored }) => rescored).map((one) => [one.hit, one]))
  const hits = [...rescored.keys(), ...pieces.flatMap(({ rest }) => rest)].sort(byRank).slice(0, Math.max(0, limit))
  return { rescored: hits.slice(0, ranked).map((hit) => rescored.get(hit)!), rest: hits.slice(ranked) }
}
