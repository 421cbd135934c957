/** Search over everything that a workspace stores, in its context or not. */
import { type Hit, parseQuery, type Query, snippet } from "@tributary/retrieval"
import { Clock, Context, Effect, Layer } from "effect"
import { ContextViews } from "../context/ContextViews.ts"
import { VectorSearch } from "./VectorSearch.ts"
import { RERANKER_FAILED } from "./rerankHits.ts"
import { type Lookup, ranker } from "./rank.ts"
import { searchFilter } from "./searchFilter.ts"
import { retryRead } from "../context/retryRead.ts"
import { servedRange } from "../context/servedRange.ts"
import { sourceFilters, sourceWarnings } from "./sourceWarnings.ts"
import type { View } from "../context/View.ts"
import { BadRequest, StorageUnavailable } from "../model/Error.ts"
import { makeFairShare } from "../scheduling/FairShare.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { overlaps, type Range } from "../model/TemporalRange.ts"
import type { InvalidCursor } from "../model/Page.ts"
import {
  MAX_SEARCH_DEPTH,
  type SearchAnswer,
  searchCursor,
  type SearchPosition,
  type SearchRequest,
  type SearchResult
} from "../model/Search.ts"
import type { TokenFilter } from "../model/Token.ts"
import { Narrowed } from "../people/Narrowed.ts"
import { ConnectorStore } from "../ports/ConnectorStore.ts"
import type { Passage } from "../ports/DocumentStore.ts"
import { Reranker } from "../ports/Reranker.ts"

// The event loop belongs to the process, and so do its shares.
const shareOf = makeFairShare()

const NO_MODEL = "Semantic search needs an embedding model, and none is configured. Use keyword or hybrid."

const MODEL_UNAVAILABLE = "mode: the embedding model does not answer, so only words were searched"

const notYetEmbedded = (passages: number): string =>
  `mode: ${passages} ${
    passages === 1 ? "passage is" : "passages are"
  } found by words only, until the embedding model has read them`

const nameOf = (view: View): string => `${view.snapshot?.snapshot_id ?? "none"}.${view.changeSeq}`

/** Ties are broken by id, so that all pages agree on the order. */
const isAfter = (hit: Hit, position: SearchPosition): boolean =>
  hit.score < position.score || (hit.score === position.score && hit.documentId > position.id)

const offsetOf = (view: View, hits: ReadonlyArray<Hit>, position: SearchPosition | null): number => {
  if (position === null) return 0
  if (position.view === nameOf(view)) return position.offset
  const indexOf = ({ id, ordinal }: Pick<SearchPosition, "id" | "ordinal">) =>
    hits.findIndex((hit) => hit.documentId === id && hit.ordinal === ordinal)
  const last = indexOf(position)
  if (last !== -1) return last + 1
  const following = indexOf(position.next)
  if (following !== -1) return following
  // Scores are of the former view, and change with every document of the workspace.
  const next = hits.findIndex((hit) => isAfter(hit, position))
  return next === -1 ? hits.length : next
}

/** The vector of the query, `unavailable` if the model fails, and null without one. */
type Semantic = NonNullable<Lookup["semantic"]> | "unavailable" | null

interface Asked {
  readonly limit: number
  readonly narrowed: TokenFilter | null
  readonly now: number
  readonly position: SearchPosition | null
  readonly semantic: Semantic
}

const idOf = (hit: Hit) => ({ id: hit.documentId, ordinal: hit.ordinal })

const resultOf = (request: SearchRequest, query: Query, range: Range, hit: Hit, passage: Passage): SearchResult => {
  const { document } = passage
  const { highlights, text } = snippet(passage.text, query)
  return {
    id: document.document_id,
    evidence_type: document.kind,
    score: hit.score,
    snippet: text,
    timestamp: document.timestamp,
    external_id: document.external_id,
    source: document.source,
    title: document.title,
    url: document.url,
    metadata: document.metadata,
    in_context: overlaps(range, document.timestamp.getTime(), (document.ends_at ?? document.timestamp).getTime()),
    highlights,
    ...(request.include_evidence === true ? { evidence: JSON.parse(passage.payload ?? "null") } : {}),
    ...(request.group_by === "chunk"
      ? { chunk: { start: passage.start, end: passage.start + passage.text.length } }
      : {})
  }
}

