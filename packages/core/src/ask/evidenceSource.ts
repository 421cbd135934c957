/**
 * The evidence for one question: only documents in range that pass its filters, remembered so that quotes can be
 * checked.
 */
import { type FilterOptions, parseQuery, searchView, unitsOf } from "@tributary/retrieval"
import { Effect } from "effect"
import { ContextViews } from "../context/ContextViews.ts"
import { retryRead } from "../context/retryRead.ts"
import { servedRange } from "../context/servedRange.ts"
import type { AskRequest } from "../model/Ask.ts"
import type { StorageUnavailable } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { Narrowed } from "../people/Narrowed.ts"
import { type Evidence, type EvidencePassage, type EvidenceSource, type Quote, refsAround } from "../ports/Answerer.ts"
import { DocumentStore, type Passage, type PassageRef } from "../ports/DocumentStore.ts"
import type { Head } from "../ports/KnowledgeStore.ts"
import { Reranker } from "../ports/Reranker.ts"
import { ranker } from "../search/rank.ts"
import { rerankedOnce } from "../search/rerankedOnce.ts"
import { searchFilter } from "../search/searchFilter.ts"
import { sourceFilters } from "../search/sourceWarnings.ts"
import { VectorSearch } from "../search/VectorSearch.ts"
import { withConversations } from "./conversations.ts"

/** How many passages are searched before an answerer asks for more. */
const FIRST = 30

/** The most passages of a search, and of a read. */
const MOST_PASSAGES = 200
const MOST_READ = 1_000

const OUT_OF_RANGE =
  "range: the documents that match best lie outside of the knowledge context's range, which ask does not read"

type Services = ContextViews | DocumentStore | VectorSearch

const versionOf = ({ change_seq, document_id }: Pick<PassageRef, "document_id" | "change_seq">): string =>
  `${document_id} ${change_seq}`

/** Every passage that was returned, by version and ordinal. */
class Given {
  readonly #versions = new Map<string, Map<number, Passage>>()

  add(passage: Passage): void {
    const version = this.#versions.get(versionOf(passage)) ?? new Map<number, Passage>()
    this.#versions.set(versionOf(passage), version.set(passage.ordinal, passage))
  }

  find(ref: PassageRef): Passage | undefined {
    return this.#versions.get(versionOf(ref))?.get(ref.ordinal)
  }

  /** Whether any passage of the version was returned. */
  knows(ref: PassageRef): boolean {
    return this.#versions.has(versionOf(ref))
  }

  /** The passages from the first of them to this one, without gaps. */
  upTo(passage: Passage): ReadonlyArray<Passage> {
    const version = this.#versions.get(versionOf(passage))!
    const run = [passage]
    for (let ordinal = passage.ordinal - 1; version.has(ordinal); ordinal--) run.unshift(version.get(ordinal)!)
    return run
  }

  /** The text of a quote and its document; null if part of it was not returned. */
  quoted(quote: Quote): { readonly text: string; readonly document: Passage["document"] } | null {
    const inOrder = [...this.#versions.get(versionOf(quote))?.values() ?? []].sort((one, other) =>
      one.start - other.start
    )
    const covered = inOrder.filter(({ start, text }) => start < quote.end && start + text.length > quote.start)
    const [first] = covered
    if (first === undefined || first.start > quote.start || quote.start >= quote.end) return null
    let text = ""
    for (const passage of covered) {
      if (passage.start !== first.start + text.length) return null
      text += passage.text
    }
    const from = quote.start - first.start
    const quoted = text.slice(from, quote.end - first.start)
    return quoted.length === quote.end - quote.start ? { text: quoted, document: first.document } : null
  }
}

const headingsOf = (above: ReadonlyArray<Passage>, passage: Passage): ReadonlyArray<string> => {
  const text = above.map((one) => one.text).join("")
  const at = text.length - passage.text.length
  const unit = unitsOf(text).find(({ end }) => end > at)
  return unit?.headings.filter(({ start }) => start < at).map(({ end, start }) => text.slice(start, end)) ?? []
}

