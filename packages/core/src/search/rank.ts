/** Ranks passages for a query: lexically, by vectors if there is a model, and by a reranking model. */
import {
  bestOf,
  byRank,
  completeQuery,
  type FilterOptions,
  type Hit,
  hitsToRead,
  type PieceHits,
  type PieceOptions,
  type Query,
  rescoredFor,
  type Scoring,
  scoringFor,
  searchPiece,
  somePass,
  statisticsOf,
  sumOf
} from "@tributary/retrieval"
import { Effect } from "effect"
import type { WorkspaceId } from "../model/Id.ts"
import type { Range } from "../model/TemporalRange.ts"
import { DocumentStore, type Passage } from "../ports/DocumentStore.ts"
import type { RerankingModel } from "../ports/Reranker.ts"
import { makeLoopTurns } from "../scheduling/LoopTurns.ts"
import { ContextViews } from "../context/ContextViews.ts"
import { EVERYTHING, type View } from "../context/View.ts"
import { SEMANTIC_DEPTH } from "./fuse.ts"
import { RANKING, Ranking, type RankingMethod } from "./Ranking.ts"
import { readPassages } from "./readPassages.ts"
import { rerankHits } from "./rerankHits.ts"
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

interface Ranked {
  /** The searched query, with its last word completed. */
  readonly query: Query
  /** Absent for terms that do not occur. */
  readonly idf: Scoring["idf"]
  /** The number of chunks. */
  readonly chunkCount: number
  /** All of them, best first. */
  readonly hits: ReadonlyArray<Hit>
  /** The passages that the ranking had to read, without payloads. */
  readonly passages: ReadonlyArray<Passage>
  readonly rerankerFailed: boolean
  /** The names of `sources` with a document that passes. */
  readonly matched: ReadonlySet<string>
  /** Chunks that were searched only lexically, because they have no vectors yet. */
  readonly missing: number
}

/** What one piece of the view has; not all of a large workspace is in memory at the same time. */
interface Piece {
  /** Null if only vectors are searched. */
  readonly lexical: PieceHits | null
  readonly semantic: ReadonlyArray<Hit>
  readonly matched: ReadonlyArray<string>
  readonly missing: number
}

const textsOf = (passage: Passage | undefined): ReadonlyArray<string> =>
  passage === undefined ? [] : [passage.document.title ?? "", passage.text]

interface Options {
  readonly lexical: PieceOptions
  readonly semantic: NearestOptions
}

/**
 * The first hits are settled in the only piece, unless others may come before them: vectors are fused by rank, a
 * reranking model scores more hits than are shown, and a host's rescorer may put any hit first.
 */
const optionsFor = (
  { filter, groupBy, limit, reranked, semantic }: Lookup,
  query: Query,
  isOnlyPiece: boolean,
  { rescore }: RankingMethod
): Options => {
  const isSettled = isOnlyPiece && semantic === undefined && rescore === RANKING.rescore && reranked === null
  const ranked = rescoredFor(query)
  return {
    lexical: { ...filter, groupBy, limit: Math.max(limit, ranked), ranked, settled: isSettled ? limit : undefined },
    semantic: { ...filter, groupBy, limit: semantic?.alone === true ? limit : SEMANTIC_DEPTH }
  }
}

const NO_HITS: Effect.Effect<ReadonlyArray<Hit>> = Effect.succeed([])

// The event loop belongs to the process, and so do its turns.
const { turnOf } = makeLoopTurns()

/**
 * Resolves the services once. The effects of its functions are to be run by `retryRead`, those of one result together.
 */
export const ranker = Effect.gen(function*() {
  const documents = yield* DocumentStore
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

  const searchPieces = (
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

  /** The lexical hits of all pieces, the first `ranked` of them rescored. */
  const lexicalHits = Effect.fnUntraced(function*(
    workspaceId: WorkspaceId,
    scoring: Scoring,
    pieces: ReadonlyArray<Piece>,
    options: PieceOptions
  ) {
    const { query } = scoring
    const found = bestOf(pieces.flatMap(({ lexical }) => lexical ?? []), options)
    const texts = yield* readPassages(documents, workspaceId, hitsToRead(query, found.rescored), false)
    const rescored = ranking.rescore(query, scoring, found.rescored, (hit) => textsOf(texts.get(hit)))
    return { hits: [...rescored, ...found.rest], ranked: rescored.length, passages: [...texts.values()] }
  })

  /** Fused with those by vectors, or only those. */
  const fusedHits = (
    lexical: Effect.Success<ReturnType<typeof lexicalHits>>,
    pieces: ReadonlyArray<Piece>,
    { groupBy, semantic: searched }: Lookup,
    { limit }: NearestOptions
  ): ReadonlyArray<Hit> => {
    if (searched === undefined) return lexical.hits
    const semantic = pieces.flatMap(({ semantic }) => semantic).sort(byRank).slice(0, limit)
    return searched.alone
      ? semantic
      : ranking.fuse({ lexical: lexical.hits, ranked: lexical.ranked, semantic, groupBy })
  }

  const rank = Effect.fnUntraced(function*(workspaceId: WorkspaceId, view: View, lookup: Lookup) {
    yield* turnOf(workspaceId)
    const { reranked } = lookup
    const { chunkCount, isOnlyPiece, scoring } = yield* scoringIn(workspaceId, view, lookup)
    const options = optionsFor(lookup, scoring.query, isOnlyPiece, ranking)
    const pieces = yield* searchPieces(workspaceId, view, lookup, scoring, options)
    const lexical = yield* lexicalHits(workspaceId, scoring, pieces, options.lexical)
    const { passages } = lexical
    const fused = fusedHits(lexical, pieces, lookup, options.semantic)
    const { failed, hits } = reranked === null
      ? { failed: false, hits: fused }
      : yield* rerankHits(
        reranked.reranker,
        reranked.question,
        fused,
        (best) => readPassages(documents, workspaceId, best, false, passages)
      )
    return {
      query: scoring.query,
      idf: scoring.idf,
      chunkCount,
      hits,
      passages,
      rerankerFailed: failed,
      matched: new Set(pieces.flatMap(({ matched }) => matched)),
      missing: pieces.reduce((sum, { missing }) => sum + missing, 0)
    } satisfies Ranked
  })

  /** Ranked hits as results. */
  const readPage = (
    workspaceId: WorkspaceId,
    { passages }: Ranked,
    page: ReadonlyArray<Hit>,
    withPayload: boolean
  ) =>
    // The ranking reads no payloads.
    readPassages(documents, workspaceId, page, withPayload, withPayload ? [] : passages)

  return { rank, readPage }
})
