/**
 * The views of all workspaces that this process serves.
 *
 * A view is never changed once it was handed out. Catching up makes a new one beside it, so that a query that is
 * under way goes on with what it began with.
 */
import { SegmentUnreadable } from "@tributary/retrieval"
import { Clock, Context, Effect, Layer, Option, Semaphore } from "effect"
import type { StorageUnavailable } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { DocumentStore } from "../ports/DocumentStore.ts"
import { IndexBuilder } from "../ports/IndexBuilder.ts"
import { type Head, KnowledgeStore, type Snapshot, type Span } from "../ports/KnowledgeStore.ts"
import { SegmentCache } from "../ports/SegmentCache.ts"
import { rebuildJob } from "./contextJobs.ts"
import { indexDocument } from "./indexDocument.ts"
import { packSegments } from "./packSegments.ts"
import {
  advance,
  bytesOf,
  holds,
  lacking,
  mergePart,
  type Opened,
  opened,
  openedWhole,
  type Part,
  spanOf,
  spanOfParts,
  tailPart,
  unloaded,
  type View,
  withLoaded
} from "./View.ts"

/** How many bytes of segments a process keeps loaded; what it served longest ago goes first. */
export const SegmentBudget = Context.Reference<number>("@tributary/core/SegmentBudget", {
  defaultValue: () => 512 * 1024 * 1024
})

/** How many changes are indexed in one step. */
const BATCH = 1_000

/** Parts of the tail are merged when there are more, so that a stream of small ingests stays cheap to search. */
const MAX_TAIL_PARTS = 8

/** A publication between reading the head and its segments makes one more round; they are seconds apart. */
const ROUNDS = 5

const EVERYTHING: Span = { from: -Infinity, to: Infinity }

interface Entry {
  readonly lock: Semaphore.Semaphore
  /** Segments that this process built itself and need not be read back. */
  readonly built: Map<string, Opened>
  view: View | null
}

