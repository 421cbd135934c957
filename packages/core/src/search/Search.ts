/** Search over everything that a workspace stores, in its context or not. */
import { type Hit, parseQuery, type Query, snippet } from "@tributary/retrieval"
import { Clock, Context, Effect, Layer } from "effect"
import { ContextViews } from "../context/ContextViews.ts"
import { VectorSearch } from "./VectorSearch.ts"
import { evidencePage } from "./evidencePage.ts"
import { RERANKER_FAILED } from "./rerankHits.ts"
import { Reranking } from "./Reranking.ts"
import { ranker } from "./rank.ts"
import type { Lookup } from "./searchPieces.ts"
import { searchFilter } from "./searchFilter.ts"
import { retryRead } from "../context/retryRead.ts"
import { servedRange } from "../context/servedRange.ts"
import { filterWarnings, sourceFilters } from "./filterWarnings.ts"
import { BadRequest, StorageUnavailable } from "../model/Error.ts"
import { makeFairShare } from "../scheduling/FairShare.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { overlaps, type Range } from "../model/TemporalRange.ts"
import type { InvalidCursor } from "../model/Page.ts"
import {
  MAX_SEARCH_DEPTH,
  type SearchAnswer,
  searchCursor,
  type SearchRequest,
  type SearchResult,
  shownDigits,
  shownIn
} from "../model/Search.ts"
import type { TokenFilter } from "../model/Token.ts"
import { parseJson } from "../model/parseJson.ts"
import { CurrentTokenFilter } from "../people/CurrentTokenFilter.ts"
import { ConnectionStore } from "../ports/ConnectionStore.ts"
import { ConnectorStore } from "../ports/ConnectorStore.ts"
import type { Passage } from "../ports/DocumentStore.ts"

// The event loop belongs to the process, and so do its shares.
const shareOf = makeFairShare()

const NO_MODEL = "Semantic search needs an embedding model, and none is configured. Use keyword or hybrid."

const MODEL_UNAVAILABLE = "mode: the embedding model does not answer, so only words were searched"

const notYetEmbedded = (passages: number): string =>
  `mode: ${passages} ${
    passages === 1 ? "passage is" : "passages are"
  } found by words only, until the embedding model has read them`

/** The vector of the query, `unavailable` if the model fails, and null without one. */
type Semantic = NonNullable<Lookup["semantic"]> | "unavailable" | null

interface Asked {
  readonly limit: number
  readonly tokenFilter: TokenFilter | null
  readonly now: number
  /** The results of earlier pages. */
  readonly shown: ReadonlySet<string>
  readonly semantic: Semantic
}

const digitsOf = ({ group_by }: SearchRequest) => ({ documentId, ordinal }: Hit): string =>
  shownDigits(documentId, group_by === "chunk" ? ordinal : 0)

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
    ...(request.include_evidence === true ? { evidence: parseJson(passage.payload ?? "null") } : {}),
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
      const connections = yield* ConnectionStore
      const connectors = yield* ConnectorStore
      const { model: reranker } = yield* Reranking
      const vectors = yield* VectorSearch
      const views = yield* ContextViews
      const { rank, readPage } = yield* ranker

      /** The vector of the query; null for keyword search. */
      const semanticQuery = Effect.fnUntraced(function*({ mode = "hybrid", q }: SearchRequest) {
        if (mode === "semantic" && vectors.model === null) return yield* new BadRequest({ message: NO_MODEL })
        if (mode === "keyword" || vectors.model === null) return null
        const alone = mode === "semantic"
        const vector = yield* Effect.catchTag(
          vectors.embedQuery(q),
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
          yield* vectors.queueEmbedding(workspaceId)
          return [notYetEmbedded(missing)]
        }
      )

      // Made once: what a generator of each search refers to would stay in memory until the next full garbage collection.
      const find = Effect.fnUntraced(
        function*(
          workspaceId: WorkspaceId,
          request: SearchRequest,
          { limit, tokenFilter, now, semantic, shown }: Asked
        ) {
          const { head, view } = yield* views.current(workspaceId)
          const range = servedRange(head, now)
          const hasEvidence = request.include_evidence === true
          // One more than the page, to know whether there is a next one.
          const wanted = shown.size + limit + 1
          const ranked = yield* rank(workspaceId, view, {
            query: parseQuery(request.q),
            unfinished: request.q,
            filter: {
              ...searchFilter(request, tokenFilter, request.in_context === true ? range : undefined),
              ...(request.in_context === false ? { outside: range } : {})
            },
            groupBy: request.group_by ?? "document",
            limit: wanted,
            sources: sourceFilters(request, tokenFilter),
            semantic: semantic === "unavailable" || semantic === null ? undefined : semantic,
            reranked: reranker === null || request.mode === "keyword" ? null : { reranker, question: request.q }
          })
          const digits = digitsOf(request)
          const hits = ranked.hits.filter((hit) => !shown.has(digits(hit)))
          const wholePage = hits.slice(0, limit)
          const withoutPayloads = yield* readPage(workspaceId, ranked, wholePage, false)
          const page = hasEvidence ? evidencePage(wholePage, withoutPayloads) : wholePage
          const passages = hasEvidence ? yield* readPage(workspaceId, ranked, page, true) : withoutPayloads
          // Those with the digits of one that was shown are left out, so fewer may remain of all that were wanted.
          const isLast = hits.length === page.length && ranked.hits.length < wanted
          return { ...ranked, range, page, passages, isLast }
        }
      )

      const answer = Effect.fnUntraced(function*(workspaceId: WorkspaceId, request: SearchRequest, semantic: Semantic) {
        const tokenFilter = yield* CurrentTokenFilter
        const cursor = searchCursor(request)
        const shown = shownIn((yield* cursor.decode(request.cursor ?? null)) ?? "")
        const now = yield* Clock.currentTimeMillis
        const limit = Math.min(request.limit ?? 10, MAX_SEARCH_DEPTH - shown.size)
        const { isLast, page, passages, range, ...ranked } = yield* retryRead(
          workspaceId,
          find(workspaceId, request, { limit, tokenFilter, now, semantic, shown }),
          ({ page, passages }) => passages.size === page.length
        )
        // One that changes during each attempt is left to the next page.
        const read = page.filter((hit) => passages.has(hit))
        const results = read.map((hit) => resultOf(request, ranked.query, range, hit, passages.get(hit)!))
        return {
          count: results.length,
          results,
          next_cursor: isLast || shown.size + page.length === MAX_SEARCH_DEPTH
            ? null
            : cursor.encode([...shown, ...(read.length === 0 ? page : read).map(digitsOf(request))].join("")),
          warnings: [
            ...(yield* filterWarnings(
              workspaceId,
              "this workspace",
              request,
              ranked.matched,
              tokenFilter
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
        Effect.provideService(ConnectionStore, connections),
        Effect.provideService(ConnectorStore, connectors),
        Effect.provideService(ContextViews, views)
      )

      return Search.of({ search })
    })
  )
}
