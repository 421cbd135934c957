/**
 * What follows a failed read of a segment. Damaged copies are read from the store again; a context whose stored segment
 * is damaged or missing is rebuilt, and meanwhile served from the documents.
 */
import { SegmentUnreadable } from "@tributary/retrieval"
import { Clock, Data, Effect, type Semaphore } from "effect"
import { StorageUnavailable } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { KnowledgeStore, type Snapshot } from "../ports/KnowledgeStore.ts"
import { SegmentBudget } from "../ports/SegmentCache.ts"
import { rebuildJob } from "./contextJobs.ts"
import { isOfDocuments, isViewOf, unloaded, type View } from "./View.ts"

/** A segment of the view is not stored any more, because a newer snapshot was published. */
export class SegmentGone extends Data.TaggedError("SegmentGone")<{ readonly segmentId: string }> {}

/** A workspace that this process serves. */
export interface Served {
  readonly lock: Semaphore.Semaphore
  view: View | null
  /** The last snapshot with a damaged copy: all of its copies are verified completely. */
  suspectSnapshotId: string | null
  /** The last damaged snapshot, which is being rebuilt. */
  damaged: string | null
}

/** `release` drops the loaded segments of a workspace. */
export const makeRecovery = Effect.fnUntraced(function*(
  entryOf: (workspaceId: WorkspaceId) => Served,
  release: (workspaceId: WorkspaceId) => void
) {
  const knowledge = yield* KnowledgeStore
  const budget = yield* SegmentBudget

  const evict = (workspaceId: WorkspaceId): Served => {
    const entry = entryOf(workspaceId)
    release(workspaceId)
    entry.view = null
    return entry
  }

  /** An open copy may be the damaged one: all are opened again. */
  const reloadCopies = Effect.fnUntraced(function*(workspaceId: WorkspaceId, snapshot: Snapshot | null) {
    const entry = entryOf(workspaceId)
    // Opened after the failed read had started, so it is intact.
    if (snapshot !== null && entry.suspectSnapshotId === snapshot.snapshot_id) return
    yield* Effect.logWarning("copy of a segment unreadable, reading all of them again").pipe(
      Effect.annotateLogs({ workspace_id: workspaceId })
    )
    evict(workspaceId).suspectSnapshotId = snapshot?.snapshot_id ?? null
  })

  /** Servers of a later release, which share the store, would rebuild what this one had rebuilt, and so on. */
  const rebuild = Effect.fnUntraced(function*(workspaceId: WorkspaceId, reason: string) {
    const isLater = reason === "newer"
    yield* Effect.logWarning(
      isLater ? "segment of a later release, serving from the documents" : "segment unreadable, rebuilding the context"
    ).pipe(Effect.annotateLogs({ workspace_id: workspaceId, reason }))
    if (isLater) return
    const now = yield* Clock.currentTimeMillis
    yield* knowledge.configure(workspaceId, null, rebuildJob(workspaceId, now))
  })

  /**
   * A snapshot that cannot be read is rebuilt. Until then everything is served from the documents, which takes as
   * much memory as the segments; if that is too much, queries for the damaged part have to wait.
   */
  const serveDocuments = Effect.fnUntraced(
    function*(workspaceId: WorkspaceId, snapshot: Snapshot | null, reason: string) {
      const entry = entryOf(workspaceId)
      // A second call would start another rebuild.
      if (snapshot === null || entry.damaged !== snapshot.snapshot_id) {
        yield* rebuild(workspaceId, reason)
        entry.damaged = snapshot?.snapshot_id ?? null
      }
      if (unloaded(snapshot).absent.reduce((sum, { bytes }) => sum + bytes, 0) > budget) {
        return yield* new StorageUnavailable({
          cause: "the context cannot be read, and is too large to be served from the documents"
        })
      }
      const isServed = isViewOf(entry.view, snapshot) && isOfDocuments(entry.view)
      if (!isServed) evict(workspaceId).view = { ...unloaded(null), snapshot }
    }
  )

  return Effect.fnUntraced(function*(workspaceId: WorkspaceId, failure: SegmentGone | SegmentUnreadable) {
    const { snapshot } = yield* knowledge.head(workspaceId)
    const again = Effect.suspend(() => {
      if (failure instanceof SegmentUnreadable) {
        return failure.isFetched
          ? reloadCopies(workspaceId, snapshot)
          : serveDocuments(workspaceId, snapshot, failure.reason)
      }
      // A segment that no snapshot names was replaced; the retry reads its replacement.
      const isNamed = snapshot?.segments.some(({ segment_id }) => segment_id === failure.segmentId) === true
      return isNamed ? serveDocuments(workspaceId, snapshot, "it is not there") : Effect.void
    })
    yield* entryOf(workspaceId).lock.withPermit(again)
  })
})
