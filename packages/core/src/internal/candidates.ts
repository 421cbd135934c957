/** Finding the passages for a query: ranked by the index, then read from storage, as far as they are shown. */
import {
  completeQuery,
  type FilterOptions,
  type Hit,
  needsTexts,
  type Query,
  rerank,
  searchView
} from "@tributary/retrieval"
import { Effect } from "effect"
import { DocumentId, type WorkspaceId } from "../model/Id.ts"
import { DocumentStore, type Passage, type PassageRef } from "../ports/DocumentStore.ts"
import type { Head } from "../ports/KnowledgeStore.ts"
import type { Range } from "../model/KnowledgeSettings.ts"
import { ContextViews } from "./ContextViews.ts"
import { readingSegments } from "./readingSegments.ts"
import { fuse, NEAREST } from "./fuse.ts"
import { Meaning } from "./Meaning.ts"
import type { QueryVector } from "./Vectors.ts"
import type { View } from "./View.ts"

/** So many of the best are ranked again by what stands near what. */
const RANKED = 50

/** And so many where a phrase is quoted: its words may stand in many texts, and the phrase in few of them. */
const RANKED_FOR_PHRASE = 300

/** A document that changes between index and storage is looked for again; one that changes all the time is left out. */
const ROUNDS = 3

export interface Candidates {
  /** The one that was searched for, its last word completed. */
  readonly query: Query
  readonly head: Head
  readonly view: View
  /** Best first, all of them. */
  readonly hits: ReadonlyArray<Hit>
  /** Of those that are shown; what changed meanwhile is absent. */
  readonly read: ReadonlyMap<Hit, Passage>
}

const refOf = (hit: Hit): PassageRef => ({
  document_id: DocumentId.make(hit.documentId),
  change_seq: hit.version,
  ordinal: hit.ordinal
})

const keyOf = (ref: PassageRef): string => `${ref.document_id} ${ref.change_seq} ${ref.ordinal}`

export interface Lookup {
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
  /** What lies near it in meaning is found, too; or it alone. */
  readonly meant?: { readonly vector: QueryVector; readonly alone: boolean } | undefined
}

const NONE: ReadonlyMap<Hit, Passage> = new Map()

const textsOf = (passage: Passage | undefined): ReadonlyArray<string> =>
  passage === undefined ? [] : [passage.document.title ?? "", passage.text]

export const readPassages = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, hits: ReadonlyArray<Hit>, withPayload: boolean) {
    const documents = yield* DocumentStore
    const passages = hits.length === 0 ? [] : yield* documents.passages(workspaceId, hits.map(refOf), withPayload)
    const byKey = new Map(passages.map((passage) => [keyOf(passage), passage]))
    return new Map(hits.flatMap((hit) => {
      const passage = byKey.get(keyOf(refOf(hit)))
      return passage === undefined ? [] : [[hit, passage] as const]
    }))
  }
)

/** Best first; the first `ranked` of them are ranked again. */
const findByWords = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, lookup: Lookup, query: Query, view: View, options: FilterOptions) {
    const ranks = query.phrases.length === 0 ? RANKED : RANKED_FOR_PHRASE
    const hits = searchView(view.parts, query, {
      ...options,
      groupBy: lookup.groupBy,
      limit: Math.max(lookup.limit, ranks)
    })
    const first = hits.slice(0, ranks)
    const texts = needsTexts(query) ? yield* readPassages(workspaceId, first, false) : NONE
    const ranked = rerank(view.parts, query, first, (hit) => textsOf(texts.get(hit)))
    return { hits: [...ranked, ...hits.slice(ranks)], ranked: ranked.length }
  }
)

const NOTHING = { hits: [], ranked: 0 }

const find = Effect.fnUntraced(function*(workspaceId: WorkspaceId, lookup: Lookup) {
  const views = yield* ContextViews
  const meaning = yield* Meaning
  const { groupBy, limit, meant } = lookup
  for (let round = 1;; round++) {
    const { head, view } = yield* views.current(workspaceId, lookup.range)
    const query = lookup.unfinished === undefined
      ? lookup.query
      : completeQuery(view.parts, lookup.query, lookup.unfinished)
    const filter = lookup.filter(head)
    const byWords = meant?.alone === true
      ? NOTHING
      : yield* findByWords(workspaceId, lookup, query, view, filter)
    const byMeaning = meant === undefined ? [] : yield* meaning.nearest(workspaceId, view, meant.vector, {
      ...filter,
      groupBy,
      limit: meant.alone ? limit : NEAREST
    })
    const hits = meant === undefined
      ? byWords.hits
      : meant.alone
      ? byMeaning
      : fuse({ byWords: byWords.hits, ranked: byWords.ranked, byMeaning, groupBy })
    const shown = lookup.shown(view, hits)
    const read = yield* readPassages(workspaceId, shown, lookup.withPayload)
    if (read.size < shown.length && round < ROUNDS) continue
    return { query, head, view, hits, read } satisfies Candidates
  }
})

export const findCandidates = (workspaceId: WorkspaceId, lookup: Lookup) =>
  readingSegments(workspaceId, find(workspaceId, lookup))
