/** Searches a view piece by piece: not all of a large workspace is in memory at the same time. */
import {
  completeQuery,
  type FilterOptions,
  type Hit,
  type PieceHits,
  type PieceOptions,
  type Query,
  rescoreWindowFor,
  type Scoring,
  scoringFor,
  searchPiece,
  somePass,
  statisticsOf,
  sumOf
} from "@tributary/retrieval"
import { Effect } from "effect"
import { ContextViews } from "../context/ContextViews.ts"
import { EVERYTHING, type View } from "../context/View.ts"
import type { WorkspaceId } from "../model/Id.ts"
import type { Range } from "../model/TemporalRange.ts"
import type { RerankingModel } from "../ports/Reranker.ts"
import { SEMANTIC_DEPTH } from "./fuse.ts"
import { RANKING, Ranking, type RankingMethod } from "./Ranking.ts"
import type { NearestOptions } from "./scanVectors.ts"
import { VectorSearch } from "./VectorSearch.ts"
import type { QueryVector } from "./Vectors.ts"

export interface Lookup {
  readonly query: Query
  /** The original text, if its last word may be unfinished. */
  readonly unfinished?: string
  readonly filter: FilterOptions
  /** If given, everything outside is ignored. */
  readonly range?: Range
  readonly groupBy: "document" | "chunk"
  readonly limit: number
  /** By name; a name counts as matched if any document passes its filter. */
  readonly sources: ReadonlyMap<string, FilterOptions>
  /** Include the nearest by vectors, or only those. */
  readonly semantic?: { readonly vector: QueryVector; readonly alone: boolean } | undefined
  /** The model that reorders the best hits, and the question for it; null without. */
  readonly reranked: { readonly reranker: RerankingModel; readonly question: string } | null
}

/** What one piece of the view has. */
export interface Piece {
  /** Null if only vectors are searched. */
  readonly lexical: PieceHits | null
  readonly semantic: ReadonlyArray<Hit>
  readonly matched: ReadonlyArray<string>
  readonly missing: number
}

interface Options {
  readonly lexical: PieceOptions
  readonly semantic: NearestOptions
}

/**
 * The first hits of the only piece are exact, unless others may come before them: vectors are fused by rank, a
 * reranking model scores more hits than are shown, and a host's rescorer may put any hit first.
 */
const optionsFor = (
  { filter, groupBy, limit, reranked, semantic }: Lookup,
  query: Query,
  isOnlyPiece: boolean,
  { rescore }: RankingMethod
): Options => {
  const isExact = isOnlyPiece && semantic === undefined && rescore === RANKING.rescore && reranked === null
  const rescoreWindow = rescoreWindowFor(query)
  const exactHits = isExact ? limit : undefined
  return {
    lexical: { ...filter, groupBy, limit: Math.max(limit, rescoreWindow), rescoreWindow, exactHits },
    semantic: { ...filter, groupBy, limit: semantic?.alone === true ? limit : SEMANTIC_DEPTH }
  }
}

const NO_HITS: Effect.Effect<ReadonlyArray<Hit>> = Effect.succeed([])

/** Resolves the services once. */
export const pieceSearch = Effect.gen(function*() {
  const views = yield* ContextViews
  const vectors = yield* VectorSearch
  const ranking = yield* Ranking

  /** The scoring over everything in range. */
  const scoringIn = (
    workspaceId: WorkspaceId,
    view: View,
    { query, range = EVERYTHING, unfinished }: Lookup
  ) =>
    Effect.map(
      views.each(workspaceId, view, range, (parts) => Effect.sync(() => statisticsOf(parts, query, unfinished))),
      (statistics) => {
        const total = sumOf(statistics)
        const completed = unfinished === undefined ? query : completeQuery(query, unfinished, total)
        return {
          scoring: scoringFor(completed, total, ranking.parameters),
          chunkCount: total.chunks,
          isOnlyPiece: statistics.length === 1
        }
      }
    )

  const findIn = (
    workspaceId: WorkspaceId,
    view: View,
    { range = EVERYTHING, semantic, sources }: Lookup,
    scoring: Scoring,
    options: Options
  ) =>
    views.each(workspaceId, view, range, (parts) =>
      Effect.map(
        semantic === undefined ? NO_HITS : vectors.nearest(workspaceId, view, parts, semantic.vector, options.semantic),
        (nearest): Piece => ({
          lexical: semantic?.alone === true ? null : searchPiece(parts, scoring.query, scoring, options.lexical),
          semantic: nearest,
          matched: [...sources].flatMap(([name, passing]) => somePass(parts, passing) ? [name] : []),
          missing: semantic === undefined ? 0 : vectors.missingIn(view, parts)
        })
      ))

  return (workspaceId: WorkspaceId, view: View, lookup: Lookup) =>
    Effect.flatMap(scoringIn(workspaceId, view, lookup), ({ chunkCount, isOnlyPiece, scoring }) => {
      const options = optionsFor(lookup, scoring.query, isOnlyPiece, ranking)
      return Effect.map(
        findIn(workspaceId, view, lookup, scoring, options),
        (pieces) => ({ chunkCount, scoring, options, pieces })
      )
    })
})
