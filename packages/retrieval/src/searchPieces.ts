/** Searching a view piece by piece, where it is not at hand as a whole: the hits and the scores are the same. */
import type { ViewPart } from "./Mask.ts"
import type { Query } from "./Query.ts"
import { weigh, type WeighedHit } from "./rerank.ts"
import type { Scoring } from "./scoring.ts"
import { type SearchOptions, searchView } from "./searchView.ts"
import { byRank, type Hit } from "./TopHits.ts"

export interface PieceOptions extends SearchOptions {
  /** So many of the best are going to be ranked again. */
  readonly ranked: number
  /** And so many of these have to come out right: only to be given where one piece is all that is searched. */
  readonly settled?: number | undefined
}

export interface Found {
  /** Best first. */
  readonly hits: ReadonlyArray<Hit>
  /** The first of them, as many as are going to be ranked again. */
  readonly weighed: ReadonlyArray<WeighedHit>
}

/** `scoring` is that of all pieces. */
export const searchPiece = (
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  scoring: Scoring,
  options: PieceOptions
): Found => {
  const hits = searchView(parts, query, options, scoring)
  return { hits, weighed: weigh(parts, query, scoring, hits.slice(0, options.ranked), options.settled) }
}

/** Of what was found with the same options. */
export const bestOf = (pieces: ReadonlyArray<Found>, { limit, ranked }: PieceOptions): Found => {
  const [only, ...others] = pieces
  if (only !== undefined && others.length === 0) return only
  const hits = pieces.flatMap(({ hits }) => hits).sort(byRank).slice(0, Math.max(0, limit))
  const weighed = new Map(pieces.flatMap(({ weighed }) => weighed).map((one) => [one.hit, one]))
  return { hits, weighed: hits.slice(0, ranked).map((hit) => weighed.get(hit)!) }
}
