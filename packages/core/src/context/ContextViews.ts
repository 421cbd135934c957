/**
 * The views of all workspaces that this process serves.
 *
 * A view is immutable once it was returned. Catching up creates a new one, so that running queries continue with
 * theirs.
 */
import { openSegment, type Segment, type SegmentUnreadable } from "@tributary/retrieval"
import { Context, Effect, Layer, Metric, Semaphore } from "effect"
import type { StorageUnavailable } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import type { DocumentStore } from "../ports/DocumentStore.ts"
import { type Head, KnowledgeStore, type Snapshot, type Span } from "../ports/KnowledgeStore.ts"
import { SegmentBudget, SegmentCache } from "../ports/SegmentCache.ts"
import { catchUp } from "./catchUp.ts"
import { LoadedSegments } from "./LoadedSegments.ts"
import { makeRecovery, type Served } from "./recovery.ts"
import { openedCopy, readSegment, SegmentGone } from "./segments/readSegment.ts"
import { isViewOf, lacking, type Part, shownIn, unloaded, type View, within, withLoaded, withOnly } from "./View.ts"

const lookups = Metric.counter("tributary_context_lookups_total", {
  description: "How many requests found the workspace's index in memory, or had to load some of it",
  incremental: true
})
const inMemory = Metric.withAttributes(lookups, { from: "memory" })
const fromStorage = Metric.withAttributes(lookups, { from: "storage" })

/** What does not fit into the budget is read for every query. */
const lookedUp = (view: View, range: Span) =>
  Metric.update(lacking(view, range).length === 0 ? inMemory : fromStorage, 1)

export const EVERYTHING: Span = { from: -Infinity, to: Infinity }

const segmentIdsOf = (snapshot: Snapshot | null): ReadonlyArray<string> =>
  (snapshot?.segments ?? []).map(({ segment_id }) => segment_id)

