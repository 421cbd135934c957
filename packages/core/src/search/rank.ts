/** Ranks passages for a query: lexically, by vectors if there is a model, and by a reranking model. */
import {
  byRank,
  type Hit,
  hitsToRead,
  mergePieces,
  type PieceOptions,
  type Query,
  type Scoring
} from "@tributary/retrieval"
import { Effect } from "effect"
import { titleWords } from "../context/indexDocument.ts"
import type { View } from "../context/View.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { DocumentStore, type Passage } from "../ports/DocumentStore.ts"
import { makeLoopTurns } from "../scheduling/LoopTurns.ts"
import { Ranking, type RankingMethod } from "./Ranking.ts"
import { readPassages } from "./readPassages.ts"
import { rerankHits } from "./rerankHits.ts"
import type { NearestOptions } from "./scanVectors.ts"
import { type Lookup, type Piece, pieceSearch } from "./searchPieces.ts"

interface Ranked {
  /** The searched query, with its last word completed. */
  readonly query: Query
  /** Absent for terms that do not occur. */
  readonly idf: Scoring["idf"]
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

const textsOf = (passage: Passage | undefined): ReadonlyArray<string> =>
  passage === undefined ? [] : [titleWords(passage.document), passage.text]

interface LexicalHits {
  readonly hits: ReadonlyArray<Hit>
  /** How many of them are rescored. */
  readonly ranked: number
  readonly passages: ReadonlyArray<Passage>
}

/** The lexical hits fused with those by vectors, or only those by vectors. */
const fusedHits = (
  ranking: RankingMethod,
  { hits, ranked }: LexicalHits,
  pieces: ReadonlyArray<Piece>,
  { groupBy, semantic: searched }: Lookup,
  { limit }: NearestOptions
): ReadonlyArray<Hit> => {
  if (searched === undefined) return hits
  const semantic = pieces.flatMap(({ semantic }) => semantic).sort(byRank).slice(0, limit)
  return searched.alone ? semantic : ranking.fuse({ lexical: hits, ranked, semantic, groupBy })
}

// The event loop belongs to the process, and so do its turns.
const { turnOf } = makeLoopTurns()

/** The lexical hits of all pieces, the first `ranked` of them rescored. */
const lexicalRanking = Effect.gen(function*() {
  const documents = yield* DocumentStore
  const ranking = yield* Ranking

  return Effect.fnUntraced(function*(
    workspaceId: WorkspaceId,
    scoring: Scoring,
    pieces: ReadonlyArray<Piece>,
    options: PieceOptions
  ) {
    const { query } = scoring
    const found = mergePieces(pieces.flatMap(({ lexical }) => lexical ?? []), options)
    const texts = yield* readPassages(documents, workspaceId, hitsToRead(query, found.toRescore), false)
    const rescored = ranking.rescore(query, scoring, found.toRescore, (hit) => textsOf(texts.get(hit)))
    const hits = [...rescored, ...found.rest]
    return { hits, ranked: rescored.length, passages: [...texts.values()] } satisfies LexicalHits
  })
})

/**
 * Resolves the services once. The effects of its functions are to be run by `retryRead`, those of one result together.
 */
export const ranker = Effect.gen(function*() {
  const documents = yield* DocumentStore
  const searchPieces = yield* pieceSearch
  const lexicalHits = yield* lexicalRanking
  const ranking = yield* Ranking

  const rank = Effect.fnUntraced(function*(workspaceId: WorkspaceId, view: View, lookup: Lookup) {
    yield* turnOf(workspaceId)
    const { chunkCount, options, pieces, scoring } = yield* searchPieces(workspaceId, view, lookup)
    const lexical = yield* lexicalHits(workspaceId, scoring, pieces, options.lexical)
    const { passages } = lexical
    const fused = fusedHits(ranking, lexical, pieces, lookup, options.semantic)
    const readBest = (best: ReadonlyArray<Hit>) => readPassages(documents, workspaceId, best, false, passages)
    const { failed, hits } = yield* rerankHits(lookup.reranked, fused, readBest)
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
