/** The state of the knowledge context. */
import { Schema } from "effect"
import { JobId, SnapshotId } from "./Id.ts"
import { optional } from "./optional.ts"
import { Timestamp } from "./Timestamp.ts"

export const KnowledgeStatus = Schema.Struct({
  /** Whether this process has loaded a snapshot for queries. */
  loaded: Schema.Boolean,
  /** Whether the context is built with the current settings, and no rebuild is due or running. */
  up_to_date: Schema.Boolean,
  /** The latest published snapshot. Null: none yet. */
  latest_snapshot: Schema.NullOr(SnapshotId),
  /** When the latest published snapshot was built. */
  latest_built_at: Schema.NullOr(Timestamp),
  /** The snapshot that this process answers queries from. */
  loaded_snapshot: Schema.NullOr(SnapshotId),
  /** The latest document timestamp in the loaded snapshot. */
  evidence_watermark: Schema.NullOr(Timestamp),
  /** The state of the context. */
  state: Schema.Literals(["ready", "rebuilding", "refreshing", "failed"]),
  /** The progress of the running build. Null: no build is running. */
  progress: Schema.NullOr(Schema.Struct({
    /** The number of documents processed so far. */
    done: Schema.Int,
    /** The number of all documents. Null: not counted yet. */
    total: Schema.NullOr(Schema.Int)
  })),
  /** The number of documents that search finds already, but that are not in the snapshot yet. */
  pending_documents: Schema.Int,
  /** Why the last build failed, and when it is tried again. Null: it did not fail. */
  error: Schema.NullOr(Schema.String)
}).annotate({ identifier: "KnowledgeStatus" })
export type KnowledgeStatus = typeof KnowledgeStatus.Type

export const RefreshRequest = Schema.Struct({
  /**
   * Whether to delete the snapshots of earlier rebuilds.
   * @default false
   */
  delete_old_snapshots: optional(Schema.Boolean)
})
export type RefreshRequest = typeof RefreshRequest.Type

export const RefreshStarted = Schema.Struct({
  /** The id of the refresh. */
  task_id: JobId,
  /** Always `queued`. */
  status: Schema.Literal("queued"),
  /** Increases by one with every refresh of the workspace. */
  run_id: Schema.Int,
  /** The number of deleted snapshots of earlier rebuilds. */
  snapshots_deleted: Schema.Int
}).annotate({ identifier: "RefreshStarted" })
export type RefreshStarted = typeof RefreshStarted.Type