/** How many segments are loaded at once for a query. */
const LOADED_AT_ONCE = 4

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
      const services = yield* Effect.context<DocumentStore | KnowledgeStore>()
      const knowledge = yield* KnowledgeStore
      const cache = yield* SegmentCache
      const budget = yield* SegmentBudget
      const entries = new Map<WorkspaceId, Served>()

      const scope = yield* Effect.scope
      const alone = Semaphore.makeUnsafe(1)
      /** Writes to the cache, in their order: no query waits for the disk. At its end the process waits for one. */
      const later = (task: Effect.Effect<void>) =>
        Effect.asVoid(
          Effect.forkIn(alone.withPermit(Effect.uninterruptible(task)), scope, { startImmediately: true })
        )

      /** Segments that do not fit are read one at a time, for all queries together. */
      const turn = Semaphore.makeUnsafe(1)

      const loaded = new LoadedSegments(budget, (workspaceId, segmentId) => {
        const entry = entries.get(workspaceId)
        if (entry === undefined || entry.view === null) return
        entry.view = segmentId === null ? null : withOnly(entry.view, (other) => other !== segmentId)
      })

      const entryOf = (workspaceId: WorkspaceId): Served => {
        const entry = entries.get(workspaceId) ?? {
          lock: Semaphore.makeUnsafe(1),
          view: null,
          suspectSnapshotId: null,
          unreadableSnapshotId: null
        }
        entries.set(workspaceId, entry)
        return entry
      }

      const segmentOf = Effect.fnUntraced(
        function*(workspaceId: WorkspaceId, { snapshot }: View, segmentId: string) {
          const isSuspect = entryOf(workspaceId).suspectSnapshotId === snapshot?.snapshot_id
          return loaded.get(workspaceId, segmentId) ??
            (yield* readSegment(workspaceId, segmentId, { isSuspect, later }))
        },
        Effect.provide(services)
      )

      /** Loads the part of the range that fits. */
      const load = Effect.fnUntraced(function*(workspaceId: WorkspaceId, view: View, range: Span) {
        yield* lookedUp(view, range)
        loaded.touch(workspaceId, view, range)
        const missing = loaded.admissible(workspaceId, view, range)
        if (missing.length === 0) return view
        const loadOne = Effect.fnUntraced(function*(segmentId: string) {
          const segment = yield* segmentOf(workspaceId, view, segmentId)
          loaded.set(workspaceId, segmentId, segment)
          return [segmentId, segment] as const
        })
        return withLoaded(
          view,
          new Map(
            yield* Effect.forEach(missing, ({ segment_id }) => loadOne(segment_id), { concurrency: LOADED_AT_ONCE })
          )
        )
      })

      const part = Effect.fnUntraced(function*(workspaceId: WorkspaceId, view: View, segmentId: string) {
        const shown = view.parts.find(({ segment_id }) => segment_id === segmentId)
        if (shown !== undefined) return shown
        const stored = view.snapshot?.segments.find(({ segment_id }) => segment_id === segmentId)
        if (stored === undefined) return yield* new SegmentGone({ segmentId })
        return shownIn(view, stored, yield* segmentOf(workspaceId, view, segmentId))
      })

      const each = Effect.fnUntraced(
        function*<A, E, R>(
          workspaceId: WorkspaceId,
          view: View,
          range: Span,
          read: (parts: ReadonlyArray<Part>) => Effect.Effect<A, E, R>
        ) {
          const results = [yield* read(within(view, range))]
          for (const { segment_id } of lacking(view, range)) {
            const apart = Effect.flatMap(part(workspaceId, view, segment_id), (part) => read([part]))
            results.push(yield* turn.withPermit(apart))
          }
          return results
        }
      )

      const recover = yield* makeRecovery(entryOf, (workspaceId) => loaded.retain(workspaceId, []))

      /** The cached view, if it has every change and as much of the range as fits the budget. */
      const cached = (workspaceId: WorkspaceId, { view }: Served, head: Head, range: Span) => {
        const isCurrent = isViewOf(view, head.snapshot) && view.changeSeq >= head.change_seq &&
          loaded.admissible(workspaceId, view, range).length === 0
        if (!isCurrent) return null
        loaded.touch(workspaceId, view, range)
        return { head, view }
      }

      /** Updates the cached view, with the lock of the entry. `seen` is the view from before the head was read. */
      const update = Effect.fnUntraced(
        function*(
          workspaceId: WorkspaceId,
          entry: Served,
          head: Head,
          seen: View | null,
          range: (head: Head) => Span
        ) {
          const meanwhile = cached(workspaceId, entry, head, range(head))
          if (meanwhile !== null) return meanwhile
          // The view may meanwhile have become later than the head.
          const latest = entry.view === seen ? head : yield* knowledge.head(workspaceId)
          const before = isViewOf(entry.view, latest.snapshot) ? entry.view : unloaded(latest.snapshot)
          const covering = yield* load(workspaceId, before, range(latest))
          const view = yield* catchUp(workspaceId, covering, latest.change_seq)
          const { snapshot } = view
          if (snapshot !== null && !isViewOf(entry.view, snapshot)) {
            yield* later(cache.retain(workspaceId, segmentIdsOf(snapshot)))
            loaded.retain(workspaceId, segmentIdsOf(snapshot))
          }
          loaded.touch(workspaceId, view, range(latest))
          entry.view = withOnly(view, (segmentId) => loaded.has(workspaceId, segmentId))
          return { head: latest, view }
        },
        Effect.provide(services)
      )

      const current = Effect.fnUntraced(
        function*(workspaceId: WorkspaceId, range: (head: Head) => Span = () => EVERYTHING) {
          const entry = entryOf(workspaceId)
          const head = yield* knowledge.head(workspaceId)
          const seen = entry.view
          const found = cached(workspaceId, entry, head, range(head))
          if (found !== null) return yield* Effect.as(lookedUp(found.view, range(head)), found)
          return yield* entry.lock.withPermit(update(workspaceId, entry, head, seen, range))
        }
      )

      return ContextViews.of({
        current,
        each,
        part,
        loaded: (workspaceId) => Effect.sync(() => entries.get(workspaceId)?.view?.snapshot ?? null),
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
          for (const workspaceId of new Set([...(yield* cache.workspaces), ...entries.keys()])) {
            const { snapshot } = yield* knowledge.head(workspaceId)
            yield* cache.retain(workspaceId, segmentIdsOf(snapshot))
            // A view keeps its files open, so their content remains available.
            const view = entries.get(workspaceId)?.view ?? null
            if (view === null || isViewOf(view, snapshot)) continue
            loaded.retain(workspaceId, segmentIdsOf(snapshot))
            entryOf(workspaceId).view = null
          }
        })
      })
    })
  )
}
