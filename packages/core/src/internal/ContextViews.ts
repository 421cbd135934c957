/**
 * The views of all workspaces that this process serves.
 *
 * A view is never changed once it was handed out. Catching up makes a new one beside it, so that a query that is
 * under way goes on with what it began with.
 */
import { Mask, openSegment, type Segment, SegmentUnreadable } from "@tributary/retrieval"
import { Clock, Context, Effect, Layer, Option, Semaphore } from "effect"
import { StorageUnavailable } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { DocumentStore } from "../ports/DocumentStore.ts"
import { IndexBuilder } from "../ports/IndexBuilder.ts"
import { type Head, KnowledgeStore, type Snapshot } from "../ports/KnowledgeStore.ts"
import { rebuildJob } from "./contextJobs.ts"
import { indexDocument } from "./indexDocument.ts"
import { packSegments } from "./packSegments.ts"
import { advance, bytesOf, holds, type Part, type View } from "./View.ts"

/** How many bytes of segments a process keeps loaded; what it served longest ago goes first. */
export const SegmentBudget = Context.Reference<number>("@tributary/core/SegmentBudget", {
  defaultValue: () => 512 * 1024 * 1024
})

/** How many changes are indexed in one step. */
const BATCH = 200

/** Parts of the tail are merged when there are more, so that a stream of small ingests stays cheap to search. */
const MAX_TAIL_PARTS = 8

interface Entry {
  readonly lock: Semaphore.Semaphore
  /** Segments that this process built itself and need not be read back. */
  readonly built: Map<string, Segment>
  view: View | null
}

