/**
 * What follows a failed read of a segment: damaged copies are read from the store again, and a context whose stored
 * segment is unreadable or missing is served from the documents until it is rebuilt.
 */
import { SegmentUnreadable } from "@tributary/retrieval"
import { Clock, Effect } from "effect"
import { StorageUnavailable } from "../../model/Error.ts"
import type { WorkspaceId } from "../../model/Id.ts"
import { KnowledgeStore, type Snapshot } from "../../ports/KnowledgeStore.ts"
import { SegmentBudget } from "../../ports/SegmentCache.ts"
import { rebuildJob } from "../contextJobs.ts"
import type { SegmentGone } from "../segments/readSegment.ts"
import type { ServedViews } from "./ServedViews.ts"
import { isServedFromDocuments, isViewOf, servedFromDocuments, unloaded, type View } from "../View.ts"

/** Why a stored segment cannot be read. */
type Reason = SegmentUnreadable["reason"] | "missing"

export const makeRecovery = Effect.fnUntraced(function*(served: ServedViews) {
  const knowledge = yield* KnowledgeStore
  const budget = yield* SegmentBudget

  const about = (workspaceId: WorkspaceId, details = {}) =>
    Effect.annotateLogs({ workspace_id: workspaceId, ...details })

  const replaceView = (workspaceId: WorkspaceId, view: View | null) => {
    served.loaded.retain(workspaceId, [])
    served.of(workspaceId).view = view
  }

  /** An open copy may be the damaged one: all are opened again. */
  const reloadCopies = Effect.fnUntraced(function*(workspaceId: WorkspaceId, { snapshot_id }: Snapshot) {
    const entry = served.of(workspaceId)
    // Opened after the failed read had started, so it is intact.
    if (entry.suspectSnapshotId === snapshot_id) return
    yield* about(workspaceId)(Effect.logWarning("copy of a segment unreadable, reading all of them again"))
    replaceView(workspaceId, null)
    entry.suspectSnapshotId = snapshot_id
  })

  /** Once for each snapshot. */
  const rebuildUnlessNewer = Effect.fnUntraced(
    function*(workspaceId: WorkspaceId, { snapshot_id }: Snapshot, reason: Reason) {
      const entry = served.of(workspaceId)
      if (entry.unreadableSnapshotId === snapshot_id) return
      if (reason === "newer") {
        // Servers of the later release share the store: they would rebuild what this one had rebuilt, and so on.
        yield* about(workspaceId)(Effect.logWarning("segment of a later release, serving from the documents"))
      } else {
        yield* about(workspaceId, { reason })(
          // Every context, after an upgrade.
          reason === "older"
            ? Effect.logInfo("segment of an earlier release, rebuilding the context")
            : Effect.logWarning("segment unreadable, rebuilding the context")
        )
        yield* knowledge.configure(workspaceId, null, rebuildJob(workspaceId, yield* Clock.currentTimeMillis))
      }
      entry.unreadableSnapshotId = snapshot_id
    }
  )

  /**
   * Takes as much memory as the segments; if that is too much, queries for the unreadable part have to wait for the
   * rebuild.
   */
  const serveDocuments = Effect.fnUntraced(function*(workspaceId: WorkspaceId, snapshot: Snapshot) {
    if (unloaded(snapshot).absent.reduce((sum, { bytes }) => sum + bytes, 0) > budget) {
      return yield* new StorageUnavailable({
        cause: "the context cannot be read, and is too large to be served from the documents"
      })
    }
    const { view } = served.of(workspaceId)
    if (!isViewOf(view, snapshot) || !isServedFromDocuments(view)) {
      replaceView(workspaceId, servedFromDocuments(snapshot))
    }
  })

  const abandon = Effect.fnUntraced(function*(workspaceId: WorkspaceId, snapshot: Snapshot, reason: Reason) {
    yield* rebuildUnlessNewer(workspaceId, snapshot, reason)
    yield* serveDocuments(workspaceId, snapshot)
  })

  return Effect.fnUntraced(function*(workspaceId: WorkspaceId, failure: SegmentGone | SegmentUnreadable) {
    const { snapshot } = yield* knowledge.head(workspaceId)
    // Without a snapshot the retry reads no segments.
    if (snapshot === null) return
    const recover = Effect.suspend(() => {
      if (failure instanceof SegmentUnreadable) {
        return failure.isFetched
          ? reloadCopies(workspaceId, snapshot)
          : abandon(workspaceId, snapshot, failure.reason)
      }
      // A segment that the snapshot does not name was replaced; the retry reads its replacement.
      const isNamed = snapshot.segments.some(({ segment_id }) => segment_id === failure.segmentId)
      return isNamed ? abandon(workspaceId, snapshot, "missing") : Effect.void
    })
    yield* served.of(workspaceId).lock.withPermit(recover)
  })
})
