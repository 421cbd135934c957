/**
 * The views of all workspaces that this process serves.
 *
 * A view is immutable once it was returned. Catching up creates a new one, so that running queries continue with
 * theirs.
 */
import { openSegment, type Segment, type SegmentUnreadable } from "@tributary/retrieval"
import { Context, Effect, Layer, Semaphore } from "effect"
import type { StorageUnavailable } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { DocumentStore } from "../ports/DocumentStore.ts"
import { IndexBuilder } from "../ports/IndexBuilder.ts"
import { type Head, KnowledgeStore, type Snapshot, type Span } from "../ports/KnowledgeStore.ts"
import { SegmentBudget, SegmentCache } from "../ports/SegmentCache.ts"
import { catchUp } from "./catchUp.ts"
import { countLookup } from "./views/contextMetrics.ts"
import { partReader } from "./views/partReader.ts"
import { makeRecovery } from "./views/recovery.ts"
import { openedCopy, type SegmentGone } from "./segments/readSegment.ts"
import { ServedViews } from "./views/ServedViews.ts"
import { EVERYTHING, isViewOf, type Part, restrictToLoaded, unloaded, type View } from "./View.ts"

const segmentIdsOf = (snapshot: Snapshot | null): ReadonlyArray<string> =>
  (snapshot?.segments ?? []).map(({ segment_id }) => segment_id)