export class ContextViews extends Context.Service<ContextViews, {
  /**
   * A view that has seen every change answered before this call. With a range, what lies outside of it may be missing:
   * less is loaded.
   */
  current(
    workspaceId: WorkspaceId,
    range?: (head: Head) => Span
  ): Effect.Effect<{ readonly head: Head; readonly view: View }, StorageUnavailable>
  /** The snapshot that queries of this process read now, if any. */
  loaded(workspaceId: WorkspaceId): Effect.Effect<Snapshot | null>
  /** Spares this process the reading back of a segment that it built. */
  adopt(workspaceId: WorkspaceId, segmentId: string, bytes: Uint8Array): Effect.Effect<Opened>
  /** Has the context built anew, and serves it from the documents until then. */
  distrust(workspaceId: WorkspaceId, defect: SegmentUnreadable): Effect.Effect<void, StorageUnavailable>
  /** Lets go of copies of segments that no snapshot names any more. */
  readonly sweep: Effect.Effect<void, StorageUnavailable>
}>()("@tributary/core/ContextViews") {
  static readonly layer = Layer.effect(
    ContextViews,
    Effect.gen(function*() {
      const documents = yield* DocumentStore
      const knowledge = yield* KnowledgeStore
      const builder = yield* IndexBuilder
      const cache = yield* SegmentCache
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
        for (const pack of packSegments(batch)) parts.push(tailPart(yield* builder.build(pack), spanOf(pack)))
        return parts
      })

      /** Throws `SegmentUnreadable` when the stored one is damaged. */
      const read = Effect.fnUntraced(function*(workspaceId: WorkspaceId, segmentId: string) {
        const copy = yield* cache.get(workspaceId, segmentId)
        const intact = copy === null ? null : yield* Effect.sync(() => openedWhole(copy)).pipe(
          Effect.catchDefect((defect) =>
            defect instanceof SegmentUnreadable ? Effect.succeed(null) : Effect.die(defect)
          )
        )
        if (intact !== null) return intact
        const bytes = yield* knowledge.getSegment(workspaceId, segmentId)
        if (Option.isNone(bytes)) return null
        const stored = opened(bytes.value)
        yield* cache.put(workspaceId, segmentId, bytes.value)
        return stored
      })

      /** Loads what lies in the range. Null when a segment is gone: the published snapshot has moved on. */
      const load = Effect.fnUntraced(function*(workspaceId: WorkspaceId, entry: Entry, view: View, range: Span) {
        const known = new Map<string | null, Opened>(entry.view?.parts.map((part) => [part.segment_id, part]))
        const loaded = new Map<string, Opened>()
        for (const { segment_id } of lacking(view, range)) {
          const segment = known.get(segment_id) ?? entry.built.get(segment_id) ?? (yield* read(workspaceId, segment_id))
          if (segment === null) return null
          loaded.set(segment_id, segment)
        }
        return loaded.size === 0 ? view : withLoaded(view, loaded)
      })

      /** A snapshot that cannot be read is built anew; until then everything is served from the documents. */
      const withoutSegments = Effect.fnUntraced(function*(workspaceId: WorkspaceId, view: View, reason: string) {
        yield* Effect.logWarning("segment unreadable, rebuilding the context").pipe(
          Effect.annotateLogs({ workspace_id: workspaceId, reason })
        )
        const now = yield* Clock.currentTimeMillis
        yield* knowledge.configure(workspaceId, null, rebuildJob(workspaceId, now))
        return { ...unloaded(null), snapshot: view.snapshot }
      })

      const compactTail = Effect.fnUntraced(function*(view: View) {
        const tail = view.parts.filter((part) => part.segment_id === null)
        if (tail.length <= MAX_TAIL_PARTS) return view
        const bytes = yield* builder.merge(tail.map(mergePart))
        const stored = view.parts.filter((part) => part.segment_id !== null)
        return { ...view, parts: [...stored, tailPart(bytes, spanOfParts(tail))] }
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

      const readHead = Effect.fnUntraced(
        function*(workspaceId: WorkspaceId, entry: Entry, range: (head: Head) => Span) {
          for (let round = 1;; round++) {
            const head = yield* knowledge.head(workspaceId)
            const isSame = entry.view !== null && entry.view.snapshot?.snapshot_id === head.snapshot?.snapshot_id
            const begun = isSame ? entry.view! : unloaded(head.snapshot)
            const view = yield* load(workspaceId, entry, begun, range(head)).pipe(
              Effect.catchDefect((defect) =>
                defect instanceof SegmentUnreadable
                  ? withoutSegments(workspaceId, begun, defect.reason)
                  : Effect.die(defect)
              )
            )
            if (view !== null) return { head, view }
            if (round === ROUNDS) return { head, view: yield* withoutSegments(workspaceId, begun, "it is not there") }
          }
        }
      )

      const current = Effect.fnUntraced(
        function*(workspaceId: WorkspaceId, range: (head: Head) => Span = () => EVERYTHING) {
          const entry = entryOf(workspaceId)
          const head = yield* knowledge.head(workspaceId)
          const sufficient = () => {
            const { view } = entry
            const isCurrent = view !== null && view.snapshot?.snapshot_id === head.snapshot?.snapshot_id &&
              view.changeSeq >= head.change_seq && lacking(view, range(head)).length === 0
            return isCurrent ? { head, view } : null
          }
          const before = sufficient()
          if (before !== null) return before
          return yield* entry.lock.withPermit(Effect.gen(function*() {
            const meanwhile = sufficient()
            if (meanwhile !== null) return meanwhile
            const latest = yield* readHead(workspaceId, entry, range)
            const view = yield* Effect.catchDefect(
              catchUp(workspaceId, latest.view, latest.head.change_seq),
              (defect) =>
                defect instanceof SegmentUnreadable
                  ? Effect.flatMap(withoutSegments(workspaceId, latest.view, defect.reason), (empty) =>
                    catchUp(workspaceId, empty, latest.head.change_seq))
                  : Effect.die(defect)
            )
            const { snapshot } = view
            if (snapshot !== null && snapshot.snapshot_id !== entry.view?.snapshot?.snapshot_id) {
              yield* cache.retain(workspaceId, snapshot.segments.map(({ segment_id }) => segment_id))
            }
            entry.view = view
            entry.built.clear()
            evict(workspaceId)
            return { head: latest.head, view }
          }))
        }
      )

      return ContextViews.of({
        current,
        loaded: (workspaceId) => Effect.sync(() => entries.get(workspaceId)?.view?.snapshot ?? null),
        adopt: Effect.fnUntraced(function*(workspaceId, segmentId, bytes) {
          const segment = opened(bytes)
          const { built } = entryOf(workspaceId)
          const held = [...built.values()].reduce((sum, other) => sum + other.bytes.length, bytes.length)
          if (held <= budget) built.set(segmentId, segment)
          yield* cache.put(workspaceId, segmentId, bytes)
          return segment
        }),
        distrust: Effect.fnUntraced(function*(workspaceId, { reason }) {
          const entry = entryOf(workspaceId)
          entry.built.clear()
          entry.view = yield* withoutSegments(workspaceId, entry.view ?? unloaded(null), reason)
          // A copy may be what is damaged.
          yield* cache.retain(workspaceId, [])
        }),
        sweep: Effect.flatMap(
          cache.workspaces,
          (workspaces) =>
            Effect.forEach(
              workspaces,
              (workspaceId) =>
                Effect.flatMap(knowledge.head(workspaceId), ({ snapshot }) =>
                  cache.retain(
                    workspaceId,
                    (snapshot?.segments ?? []).map(({ segment_id }) => segment_id)
                  )),
              { discard: true }
            )
        )
      })
    })
  )
}
