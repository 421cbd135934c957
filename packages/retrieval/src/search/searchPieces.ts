/** Searching a view piece by piece, where it is not at hand as a whole: the hits and the scores are the same. */
import type { ViewPart } from "../segment/Mask.ts"
import type { Query } from "./Query.ts"
import { type Rescored, weigh } from "./rescore.ts"
import type { Scoring } from "./scoring.ts"
import { findTops, hitFrom, type SearchOptions } from "./searchView.ts"
import { byRank, type Hit } from "./TopHits.ts"

export interface PieceOptions extends SearchOptions {
  /** How many of the best are going to be ranked again. */
  readonly ranked: number
  /** And so many of these have to come out right: only to be given where one piece is all that is searched. */
  readonly settled?: number | undefined
}

export interface Found {
  /** What is going to be ranked again; where `settled` is given, only what may be among the first this many. */
  readonly rescored: ReadonlyArray<Rescored<Hit>>
  /** What comes behind it, best first. */
  readonly rest: ReadonlyArray<Hit>
}

/** `scoring` is that of all pieces. */
export const searchPiece = (
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  scoring: Scoring,
  options: PieceOptions
): Found => {
  const tops = findTops(parts, query, options, scoring)
  const rescored = weigh(parts, query, scoring, tops.slice(0, options.ranked), options.settled)
  return {
    rescored: rescored.map((one) => ({ ...one, hit: hitFrom(parts, one.hit, scoring) })),
    rest: tops.slice(options.ranked).map((top) => hitFrom(parts, top, scoring))
  }
}

/** Of what was found with the same options. */
export const bestOf = (pieces: ReadonlyArray<Found>, { limit, ranked }: PieceOptions): Found => {
  const [only, ...others] = pieces
  if (only !== undefined && others.length === 0) return only
  const rescored = new Map(pieces.flatMap(({ rescored }) => rescored).map((one) => [one.hit, one]))
  const hits = [...rescored.keys(), ...pieces.flatMap(({ rest }) => rest)].sort(byRank).slice(0, Math.max(0, limit))
  return { rescored: hits.slice(0, ranked).map((hit) => rescored.get(hit)!), rest: hits.slice(ranked) }
}