export const EMBEDDER_FAILED = "embeddings: the embedding model does not answer, so passages are found by words only"

/** Undefined without an embedding model, null when it fails: passages are then found by words only. */
const semanticOf = Effect.fnUntraced(function*(query: string) {
  const vectors = yield* VectorSearch
  if (vectors.model === null) return undefined
  return yield* vectors.vectorOf(query).pipe(
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
  const given = new Given()
  const matched = new Set<string>()
  let head: Head | null = null
  let rerankerFailed = false
  let embedderFailed = false

  const range = (current: Head) => servedRange(current, now)
  const filter = (current: Head) => searchFilter(request, narrowed, range(current))

  const read = (refs: ReadonlyArray<PassageRef>): Effect.Effect<ReadonlyArray<Passage>, StorageUnavailable> => {
    const wanted = refs.filter((ref) => given.knows(ref)).slice(0, MOST_READ)
    const unknown = wanted.filter((ref) => given.find(ref) === undefined)
    return Effect.map(
      unknown.length === 0 ? Effect.succeed([]) : documents.passages(workspaceId, unknown, false),
      (passages) => {
        for (const passage of passages) given.add(passage)
        return wanted.flatMap((ref) => given.find(ref) ?? [])
      }
    )
  }

  const find = Effect.fnUntraced(function*(query: string, limit: number) {
    const { head, view } = yield* views.current(workspaceId, range)
    const semantic = yield* semanticOf(query)
    embedderFailed ||= semantic === null
    const ranked = yield* rank(workspaceId, view, {
      query: parseQuery(query),
      filter: filter(head),
      range: range(head),
      groupBy: "chunk",
      limit: limit + 1,
      sources: sourceFilters(request, narrowed, range(head)),
      semantic: semantic ?? undefined,
      reranked: reranker === null ? null : { reranker, question: query }
    })
    const page = ranked.hits.slice(0, limit)
    const read = yield* readPage(workspaceId, ranked, page, false)
    const passages = yield* withConversations(workspaceId, view, filter(head), [...read])
    return { ...ranked, head, passages, isComplete: read.size === page.length }
  })

  const look = Effect.fnUntraced(
    function*(query: string, limit: number) {
      const most = Math.min(limit, MOST_PASSAGES)
      const found = yield* retryRead(workspaceId, find(query, most), ({ isComplete }) => isComplete)
      head = found.head
      rerankerFailed ||= found.rerankerFailed
      for (const source of found.matched) matched.add(source)
      for (const passage of found.passages) given.add(passage)
      yield* read(found.passages.flatMap(refsAround))
      return {
        passages: found.passages.map((passage): EvidencePassage => ({
          ...passage,
          // Computed lazily, because not every answerer needs it.
          get headings() {
            return headingsOf(given.upTo(passage), passage)
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

  const first = yield* look(request.query, FIRST)

  /** Compares within the loaded segments only: a narrow range exists to load little. */
  const rangeWarnings = Effect.gen(function*() {
    const { head, view } = yield* views.current(workspaceId, range)
    const within = range(head)
    if (within.from === -Infinity && within.to === Infinity) return []
    const query = parseQuery(request.query)
    const best = (options: FilterOptions) =>
      searchView(view.parts, query, { ...options, groupBy: "document", limit: 1 })[0]?.score ?? 0
    const outside = best({ ...searchFilter(request, narrowed), outside: within })
    return outside > 0 && outside > best(filter(head)) ? [OUT_OF_RANGE] : []
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
          : look(query, limit),
      read
    } satisfies EvidenceSource,
    quoted: (quote: Quote) => given.quoted(quote),
    rangeWarnings,
    /** What the searches so far have returned. */
    seen: () => ({ snapshot: head?.snapshot?.snapshot_id ?? null, matched, rerankerFailed, embedderFailed })
  }
})

export type OpenEvidence = Effect.Success<ReturnType<typeof openEvidence>>