export class ContextViews extends Context.Service<ContextViews, {
  /** A view that has seen every change answered before this call. */
  current(workspaceId: WorkspaceId): Effect.Effect<{ readonly head: Head; readonly view: View }, StorageUnavailable>
  /** The snapshot that queries of this process read now, if any. */
  loaded(workspaceId: WorkspaceId): Effect.Effect<Snapshot | null>
  /** Spares this process the reading back of a segment that it built. */
  adopt(workspaceId: WorkspaceId, segmentId: string, bytes: Uint8Array): Effect.Effect<Segment>
}>()("@tributary/core/ContextViews") {
  static readonly layer = Layer.effect(
    ContextViews,
    Effect.gen(function*() {
      const documents = yield* DocumentStore
      const knowledge = yield* KnowledgeStore
      const builder = yield* IndexBuilder
      const budget = yield* SegmentBudget
      const entries = new Map<WorkspaceId, Entry>()

      const entryOf = (workspaceId: WorkspaceId): Entry => {
        const entry = entries.get(workspaceId) ?? { lock: Semaphore.makeUnsafe(1), built: new Map(), view: null }
        entries.delete(workspaceId)
        entries.set(workspaceId, entry)
        return entry
      }

      const evict = (keep: WorkspaceId) => {
        let total = 0
        for (const entry of entries.values()) total += entry.view === null ? 0 : bytesOf(entry.view)
        for (const [workspaceId, entry] of entries) {
          if (total <= budget || workspaceId === keep) continue
          total -= entry.view === null ? 0 : bytesOf(entry.view)
          entry.view = null
          entry.built.clear()
        }
      }

      const build = Effect.fnUntraced(function*(batch: Parameters<typeof packSegments>[0]) {
        const parts: Array<Part> = []
        for (const pack of packSegments(batch)) {
          const segment = openSegment(yield* builder.build(pack))
          parts.push({ segment, mask: new Mask(segment), segment_id: null })
        }
        return parts
      })

      /** Null when a segment is gone: the published snapshot has moved on. */
      const load = Effect.fnUntraced(function*(workspaceId: WorkspaceId, entry: Entry, snapshot: Snapshot) {
        const known = new Map(entry.view?.parts.map((part) => [part.segment_id, part.segment]))
        const parts: Array<Part> = []
        for (const { masked, segment_id } of snapshot.segments) {
          let segment = known.get(segment_id) ?? entry.built.get(segment_id)
          if (segment === undefined) {
            const bytes = yield* knowledge.getSegment(workspaceId, segment_id)
            if (Option.isNone(bytes)) return null
            segment = openSegment(bytes.value)
          }
          parts.push({ segment, mask: new Mask(segment, masked), segment_id })
        }
        return parts
      })

      /** A snapshot that cannot be read is built anew; until then everything is served from the documents. */
      const loadOrRebuild = (workspaceId: WorkspaceId, entry: Entry, snapshot: Snapshot) =>
        load(workspaceId, entry, snapshot).pipe(
          Effect.map((parts): View | null =>
            parts === null ? null : { snapshot, parts, changeSeq: snapshot.change_seq }
          ),
          Effect.catchDefect((defect) => {
            if (!(defect instanceof SegmentUnreadable)) return Effect.die(defect)
            return Effect.gen(function*() {
              yield* Effect.logWarning("segment unreadable, rebuilding the context").pipe(
                Effect.annotateLogs({ workspace_id: workspaceId, reason: defect.reason })
              )
              const now = yield* Clock.currentTimeMillis
              yield* knowledge.configure(workspaceId, null, rebuildJob(workspaceId, now))
              return { snapshot, parts: [], changeSeq: 0 } satisfies View
            })
          })
        )

      const compactTail = Effect.fnUntraced(function*(view: View) {
        const tail = view.parts.filter((part) => part.segment_id === null)
        if (tail.length <= MAX_TAIL_PARTS) return view
        const segment = openSegment(yield* builder.merge(tail))
        const stored = view.parts.filter((part) => part.segment_id !== null)
        return { ...view, parts: [...stored, { segment, mask: new Mask(segment), segment_id: null }] }
      })

      const catchUp = Effect.fnUntraced(function*(workspaceId: WorkspaceId, from: View, changeSeq: number) {
        let view = from
        while (view.changeSeq < changeSeq) {
          const changes = yield* documents.changes(workspaceId, view.changeSeq, BATCH)
          if (changes.length === 0) break
          const fresh = changes.flatMap((change) =>
            change.document === null || holds(view, change) ? [] : [indexDocument(change.document)]
          )
          view = yield* compactTail(advance(view, changes, yield* build(fresh)))
        }
        return view
      })

      const readSnapshot = Effect.fnUntraced(function*(workspaceId: WorkspaceId, entry: Entry) {
        // A publication between reading the head and its segments makes one more round; they are seconds apart.
        for (let round = 0; round < 5; round++) {
          const head = yield* knowledge.head(workspaceId)
          const base = entry.view !== null && entry.view.snapshot?.snapshot_id === head.snapshot?.snapshot_id
            ? entry.view
            : head.snapshot === null
            ? { snapshot: null, parts: [], changeSeq: 0 }
            : yield* loadOrRebuild(workspaceId, entry, head.snapshot)
          if (base !== null) return { head, base }
        }
        return yield* new StorageUnavailable({ cause: "the published snapshot keeps moving" })
      })

      const current = Effect.fnUntraced(function*(workspaceId: WorkspaceId) {
        const entry = entryOf(workspaceId)
        const head = yield* knowledge.head(workspaceId)
        const isCurrent = (view: View | null): view is View =>
          view !== null && view.snapshot?.snapshot_id === head.snapshot?.snapshot_id &&
          view.changeSeq >= head.change_seq
        if (isCurrent(entry.view)) return { head, view: entry.view }
        return yield* entry.lock.withPermit(Effect.gen(function*() {
          if (isCurrent(entry.view)) return { head, view: entry.view }
          const latest = yield* readSnapshot(workspaceId, entry)
          const view = yield* catchUp(workspaceId, latest.base, latest.head.change_seq)
          entry.view = view
          entry.built.clear()
          evict(workspaceId)
          return { head: latest.head, view }
        }))
      })

      return ContextViews.of({
        current,
        loaded: (workspaceId) => Effect.sync(() => entries.get(workspaceId)?.view?.snapshot ?? null),
        adopt: (workspaceId, segmentId, bytes) =>
          Effect.sync(() => {
            const segment = openSegment(bytes)
            entryOf(workspaceId).built.set(segmentId, segment)
            return segment
          })
      })
    })
  )
}
