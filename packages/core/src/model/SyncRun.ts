/** Past syncs of a connection's resources. */
import { Schema } from "effect"
import { ConnectionId, SyncRunId } from "./Id.ts"
import { Timestamp } from "./Timestamp.ts"

const LeftOut = Schema.Struct({
  /** A message for people. */
  reason: Schema.String,
  items: Schema.Int,
  /** The first five. */
  external_ids: Schema.Array(Schema.String)
}).annotate({ identifier: "LeftOutItems" })
export type LeftOut = typeof LeftOut.Type

export const SyncRun = Schema.Struct({
  run_id: SyncRunId,
  connection_id: ConnectionId,
  resource: Schema.String,
  status: Schema.Literals(["completed", "failed", "cancelled"]),
  started_at: Timestamp,
  ended_at: Timestamp,
  /** New or changed. */
  items_ingested: Schema.Int,
  items_deleted: Schema.Int,
  /** Gone at the source, and kept until the deletion is confirmed. */
  deletions_held: Schema.Int,
  /** What this sync did not ingest, by reason. */
  left_out: Schema.Array(LeftOut),
  /** A message for people. */
  error: Schema.NullOr(Schema.String),
  /** Null: none is scheduled. */
  next_attempt_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "SyncRun" })
export type SyncRun = typeof SyncRun.Type