export class Search extends Context.Service<Search, {
  /**
   * `BadRequest`: semantic search without an embedding model. `StorageUnavailable`: also if its model does not answer.
   */
  search(
    workspaceId: WorkspaceId,
    request: SearchRequest
  ): Effect.Effect<SearchAnswer, BadRequest | InvalidCursor | StorageUnavailable>
}>()("@tributary/core/Search") {
  static readonly layer = Layer.effect(
    Search,
    Effect.gen(function*() {
      const connectors = yield* ConnectorStore
      const reranker = yield* Reranker
      const vectors = yield* VectorSearch
      const views = yield* ContextViews
      const { rank, readPage } = yield* ranker

      /** The vector of the query; null for keyword search. */
      const semanticQuery = Effect.fnUntraced(function*({ mode = "hybrid", q }: SearchRequest) {
        if (mode === "semantic" && vectors.model === null) return yield* new BadRequest({ message: NO_MODEL })
        if (mode === "keyword" || vectors.model === null) return null
        const alone = mode === "semantic"
        const vector = yield* Effect.catchTag(
          vectors.vectorOf(q),
          "ModelUnavailable",
          (cause) =>
            alone
              ? Effect.fail(new StorageUnavailable({ cause }))
              : Effect.as(Effect.logWarning("searching by words alone", cause), null)
        )
        return vector === null ? "unavailable" : { vector, alone }
      })

      const vectorWarnings = Effect.fnUntraced(
        function*(workspaceId: WorkspaceId, missing: number, semantic: Semantic) {
          if (semantic === "unavailable") return [MODEL_UNAVAILABLE]
          if (missing === 0) return []
          yield* vectors.remind(workspaceId)
          return [notYetEmbedded(missing)]
        }
      )

      // Made once: what a generator of each search refers to would stay in memory until the next full garbage collection.
      const find = Effect.fnUntraced(
        function*(
          workspaceId: WorkspaceId,
          request: SearchRequest,
          { limit, narrowed, now, position, semantic }: Asked
        ) {
          const { head, view } = yield* views.current(workspaceId)
          const range = servedRange(head, now)
          const ranked = yield* rank(workspaceId, view, {
            query: parseQuery(request.q),
            unfinished: request.q,
            filter: {
              ...searchFilter(request, narrowed, request.in_context === true ? range : undefined),
              ...(request.in_context === false ? { outside: range } : {})
            },
            groupBy: request.group_by ?? "document",
            // One more than the page, to know whether there is a next one; all if the last result must be found again.
            limit: position === null ? limit + 1 : MAX_SEARCH_DEPTH,
            sources: sourceFilters(request, narrowed),
            semantic: semantic === "unavailable" || semantic === null ? undefined : semantic,
            reranked: reranker === null || request.mode === "keyword" ? null : { reranker, question: request.q }
          })
          const offset = offsetOf(view, ranked.hits, position)
          const page = ranked.hits.slice(offset, Math.min(offset + limit, MAX_SEARCH_DEPTH))
          const passages = yield* readPage(workspaceId, ranked, page, request.include_evidence === true)
          return { ...ranked, view, range, offset, page, passages }
        }
      )

      const answer = Effect.fnUntraced(function*(workspaceId: WorkspaceId, request: SearchRequest, semantic: Semantic) {
        const narrowed = yield* Narrowed
        const position = yield* searchCursor.decode(request.cursor ?? null)
        const now = yield* Clock.currentTimeMillis
        const limit = request.limit ?? 10
        const { hits, offset, page, passages, range, ...ranked } = yield* retryRead(
          workspaceId,
          find(workspaceId, request, { limit, narrowed, now, position, semantic }),
          ({ page, passages }) => passages.size === page.length
        )
        const results = page.flatMap((hit) => {
          const passage = passages.get(hit)
          return passage === undefined ? [] : [resultOf(request, ranked.query, range, hit, passage)]
        })
        const last = page.at(-1)
        const end = offset + page.length
        const next = end < MAX_SEARCH_DEPTH ? hits[end] : undefined
        return {
          count: results.length,
          results,
          next_cursor: last === undefined || next === undefined
            ? null
            : searchCursor.encode({
              view: nameOf(ranked.view),
              offset: end,
              score: last.score,
              ...idOf(last),
              next: idOf(next)
            }),
          warnings: [
            ...(yield* sourceWarnings(
              workspaceId,
              "this workspace",
              request,
              ranked.matched,
              narrowed
            )),
            ...(yield* vectorWarnings(workspaceId, ranked.missing, semantic)),
            ...(ranked.rerankerFailed ? [RERANKER_FAILED] : [])
          ]
        }
      })

      // Unnamed: a name would cost a stack trace and a span per call. Each service by itself: to provide a context copies
      // all services of the process.
      const search = Effect.fnUntraced(
        function*(workspaceId: WorkspaceId, request: SearchRequest) {
          const semantic = yield* semanticQuery(request)
          const answered = answer(workspaceId, request, semantic)
          // A reranking model takes time, but not this process's.
          const isRemote = reranker !== null && request.mode !== "keyword"
          return yield* isRemote ? answered : shareOf(workspaceId)(answered)
        },
        Effect.provideService(ConnectorStore, connectors),
        Effect.provideService(ContextViews, views)
      )

      return Search.of({ search })
    })
  )
}
