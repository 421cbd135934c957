/** Building the context anew from everything stored. */
import type { IndexDocument } from "@tributary/retrieval"
import { Clock, Effect } from "effect"
import { SnapshotId, type WorkspaceId } from "../model/Id.ts"
import { resolveRange } from "../model/KnowledgeSettings.ts"
import { DocumentStore, type IndexedDocument } from "../ports/DocumentStore.ts"
import { IndexBuilder } from "../ports/IndexBuilder.ts"
import { KnowledgeStore, type SnapshotSegment } from "../ports/KnowledgeStore.ts"
import { ContextViews } from "./ContextViews.ts"
import { indexDocument } from "./indexDocument.ts"
import { packSegments } from "./packSegments.ts"
import { isPublished, retainedSnapshots } from "./refreshContext.ts"
import { uuid7 } from "./uuid7.ts"
import { spanOf } from "./View.ts"

const BATCH = 500

/** Where a stretch of time ends: at the edges of the range, so that what lies outside need not be loaded for ask. */
const stretchOf = ({ from, to }: { readonly from: number; readonly to: number }, moment: number): number =>
  moment < from ? 0 : moment < to ? 1 : 2

export type Report = (done: number, total: number) => Effect.Effect<void>

/**
 * Documents come in the order of time and are cut into segments along it. What changes while it runs is found again
 * by everyone through the changes after `change_seq`, so the snapshot need not be of one moment.
 */
export const rebuildContext = Effect.fn("KnowledgeContext.rebuild")(
  function*(workspaceId: WorkspaceId, report: Report) {
    const builder = yield* IndexBuilder
    const documents = yield* DocumentStore
    const knowledge = yield* KnowledgeStore
    const views = yield* ContextViews
    const head = yield* knowledge.head(workspaceId)
    const range = resolveRange(head.settings.temporal_settings, yield* Clock.currentTimeMillis)
    const total = (yield* documents.meters(workspaceId)).documents
    const buildId = uuid7(yield* Clock.currentTimeMillis)
    const segments: Array<SnapshotSegment> = []
    let latest = -Infinity

    const write = Effect.fnUntraced(function*(pack: ReadonlyArray<IndexDocument>) {
      const bytes = yield* builder.build(pack)
      const segment_id = `${buildId}-${segments.length}`
      yield* knowledge.putSegment(workspaceId, segment_id, bytes)
      const { segment } = yield* views.adopt(workspaceId, segment_id, bytes)
      segments.push({
        segment_id,
        chunks: segment.chunkCount,
        bytes: bytes.length,
        masked: [],
        span: spanOf(pack)
      })
      latest = Math.max(latest, segment.latest)
    })

    const build = Effect.gen(function*() {
      let waiting: Array<IndexDocument> = []
      let last: IndexedDocument | null = null
      let done = 0
      while (true) {
        const batch: ReadonlyArray<IndexedDocument> = yield* documents.scan(workspaceId, last, BATCH)
        for (const document of batch) {
          const next = indexDocument(document)
          const [first] = waiting
          if (first !== undefined && stretchOf(range, first.from) !== stretchOf(range, next.from)) {
            yield* Effect.forEach(packSegments(waiting), write)
            waiting = []
          }
          waiting.push(next)
          last = document
        }
        // All but the last pack are full: they are written while the next batch is still unread.
        const packs = packSegments(waiting)
        yield* Effect.forEach(batch.length === 0 ? packs : packs.slice(0, -1), write)
        if (batch.length === 0) return
        waiting = [...packs.at(-1) ?? []]
        done += batch.length
        yield* report(done, Math.max(done, total))
      }
    })

    const publish = Effect.gen(function*() {
      return yield* knowledge.publish(workspaceId, {
        snapshot_id: SnapshotId.make(uuid7(yield* Clock.currentTimeMillis)),
        change_seq: head.change_seq,
        chunk_seq: head.chunk_seq,
        generation: head.generation,
        settings: head.settings,
        built_at: new Date(yield* Clock.currentTimeMillis),
        watermark: Number.isFinite(latest) ? new Date(latest) : null,
        segments
      }, {
        previous: (yield* knowledge.head(workspaceId)).snapshot?.snapshot_id ?? null,
        replaces: false,
        keep: yield* retainedSnapshots(workspaceId)
      })
    })

    yield* Effect.flatMap(Effect.andThen(build, publish), isPublished).pipe(
      Effect.onError(() =>
        Effect.ignore(knowledge.dropSegments(workspaceId, segments.map(({ segment_id }) => segment_id)))
      )
    )
    // The next query finds it loaded.
    yield* views.current(workspaceId)
  }
)
