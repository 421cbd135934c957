/** Ranks passages for a query: lexically, by vectors if there is a model, and by a reranking model. */
import {
  bestOf,
  byRank,
  completeQuery,
  type FilterOptions,
  type Hit,
  type PieceHits,
  type PieceOptions,
  type Query,
  rescoredFor,
  type Scoring,
  scoringFor,
  searchPiece,
  somePass,
  statisticsOf,
  sumOf,
  toRead
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
import { RANKING, Ranking } from "./Ranking.ts"
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
          isOnePiece: statistics.length === 1
        }
      }
    )

  const searchPieces = (
    workspaceId: WorkspaceId,
    view: View,
    { range = EVERYTHING, semantic, sources }: Lookup,
    scoring: Scoring,
    options: { readonly lexical: PieceOptions; readonly semantic: NearestOptions }
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

  const rank = Effect.fnUntraced(function*(workspaceId: WorkspaceId, view: View, lookup: Lookup) {
    yield* turnOf(workspaceId)
    const { filter, groupBy, limit, reranked, semantic } = lookup
    const { chunkCount, isOnePiece, scoring } = yield* scoringIn(workspaceId, view, lookup)
    const { query } = scoring

    // Pieces are rescored independently, vectors are fused by rank, a reranking model scores more hits than are shown,
    // and a host's rescorer may put any hit first.
    const isSettled = isOnePiece && semantic === undefined && ranking.rescore === RANKING.rescore && reranked === null
    const ranked = rescoredFor(query)
    const options = {
      lexical: { ...filter, groupBy, limit: Math.max(limit, ranked), ranked, settled: isSettled ? limit : undefined },
      semantic: { ...filter, groupBy, limit: semantic?.alone === true ? limit : SEMANTIC_DEPTH }
    }
    const pieces = yield* searchPieces(workspaceId, view, lookup, scoring, options)

    const found = bestOf(pieces.flatMap(({ lexical }) => lexical ?? []), options.lexical)
    const texts = yield* readPassages(documents, workspaceId, toRead(query, found.rescored), false)
    const passages = [...texts.values()]
    const rescored = ranking.rescore(query, scoring, found.rescored, (hit) => textsOf(texts.get(hit)))
    const lexical = [...rescored, ...found.rest]

    const nearest = pieces.flatMap(({ semantic }) => semantic).sort(byRank).slice(0, options.semantic.limit)
    const fused = semantic === undefined
      ? lexical
      : semantic.alone
      ? nearest
      : ranking.fuse({ lexical, ranked: rescored.length, semantic: nearest, groupBy })

    const { failed, hits } = reranked === null
      ? { failed: false, hits: fused }
      : yield* rerankHits(
        reranked.reranker,
        reranked.question,
        fused,
        (best) => readPassages(documents, workspaceId, best, false, passages)
      )
    return {
      query,
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
