/** Building the context anew from everything stored. */
import { type IndexDocument, MAX_SEGMENT_CHUNKS } from "@tributary/retrieval"
import { Clock, Effect } from "effect"
import { SnapshotId, type WorkspaceId } from "../model/Id.ts"
import { resolveRange } from "../model/KnowledgeSettings.ts"
import { DocumentStore, type IndexedDocument } from "../ports/DocumentStore.ts"
import { IndexBuilder, IndexUrgency, type MergePart } from "../ports/IndexBuilder.ts"
import { KnowledgeStore, type SnapshotSegment, type Span, type Tenure } from "../ports/KnowledgeStore.ts"
import { buildSegments } from "./buildSegments.ts"
import { ContextViews } from "./ContextViews.ts"
import { Meaning } from "./Meaning.ts"
import { vectorsKept } from "./vectorsKept.ts"
import { indexDocument } from "./indexDocument.ts"
import { packSegments } from "./packSegments.ts"
import { isPublished, retainedSnapshots } from "./refreshContext.ts"
import { uuid7 } from "./uuid7.ts"
import { spanOf, spanOfParts } from "./View.ts"

const BATCH = 500

interface Built extends MergePart {
  readonly chunks: number
  readonly span: Span
}

/** Where a stretch of time ends: at the edges of the range, so that what lies outside need not be loaded for ask. */
const stretchOf = ({ from, to }: { readonly from: number; readonly to: number }, moment: number): number =>
  moment < from ? 0 : moment < to ? 1 : 2

export type Report = (done: number, total: number) => Effect.Effect<void>

/**
 * Documents come in the order of time and are cut into segments along it. What changes while it runs is found again
 * by everyone through the changes after `change_seq`, so the snapshot need not be of one moment.
 */
export const rebuildContext = Effect.fn("KnowledgeContext.rebuild")(
  function*(workspaceId: WorkspaceId, tenure: Tenure, report: Report) {
    const builder = yield* IndexBuilder
    const documents = yield* DocumentStore
    const knowledge = yield* KnowledgeStore
    const views = yield* ContextViews
    const { model } = yield* Meaning
    const head = yield* knowledge.head(workspaceId)
    const range = resolveRange(head.settings.temporal_settings, yield* Clock.currentTimeMillis)
    const total = (yield* documents.meters(workspaceId)).documents
    const stored = yield* buildSegments(workspaceId)
    const segments: Array<SnapshotSegment> = []
    let latest = -Infinity

    /** What was built of the segment that comes next. */
    let open: Array<Built> = []

    const close = Effect.gen(function*() {
      const [first, ...others] = open
      if (first === undefined) return
      const bytes = others.length === 0 ? first.bytes : yield* builder.merge(open)
      const span = spanOfParts(open)!
      open = []
      const segment_id = yield* stored.put(bytes)
      const segment = yield* views.adopt(workspaceId, segment_id, bytes)
      segments.push({ segment_id, chunks: segment.chunkCount, bytes: bytes.length, masked: [], span })
      latest = Math.max(latest, segment.latest)
    })

    const add = Effect.fnUntraced(function*(pack: ReadonlyArray<IndexDocument>) {
      const chunks = pack.reduce((sum, document) => sum + document.chunks.length, 0)
      if (open.reduce((sum, built) => sum + built.chunks, chunks) > MAX_SEGMENT_CHUNKS) yield* close
      open.push({ bytes: yield* builder.build(pack), hidden: [], chunks, span: spanOf(pack) })
    })

    const build = Effect.gen(function*() {
      let waiting: Array<IndexDocument> = []
      const take = Effect.fnUntraced(function*(page: ReadonlyArray<IndexedDocument>) {
        for (const document of page) {
          const next = indexDocument(document)
          const [first] = waiting
          if (first !== undefined && stretchOf(range, first.from) !== stretchOf(range, next.from)) {
            yield* Effect.forEach(packSegments(waiting), add)
            yield* close
            waiting = []
          }
          waiting.push(next)
        }
        // All but the last pack are full.
        const packs = packSegments(waiting)
        yield* Effect.forEach(page.length === 0 ? packs : packs.slice(0, -1), add)
        waiting = [...packs.at(-1) ?? []]
      })
      let page = yield* documents.scan(workspaceId, null, BATCH)
      for (let done = 0; page.length > 0;) {
        // The storage reads the next page while this one is indexed.
        const next = documents.scan(workspaceId, page.at(-1)!, BATCH)
        const [following] = yield* Effect.all([next, take(page)], { concurrency: 2 })
        done += page.length
        yield* report(done, Math.max(done, total))
        page = following
      }
      yield* take([])
      yield* close
    })

    const publish = Effect.gen(function*() {
      const previous = (yield* knowledge.head(workspaceId)).snapshot
      return yield* knowledge.publish(workspaceId, {
        snapshot_id: SnapshotId.make(uuid7(yield* Clock.currentTimeMillis)),
        change_seq: head.change_seq,
        chunk_seq: head.chunk_seq,
        generation: head.generation,
        settings: head.settings,
        built_at: new Date(yield* Clock.currentTimeMillis),
        watermark: Number.isFinite(latest) ? new Date(latest) : null,
        segments: [...segments, ...vectorsKept(segments, previous, model)]
      }, {
        previous: previous?.snapshot_id ?? null,
        replaces: false,
        keep: yield* retainedSnapshots(workspaceId),
        tenure
      })
    })

    const built = Effect.provideService(build, IndexUrgency, "patient")
    yield* Effect.flatMap(Effect.andThen(built, publish), isPublished).pipe(Effect.onError(() => stored.drop))
    // The next query finds it loaded.
    yield* views.current(workspaceId)
  }
)
