/** Finds passages for a question: only in documents in range that pass its filters. */
import { parseQuery } from "@tributary/retrieval"
import { Effect } from "effect"
import { ContextViews } from "../context/ContextViews.ts"
import { retryRead } from "../context/retryRead.ts"
import { servedRange } from "../context/servedRange.ts"
import type { AskRequest } from "../model/Ask.ts"
import type { WorkspaceId } from "../model/Id.ts"
import type { TokenFilter } from "../model/Token.ts"
import type { DocumentStore } from "../ports/DocumentStore.ts"
import { ranker } from "../search/rank.ts"
import { rerankedOnce } from "../search/rerankedOnce.ts"
import { Reranking } from "../search/Reranking.ts"
import { searchFilter } from "../search/searchFilter.ts"
import { sourceFilters } from "../search/filterWarnings.ts"
import { VectorSearch } from "../search/VectorSearch.ts"
import { withConversations } from "./conversations.ts"
import { outOfRangeWarnings } from "./outOfRangeWarnings.ts"

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

/** What queries are served from at `now`, with the filter of the question. */
const servedView = (
  views: ContextViews["Service"],
  workspaceId: WorkspaceId,
  request: AskRequest,
  tokenFilter: TokenFilter | null,
  now: number
) =>
  Effect.map(
    views.current(workspaceId, (head) => servedRange(head, now)),
    ({ head, view }) => {
      const range = servedRange(head, now)
      return { head, view, range, filter: searchFilter(request, tokenFilter, range) }
    }
  )

export const passageFinder = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, request: AskRequest, tokenFilter: TokenFilter | null, now: number) {
    const services = yield* Effect.context<ContextViews | DocumentStore | Reranking | VectorSearch>()
    const served = servedView(yield* ContextViews, workspaceId, request, tokenFilter, now)
    const { model } = yield* Reranking
    const reranker = model === null ? null : rerankedOnce(model)
    const { rank, readPage } = yield* ranker

    const findOnce = Effect.fnUntraced(function*(query: string, limit: number) {
      const { filter, head, range, view } = yield* served
      const semantic = yield* semanticOf(query)
      const ranked = yield* rank(workspaceId, view, {
        query: parseQuery(query),
        filter,
        range,
        groupBy: "chunk",
        limit: limit + 1,
        sources: sourceFilters(request, tokenFilter, range),
        semantic: semantic ?? undefined,
        reranked: reranker === null ? null : { reranker, question: query }
      })
      const page = ranked.hits.slice(0, limit)
      const texts = yield* readPage(workspaceId, ranked, page, false)
      const passages = yield* withConversations(workspaceId, view, filter, [...texts])
      return {
        ...ranked,
        passages,
        snapshot: head.snapshot?.snapshot_id ?? null,
        embedderFailed: semantic === null,
        isComplete: texts.size === page.length
      }
    })

    const rangeWarnings = Effect.map(served, ({ filter, range, view }) => {
      const filters = { inside: filter, anywhere: searchFilter(request, tokenFilter) }
      return outOfRangeWarnings(request.query, view, range, filters)
    })

    return {
      find: (query: string, limit: number) =>
        retryRead(workspaceId, findOnce(query, limit), ({ isComplete }) => isComplete).pipe(Effect.provide(services)),
      rangeWarnings: retryRead(workspaceId, rangeWarnings).pipe(
        Effect.catchTag("StorageUnavailable", () => Effect.succeed([])),
        Effect.provide(services)
      )
    }
  }
)
