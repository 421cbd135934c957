/** Finding the passages for a query: from the index, then read from storage, then ranked by their text. */
import { completeQuery, type FilterOptions, type Hit, type Query, rerank, searchView } from "@tributary/retrieval"
import { Effect } from "effect"
import { DocumentId, type WorkspaceId } from "../model/Id.ts"
import { DocumentStore, type Passage, type PassageRef } from "../ports/DocumentStore.ts"
import type { Head } from "../ports/KnowledgeStore.ts"
import type { Range } from "../model/KnowledgeSettings.ts"
import { ContextViews } from "./ContextViews.ts"
import { readingSegments } from "./readingSegments.ts"
import type { View } from "./View.ts"

/** So many of the best are read and ranked again by what stands near what. */
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
  /** Of the first hits; what changed meanwhile is absent. */
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
  readonly withPayload: boolean
}

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

const find = Effect.fnUntraced(function*(workspaceId: WorkspaceId, lookup: Lookup) {
  const views = yield* ContextViews
  for (let round = 1;; round++) {
    const { head, view } = yield* views.current(workspaceId, lookup.range)
    const query = lookup.unfinished === undefined
      ? lookup.query
      : completeQuery(view.parts, lookup.query, lookup.unfinished)
    const ranks = query.phrases.length === 0 ? RANKED : RANKED_FOR_PHRASE
    const hits = searchView(view.parts, query, {
      ...lookup.filter(head),
      groupBy: lookup.groupBy,
      limit: Math.max(lookup.limit, ranks)
    })
    const first = hits.slice(0, ranks)
    const read = yield* readPassages(workspaceId, first, lookup.withPayload)
    if (read.size < first.length && round < ROUNDS) continue
    const ranked = rerank(
      view.parts,
      query,
      [...read].map(([hit, passage]) => ({ hit, passage, title: passage.document.title ?? "", text: passage.text }))
    )
    return {
      query,
      head,
      view,
      hits: [...ranked.map(({ hit }) => hit), ...hits.slice(ranks)],
      read: new Map(ranked.map(({ hit, passage }) => [hit, passage]))
    } satisfies Candidates
  }
})

export const findCandidates = (workspaceId: WorkspaceId, lookup: Lookup) =>
  readingSegments(workspaceId, find(workspaceId, lookup))