export class ContextViews extends Context.Service<ContextViews, {
  /**
   * A view with every change acknowledged before this call, and with as much of the range loaded as fits the budget.
   */
  current(
    workspaceId: WorkspaceId,
    range?: (head: Head) => Span
  ): Effect.Effect<{ readonly head: Head; readonly view: View }, SegmentGone | StorageUnavailable>
  /**
   * Calls `read` for everything of the view in the range, piece by piece: first the loaded segments, then each other
   * one, which is released afterwards. Callers must not keep references to a piece.
   */
  each<A, E, R>(
    workspaceId: WorkspaceId,
    view: View,
    range: Span,
    read: (parts: ReadonlyArray<Part>) => Effect.Effect<A, E, R>
  ): Effect.Effect<ReadonlyArray<A>, E | SegmentGone | StorageUnavailable, R>
  /** A segment of the view's snapshot with its mask. Do not keep it for long. */
  part(workspaceId: WorkspaceId, view: View, segmentId: string): Effect.Effect<Part, SegmentGone | StorageUnavailable>
  /** The snapshot that queries of this process read, if any. */
  loaded(workspaceId: WorkspaceId): Effect.Effect<Snapshot | null>
  /** Adds a segment that this process built, so that it is not read back. */
  adopt(workspaceId: WorkspaceId, segmentId: string, bytes: Uint8Array): Effect.Effect<Segment>
  /**
   * Prepares a retry after a failed read. Damaged copies are read from the store again. A context whose stored segment
   * is unreadable or missing is served from the documents if they fit the budget, and rebuilt unless a later release
   * wrote it.
   */
  recover(workspaceId: WorkspaceId, failure: SegmentGone | SegmentUnreadable): Effect.Effect<void, StorageUnavailable>
  /** Releases segments that the published snapshot does not name, also of workspaces that are not searched. */
  readonly sweep: Effect.Effect<void, StorageUnavailable>
}>()("@tributary/core/ContextViews") {
  static readonly layer = Layer.effect(
    ContextViews,
    Effect.gen(function*() {
      const documents = yield* DocumentStore
      const builder = yield* IndexBuilder
      const knowledge = yield* KnowledgeStore
      const cache = yield* SegmentCache
      const served = new ServedViews(yield* SegmentBudget)
      const { loaded } = served

      const scope = yield* Effect.scope
      const alone = Semaphore.makeUnsafe(1)
      /** Writes to the cache, in their order: no query waits for the disk. At its end the process waits for one. */
      const later = (task: Effect.Effect<void>) =>
        Effect.asVoid(
          Effect.forkIn(alone.withPermit(Effect.uninterruptible(task)), scope, { startImmediately: true })
        )

      const { each, load, part } = yield* partReader(served, later)
      const recover = yield* makeRecovery(served)

      /** The cached view, if it has every change and as much of the range as fits the budget. */
      const cached = (workspaceId: WorkspaceId, head: Head, range: Span) => {
        const view = served.viewOf(workspaceId)
        const isCurrent = isViewOf(view, head.snapshot) && view.changeSeq >= head.change_seq &&
          loaded.admissible(workspaceId, view, range).length === 0
        if (!isCurrent) return null
        loaded.touch(workspaceId, view, range)
        return { head, view }
      }

      /** Updates the cached view, with the workspace's lock. `seen` is the view from before the head was read. */
      const update = Effect.fnUntraced(
        function*(workspaceId: WorkspaceId, head: Head, seen: View | null, range: (head: Head) => Span) {
          const entry = served.of(workspaceId)
          const meanwhile = cached(workspaceId, head, range(head))
          if (meanwhile !== null) return meanwhile
          // The view may meanwhile have become later than the head.
          const latest = entry.view === seen ? head : yield* knowledge.head(workspaceId)
          const before = isViewOf(entry.view, latest.snapshot) ? entry.view : unloaded(latest.snapshot)
          const covering = yield* load(workspaceId, before, range(latest))
          const view = yield* catchUp(workspaceId, covering, latest.change_seq).pipe(
            Effect.provideService(DocumentStore, documents),
            Effect.provideService(IndexBuilder, builder)
          )
          const { snapshot } = view
          if (snapshot !== null && !isViewOf(entry.view, snapshot)) {
            yield* later(cache.retain(workspaceId, segmentIdsOf(snapshot)))
            loaded.retain(workspaceId, segmentIdsOf(snapshot))
          }
          loaded.touch(workspaceId, view, range(latest))
          entry.view = restrictToLoaded(view, (segmentId) => loaded.has(workspaceId, segmentId))
          return { head: latest, view }
        }
      )

      const current = Effect.fnUntraced(
        function*(workspaceId: WorkspaceId, range: (head: Head) => Span = () => EVERYTHING) {
          const seen = served.viewOf(workspaceId)
          const head = yield* knowledge.head(workspaceId)
          const found = cached(workspaceId, head, range(head))
          if (found !== null) return yield* Effect.as(countLookup(found.view, range(head)), found)
          return yield* served.of(workspaceId).lock.withPermit(update(workspaceId, head, seen, range))
        }
      )

      return ContextViews.of({
        current,
        each,
        part,
        loaded: (workspaceId) => Effect.sync(() => served.viewOf(workspaceId)?.snapshot ?? null),
        adopt: Effect.fnUntraced(function*(workspaceId, segmentId, bytes) {
          yield* cache.put(workspaceId, segmentId, bytes)
          // Memory holds only what queries read of a copy, so a rebuild does not load the whole index twice.
          const copy = yield* openedCopy(yield* cache.source(workspaceId, segmentId))
          const segment = copy ?? openSegment(bytes)
          // Do not evict segments in use for segments that are only read ahead.
          if (bytes.length <= loaded.freeBytes) loaded.set(workspaceId, segmentId, segment)
          return segment
        }),
        recover,
        sweep: Effect.gen(function*() {
          for (const workspaceId of new Set([...(yield* cache.workspaces), ...served.workspaces()])) {
            const { change_seq, snapshot } = yield* knowledge.head(workspaceId)
            yield* cache.retain(workspaceId, segmentIdsOf(snapshot))
            // It was erased, or nothing has happened in it.
            if (change_seq === 0) served.forget(workspaceId)
            // A view keeps its files open, so their content remains available.
            const view = served.viewOf(workspaceId)
            if (view === null || isViewOf(view, snapshot)) continue
            loaded.retain(workspaceId, segmentIdsOf(snapshot))
            served.of(workspaceId).view = null
          }
        })
      })
    })
  )
}
