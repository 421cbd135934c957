/**
 * The evidence for one question: only documents in range that pass its filters, remembered so that quotes can be
 * checked.
 */
import { type FilterOptions, parseQuery, searchView } from "@tributary/retrieval"
import { Effect } from "effect"
import { ContextViews } from "../context/ContextViews.ts"
import { retryRead } from "../context/retryRead.ts"
import { servedRange } from "../context/servedRange.ts"
import type { AskRequest } from "../model/Ask.ts"
import type { SnapshotId, WorkspaceId } from "../model/Id.ts"
import { Narrowed } from "../people/Narrowed.ts"
import { type Evidence, type EvidencePassage, type EvidenceSource, refsAround } from "../ports/Answerer.ts"
import { DocumentStore, type PassageRef } from "../ports/DocumentStore.ts"
import { Reranker } from "../ports/Reranker.ts"
import { ranker } from "../search/rank.ts"
import { rerankedOnce } from "../search/rerankedOnce.ts"
import { searchFilter } from "../search/searchFilter.ts"
import { sourceFilters } from "../search/sourceWarnings.ts"
import { VectorSearch } from "../search/VectorSearch.ts"
import { withConversations } from "./conversations.ts"
import { GivenPassages } from "./GivenPassages.ts"

/** How many passages are searched before an answerer asks for more. */
const FIRST = 30

/** The most passages of a search, and of a read. */
const MOST_PASSAGES = 200
const MOST_READ = 1_000

const OUT_OF_RANGE =
  "range: the documents that match best lie outside of the knowledge context's range, which ask does not read"

type Services = ContextViews | DocumentStore | VectorSearch

export const EMBEDDER_FAILED = "embeddings: the embedding model does not answer, so passages are found by words only"

/** Undefined without an embedding model, null when it fails: passages are then found by words only. */
const semanticOf = Effect.fnUntraced(function*(query: string) {
  const vectors = yield* VectorSearch
  if (vectors.model === null) return undefined
  return yield* vectors.embedQuery(query).pipe(
    Effect.map((vector) => ({ vector, alone: false })),
    Effect.catchTag(
      "ModelUnavailable",
      (failure) => Effect.as(Effect.logWarning("evidence is found by words alone", failure), null)
    )
  )
})

export const openEvidence = Effect.fnUntraced(function*(workspaceId: WorkspaceId, request: AskRequest, now: number) {
  const services = yield* Effect.context<Services>()
  const documents = yield* DocumentStore
  const views = yield* ContextViews
  const narrowed = yield* Narrowed
  const model = yield* Reranker
  const reranker = model === null ? null : rerankedOnce(model)
  const { rank, readPage } = yield* ranker
  const given = new GivenPassages()
  const seen = {
    snapshot: null as SnapshotId | null,
    matched: new Set<string>(),
    rerankerFailed: false,
    embedderFailed: false
  }

  const current = Effect.map(
    views.current(workspaceId, (head) => servedRange(head, now)),
    ({ head, view }) => {
      const range = servedRange(head, now)
      return { head, view, range, filter: searchFilter(request, narrowed, range) }
    }
  )

  const read = Effect.fnUntraced(function*(refs: ReadonlyArray<PassageRef>) {
    const wanted = refs.filter((ref) => given.hasVersion(ref)).slice(0, MOST_READ)
    const unknown = wanted.filter((ref) => given.find(ref) === undefined)
    if (unknown.length > 0) {
      for (const passage of yield* documents.passages(workspaceId, unknown, false)) given.add(passage)
    }
    return wanted.flatMap((ref) => given.find(ref) ?? [])
  })

  const find = Effect.fnUntraced(function*(query: string, limit: number) {
    const { filter, head, range, view } = yield* current
    const semantic = yield* semanticOf(query)
    seen.embedderFailed ||= semantic === null
    const ranked = yield* rank(workspaceId, view, {
      query: parseQuery(query),
      filter,
      range,
      groupBy: "chunk",
      limit: limit + 1,
      sources: sourceFilters(request, narrowed, range),
      semantic: semantic ?? undefined,
      reranked: reranker === null ? null : { reranker, question: query }
    })
    const page = ranked.hits.slice(0, limit)
    const texts = yield* readPage(workspaceId, ranked, page, false)
    const passages = yield* withConversations(workspaceId, view, filter, [...texts])
    return { ...ranked, head, passages, isComplete: texts.size === page.length }
  })

  const search = Effect.fnUntraced(
    function*(query: string, limit: number) {
      const most = Math.min(limit, MOST_PASSAGES)
      const found = yield* retryRead(workspaceId, find(query, most), ({ isComplete }) => isComplete)
      seen.snapshot = found.head.snapshot?.snapshot_id ?? null
      seen.rerankerFailed ||= found.rerankerFailed
      for (const source of found.matched) seen.matched.add(source)
      for (const passage of found.passages) given.add(passage)
      yield* read(found.passages.flatMap(refsAround))
      return {
        passages: found.passages.map((passage): EvidencePassage => ({
          ...passage,
          // Computed lazily, because not every answerer needs it.
          get headings() {
            return given.headingsOf(passage)
          }
        })),
        query: found.query,
        idf: found.idf,
        passageCount: found.chunkCount,
        truncated: found.hits.length > most
      } satisfies Evidence
    },
    Effect.provide(services)
  )

  const first = yield* search(request.query, FIRST)

  /** Compares within the loaded segments only: a narrow range exists to load little. */
  const rangeWarnings = Effect.gen(function*() {
    const { filter, range, view } = yield* current
    if (range.from === -Infinity && range.to === Infinity) return []
    const query = parseQuery(request.query)
    const best = (options: FilterOptions) =>
      searchView(view.parts, query, { ...options, groupBy: "document", limit: 1 })[0]?.score ?? 0
    const outside = best({ ...searchFilter(request, narrowed), outside: range })
    return outside > 0 && outside > best(filter) ? [OUT_OF_RANGE] : []
  }).pipe(
    (warnings) => retryRead(workspaceId, warnings),
    Effect.catchTag("StorageUnavailable", () => Effect.succeed([])),
    Effect.provide(services)
  )

  return {
    source: {
      search: (query, limit) =>
        query === request.query && limit <= FIRST
          ? Effect.succeed({
            ...first,
            passages: first.passages.slice(0, limit),
            truncated: first.truncated || first.passages.length > limit
          })
          : search(query, limit),
      read
    } satisfies EvidenceSource,
    given,
    rangeWarnings,
    /** What the searches so far have met. */
    seen
  }
})
