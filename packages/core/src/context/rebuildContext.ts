/** Rebuilds the context from everything stored. */
import { type IndexDocument, MAX_SEGMENT_CHUNKS } from "@tributary/retrieval"
import { Clock, Effect, Exit, Fiber, Scope } from "effect"
import { operation } from "../internal/collectedTraces.ts"
import type { Attempt } from "../jobs/runJob.ts"
import { inSlices } from "../scheduling/Slices.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { type Range, resolveRange } from "../model/TemporalRange.ts"
import { DocumentStore, type IndexedDocument } from "../ports/DocumentStore.ts"
import { IndexBuilder, type SegmentDraft } from "../ports/IndexBuilder.ts"
import type { FencingToken } from "../ports/JobStore.ts"
import { KnowledgeStore, type SnapshotSegment, type Span } from "../ports/KnowledgeStore.ts"
import { buildSegments } from "./segments/buildSegments.ts"
import { ContextViews } from "./ContextViews.ts"
import { indexDocuments } from "./indexDocument.ts"
import { retryRead } from "./retryRead.ts"
import { publishSnapshot } from "./publishSnapshot.ts"
import { spanOf } from "./View.ts"

/** How many documents are read at a time. Each page costs a query and a report of the progress. */
const BATCH = 1_000

/** The segment under construction. */
interface Open {
  readonly draft: SegmentDraft
  readonly scope: Scope.Closeable
  readonly chunks: number
  readonly span: Span
}

const withNext = ({ chunks, span, ...same }: Open, { chunks: more, from, to }: IndexDocument): Open => ({
  ...same,
  chunks: chunks + more.length,
  span: { from: Math.min(span.from, from), to: Math.max(span.to, to) }
})

/**
 * The ends of time intervals: segments are cut at the edges of the range, so that ask need not load what is outside.
 */
const stretchOf = ({ from, to }: { readonly from: number; readonly to: number }, moment: number): number =>
  moment < from ? 0 : moment < to ? 1 : 2

/**
 * Documents come sorted by time and are divided into segments by time, which `store` stores. The scope is that of the
 * whole build. Changes after `changeSeq` are left out: a document whose time changes meanwhile would be read twice.
 */
const build = Effect.fnUntraced(function*<E, R>(
  workspaceId: WorkspaceId,
  changeSeq: number,
  range: Range,
  report: Attempt["report"],
  store: (bytes: Uint8Array, span: Span) => Effect.Effect<void, E, R>
) {
  const builder = yield* IndexBuilder
  const documents = yield* DocumentStore
  const whole = yield* Effect.scope
  const total = (yield* documents.meters(workspaceId)).documents
  let open: Open | null = null
  let stored: Effect.Effect<void, E> = Effect.void

  const fits = ({ chunks, span }: Open, next: IndexDocument): boolean =>
    chunks + next.chunks.length <= MAX_SEGMENT_CHUNKS && stretchOf(range, span.from) === stretchOf(range, next.from)

  /** A segment is stored while the next one is built, but never two, because each takes memory. */
  const close = Effect.fnUntraced(function*({ draft, scope, span }: Open) {
    const bytes = yield* draft.finish
    yield* Scope.close(scope, Exit.void)
    yield* stored
    stored = Fiber.join(yield* Effect.forkIn(store(bytes, span), whole))
  })
  const begin = Effect.gen(function*() {
    const scope = yield* Scope.fork(whole)
    return { draft: yield* Scope.provide(builder.draft, scope), scope, chunks: 0, span: spanOf([]) }
  })
  const take = Effect.fnUntraced(function*(page: ReadonlyArray<IndexedDocument>) {
    let run: Array<IndexDocument> = []
    for (const next of yield* inSlices(indexDocuments(page.filter(({ change_seq }) => change_seq <= changeSeq)))) {
      if (open !== null && !fits(open, next)) {
        yield* open.draft.add(run)
        yield* close(open)
        open = null
        run = []
      }
      open = withNext(open ?? (yield* begin), next)
      run.push(next)
    }
    if (open !== null) yield* open.draft.add(run)
  })

  let page = yield* documents.scan(workspaceId, null, BATCH)
  for (let done = 0; page.length > 0;) {
    // Meanwhile the storage reads the next page and records the progress.
    const next = documents.scan(workspaceId, page.at(-1)!, BATCH)
    const progress = report(done, Math.max(done, total))
    const [following] = yield* Effect.all([next, take(page), progress], { concurrency: 3 })
    done += page.length
    page = following
  }
  if (open !== null) yield* close(open)
  yield* stored
})

/** Changes during the rebuild follow its `change_seq`, so the queries and the next refresh index them. */
const rebuild = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, fencingToken: FencingToken, report: Attempt["report"]) {
    const views = yield* ContextViews
    const knowledge = yield* KnowledgeStore
    const { change_seq, chunk_seq, generation, settings } = yield* knowledge.head(workspaceId)
    const range = resolveRange(settings.temporal_settings, yield* Clock.currentTimeMillis)
    const stored = yield* buildSegments(workspaceId)
    const segments: Array<SnapshotSegment> = []
    let latest = -Infinity

    const store = Effect.fnUntraced(function*(bytes: Uint8Array, span: Span) {
      const segment_id = yield* stored.put(bytes)
      const segment = yield* views.adopt(workspaceId, segment_id, bytes)
      segments.push({ segment_id, chunks: segment.chunkCount, bytes: bytes.length, masked: [], span })
      latest = Math.max(latest, segment.latest)
    })

    yield* Effect.scoped(build(workspaceId, change_seq, range, report, store)).pipe(
      Effect.andThen(knowledge.head(workspaceId)),
      Effect.flatMap(({ snapshot: previous }) =>
        publishSnapshot(
          workspaceId,
          { change_seq, chunk_seq, generation, settings, latest, segments },
          { previous, replaces: false, fencingToken }
        )
      ),
      Effect.onError(() => stored.drop)
    )
    // The next query finds it loaded.
    yield* retryRead(workspaceId, views.current(workspaceId))
  }
)

export const rebuildContext = operation("KnowledgeContext.rebuild", rebuild)
