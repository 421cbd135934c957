/** Finding the passages for a query: ranked by the index, then read from storage, as far as they are shown. */
import {
  bestOf,
  byRank,
  completeQuery,
  type FilterOptions,
  type Hit,
  needsTexts,
  type Query,
  readIn,
  type Scoring,
  scoringFor,
  searchPiece,
  statisticsOf,
  sumOf
} from "@tributary/retrieval"
import { Effect } from "effect"
import type { DocumentId, WorkspaceId } from "../model/Id.ts"
import { DocumentStore, type Passage, type PassageRef } from "../ports/DocumentStore.ts"
import type { Head } from "../ports/KnowledgeStore.ts"
import { Reranker } from "../ports/Reranker.ts"
import type { Range } from "../model/TemporalRange.ts"
import { ContextViews, EVERYTHING } from "../context/ContextViews.ts"
import { rerankHits } from "./rerankHits.ts"
import { SEMANTIC_DEPTH } from "./fuse.ts"
import { RANKING, Ranking } from "./Ranking.ts"
import { VectorSearch } from "./VectorSearch.ts"
import type { QueryVector } from "./Vectors.ts"
import type { Part, View } from "../context/View.ts"

/** How many of the best are ranked again by what stands near what. */
const RANKED = 50

/** And this many where a phrase is quoted: its words may stand in many texts, and the phrase in few of them. */
const RANKED_FOR_PHRASE = 300

/** A document that changes between index and storage is looked for again; one that changes all the time is left out. */
const ROUNDS = 3

export interface Candidates<A = unknown> {
  /** The one that was searched for, its last word completed. */
  readonly query: Query
  /** How much each term of it tells; those that stand nowhere are absent. */
  readonly idf: Scoring["idf"]
  /** Of how many chunks. */
  readonly chunkCount: number
  readonly head: Head
  readonly view: View
  /** Best first, all of them. */
  readonly hits: ReadonlyArray<Hit>
  /** Of those that are shown; what changed meanwhile is absent. */
  readonly read: ReadonlyMap<Hit, Passage>
  /** Whether a reranking model was asked in vain. */
  readonly rerankerFailed: boolean
  /** What the lookup tells of each piece. */
  readonly told: ReadonlyArray<A>
}

const refOf = (hit: Hit): PassageRef => ({
  // Ids come out of an index as they went in.
  document_id: hit.documentId as DocumentId,
  change_seq: hit.version,
  ordinal: hit.ordinal
})

const keyOf = (ref: PassageRef): string => `${ref.document_id} ${ref.change_seq} ${ref.ordinal}`

export interface Lookup<A> {
  readonly query: Query
  /** As it was written, when its last word may be unfinished. */
  readonly unfinished?: string
  /** Made from the state of the workspace that the search reads. */
  readonly filter: (head: Head) => FilterOptions
  /** Where given, nothing outside of it is looked at. */
  readonly range?: (head: Head) => Range
  readonly groupBy: "document" | "chunk"
  readonly limit: number
  /** Which of all hits are to be read. */
  readonly shown: (view: View, hits: ReadonlyArray<Hit>) => ReadonlyArray<Hit>
  readonly withPayload: boolean
  /** What else is wanted of what is searched, which may come in pieces. */
  readonly tell: (parts: ReadonlyArray<Part>, view: View, head: Head) => A
  /** What lies near it in vectors is found, too; or it alone. */
  readonly semantic?: { readonly vector: QueryVector; readonly alone: boolean } | undefined
  /** The question by which a reranking model orders the best, if there is one. */
  readonly reranked?: string | undefined
}

const NONE: ReadonlyMap<Hit, Passage> = new Map()

const textsOf = (passage: Passage | undefined): ReadonlyArray<string> =>
  passage === undefined ? [] : [passage.document.title ?? "", passage.text]

