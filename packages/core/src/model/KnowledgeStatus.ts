/** The state of the knowledge context. */
import { Schema } from "effect"
import { JobId, SnapshotId } from "./Id.ts"
import { Timestamp } from "./Timestamp.ts"

export const KnowledgeStatus = Schema.Struct({
  /** Whether this process holds a snapshot ready for queries. */
  loaded: Schema.Boolean,
  /** Built with the present settings, and no rebuild due or running. */
  up_to_date: Schema.Boolean,
  /** The published snapshot. Null: none is built yet. */
  latest_snapshot: Schema.NullOr(SnapshotId),
  /** When the published snapshot was built. */
  latest_built_at: Schema.NullOr(Timestamp),
  /** The snapshot that queries are answered from here. */
  loaded_snapshot: Schema.NullOr(SnapshotId),
  /** The latest document timestamp in the loaded snapshot. */
  evidence_watermark: Schema.NullOr(Timestamp),
  /** What is being done to the context. */
  state: Schema.Literals(["ready", "rebuilding", "refreshing", "failed"]),
  /** How far the build is. Null: none is running. */
  progress: Schema.NullOr(Schema.Struct({
    /** Documents that are built in. */
    done: Schema.Int,
    /** Documents there are. Null: not counted yet. */
    total: Schema.NullOr(Schema.Int)
  })),
  /** Documents that are found already, but not yet folded into the snapshot. */
  pending_documents: Schema.Int,
  /** Why the last build failed. Null: it did not. */
  error: Schema.NullOr(Schema.String)
}).annotate({ identifier: "KnowledgeStatus" })
export type KnowledgeStatus = typeof KnowledgeStatus.Type

export const RefreshRequest = Schema.Struct({
  /** Whether the snapshots of earlier rebuilds are dropped. */
  delete_old_snapshots: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})
export type RefreshRequest = typeof RefreshRequest.Type

export const RefreshStarted = Schema.Struct({
  /** The id of the refresh. */
  task_id: JobId,
  /** What has become of it. */
  status: Schema.Literal("queued"),
  /** Grows by one per workspace. */
  run_id: Schema.Int,
  /** How many snapshots of earlier rebuilds were dropped. */
  snapshots_deleted: Schema.Int
}).annotate({ identifier: "RefreshStarted" })
export type RefreshStarted = typeof RefreshStarted.Type
