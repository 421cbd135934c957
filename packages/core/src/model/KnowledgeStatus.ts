/** The state of the knowledge context. */
import { Schema } from "effect"
import { JobId, SnapshotId } from "./Id.ts"
import { Timestamp } from "./Timestamp.ts"

export const KnowledgeStatus = Schema.Struct({
  /** Whether this process has loaded a snapshot. */
  loaded: Schema.Boolean,
  /** Built with the current settings, and no rebuild is due or running. */
  up_to_date: Schema.Boolean,
  latest_snapshot: Schema.NullOr(SnapshotId),
  latest_built_at: Schema.NullOr(Timestamp),
  loaded_snapshot: Schema.NullOr(SnapshotId),
  /** The latest document timestamp in the loaded snapshot. */
  evidence_watermark: Schema.NullOr(Timestamp),
  state: Schema.Literals(["ready", "rebuilding", "refreshing", "failed"]),
  progress: Schema.NullOr(Schema.Struct({ done: Schema.Int, total: Schema.NullOr(Schema.Int) })),
  /** Documents that can be found, but are not yet in the snapshot. */
  pending_documents: Schema.Int,
  error: Schema.NullOr(Schema.String)
}).annotate({ identifier: "KnowledgeStatus" })
export type KnowledgeStatus = typeof KnowledgeStatus.Type

export const RefreshRequest = Schema.Struct({
  delete_old_snapshots: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})
export type RefreshRequest = typeof RefreshRequest.Type

export const RefreshStarted = Schema.Struct({
  task_id: JobId,
  status: Schema.Literal("queued"),
  /** Increases by one per workspace. */
  run_id: Schema.Int,
  snapshots_deleted: Schema.Int
}).annotate({ identifier: "RefreshStarted" })
export type RefreshStarted = typeof RefreshStarted.Type
