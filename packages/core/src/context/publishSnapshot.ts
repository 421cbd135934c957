/** Publishes what a build has made. */
import { Clock, Effect, Option } from "effect"
import { StorageUnavailable } from "../model/Error.ts"
import type { SnapshotId, WorkspaceId } from "../model/Id.ts"
import { limitsFor } from "../model/Workspace.ts"
import type { FencingToken } from "../ports/JobStore.ts"
import { KnowledgeStore, type Snapshot } from "../ports/KnowledgeStore.ts"
import { WorkspaceStore } from "../ports/WorkspaceStore.ts"
import { keepVectors } from "../search/keepVectors.ts"
import { VectorSearch } from "../search/VectorSearch.ts"
import { uuid7 } from "../internal/uuid7.ts"

/** How many rebuilds a workspace keeps. */
export const retainedSnapshots = Effect.fnUntraced(function*(workspaceId: WorkspaceId) {
  const workspace = yield* (yield* WorkspaceStore).find(workspaceId)
  return Option.match(workspace, {
    onNone: () => 1,
    onSome: (workspace) => Math.max(1, limitsFor(workspace).snapshots ?? Number.MAX_SAFE_INTEGER)
  })
})

interface Built extends Pick<Snapshot, "change_seq" | "chunk_seq" | "generation" | "settings" | "segments"> {
  /** The latest document timestamp in it, in milliseconds; -Infinity without documents. */
  readonly latest: number
}

// Made once: its stack trace would take a fiftieth of the time of a change of settings.
const SUPERSEDED = Effect.fail(new StorageUnavailable({ cause: "another build was published meanwhile" }))

/** Fails after a concurrent build was published, because its changes may be in neither: the job is then repeated. */
export const publishSnapshot = Effect.fnUntraced(function*(
  workspaceId: WorkspaceId,
  { latest, segments, ...built }: Built,
  { previous, replaces, fencingToken }: {
    readonly previous: Snapshot | null
    /** Whether the previous snapshot is not kept. */
    readonly replaces: boolean
    readonly fencingToken: FencingToken
  }
) {
  const { model } = yield* VectorSearch
  const now = yield* Clock.currentTimeMillis
  const published = yield* (yield* KnowledgeStore).publish(workspaceId, {
    ...built,
    snapshot_id: uuid7<SnapshotId>(now),
    built_at: new Date(now),
    watermark: Number.isFinite(latest) ? new Date(latest) : null,
    segments: [...segments, ...keepVectors(segments, previous, model, now)]
  }, {
    previous: previous?.snapshot_id ?? null,
    replaces,
    keep: yield* retainedSnapshots(workspaceId),
    fencingToken
  })
  if (!published) return yield* SUPERSEDED
})