/** Of the hits, what is not `known` already is read. */
export const readPassages = Effect.fnUntraced(
  function*(
    workspaceId: WorkspaceId,
    hits: ReadonlyArray<Hit>,
    withPayload: boolean,
    known: Iterable<Passage> = []
  ) {
    const documents = yield* DocumentStore
    const byKey = new Map(Array.from(known, (passage) => [keyOf(passage), passage]))
    const refs = hits.map(refOf)
    const keys = refs.map(keyOf)
    const unknown = refs.filter((_, at) => !byKey.has(keys[at]!))
    const read = unknown.length === 0 ? [] : yield* documents.passages(workspaceId, unknown, withPayload)
    for (const passage of read) byKey.set(keyOf(passage), passage)
    const found = new Map<Hit, Passage>()
    hits.forEach((hit, at) => {
      const passage = byKey.get(keys[at]!)
      if (passage !== undefined) found.set(hit, passage)
    })
    return found
  }
)

/** To be run by `readingSegments`, with all else that reads what it found. */
export const findCandidates = Effect.fnUntraced(function*<A>(workspaceId: WorkspaceId, lookup: Lookup<A>) {
  const views = yield* ContextViews
  const vectors = yield* VectorSearch
  const reranker = yield* Reranker
  const ranking = yield* Ranking
  const { groupBy, limit, semantic: nearTo } = lookup
  for (let round = 1;; round++) {
    const { head, view } = yield* views.current(workspaceId, lookup.range)
    const range = lookup.range?.(head) ?? EVERYTHING
    const statistics = yield* views.each(
      workspaceId,
      view,
      range,
      (parts) => Effect.sync(() => statisticsOf(parts, lookup.query, lookup.unfinished))
    )
    const sums = sumOf(statistics)
    const query = lookup.unfinished === undefined
      ? readIn(lookup.query, sums.languages)
      : completeQuery(lookup.query, lookup.unfinished, sums)
    const scoring = scoringFor(query, sums, ranking.parameters)
    const filter = lookup.filter(head)
    const ranked = query.readings[0]!.phrases.length === 0 ? RANKED : RANKED_FOR_PHRASE
    // Several pieces are rescored without knowing of each other, and what is found by vectors is mixed in by rank.
    // A reranking model judges more of the best than are shown.
    // Another rescorer than ours may put any of them first.
    const isSettled = statistics.length === 1 && nearTo === undefined && ranking.rescore === RANKING.rescore &&
      (lookup.reranked === undefined || reranker === null)
    const settled = isSettled ? limit : undefined
    const options = { ...filter, groupBy, limit: Math.max(limit, ranked), ranked, settled }
    const nearest = { ...filter, groupBy, limit: nearTo?.alone === true ? limit : SEMANTIC_DEPTH }
    const pieces = yield* views.each(
      workspaceId,
      view,
      range,
      (parts) => {
        const words = nearTo?.alone === true ? null : searchPiece(parts, query, scoring, options)
        const told = lookup.tell(parts, view, head)
        return nearTo === undefined
          ? Effect.succeed({ words, near: [], told })
          : Effect.map(
            vectors.nearest(workspaceId, view, parts, nearTo.vector, nearest),
            (near) => ({ words, near, told })
          )
      }
    )
    const found = bestOf(pieces.flatMap(({ words }) => words ?? []), options)
    const texts = needsTexts(query)
      ? yield* readPassages(workspaceId, found.rescored.map(({ hit }) => hit), false)
      : NONE
    const best = ranking.rescore(query, scoring, found.rescored, (hit) => textsOf(texts.get(hit)))
    const lexical = [...best, ...found.rest]
    const semantic = pieces.flatMap(({ near }) => near).sort(byRank).slice(0, nearest.limit)
    const fused = nearTo === undefined
      ? lexical
      : nearTo.alone
      ? semantic
      : ranking.fuse({ lexical, ranked: best.length, semantic, groupBy })
    const { failed, hits } = lookup.reranked === undefined || reranker === null
      ? { failed: false, hits: fused }
      : yield* rerankHits(
        reranker,
        lookup.reranked,
        fused,
        (best) => readPassages(workspaceId, best, false, texts.values())
      )
    const shown = lookup.shown(view, hits)
    // The ranking reads no payloads.
    const known = lookup.withPayload ? [] : texts.values()
    const read = yield* readPassages(workspaceId, shown, lookup.withPayload, known)
    if (read.size < shown.length && round < ROUNDS) continue
    const told = pieces.map(({ told }) => told)
    return {
      query,
      idf: scoring.idf,
      chunkCount: sums.chunks,
      head,
      view,
      hits,
      read,
      rerankerFailed: failed,
      told
    } satisfies Candidates<A>
  }
})
