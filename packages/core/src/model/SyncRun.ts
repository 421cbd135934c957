/** Past syncs of a connection's resources. */
import { Schema } from "effect"
import { ConnectionId, SyncRunId } from "./Id.ts"
import { Timestamp } from "./Timestamp.ts"

const LeftOut = Schema.Struct({
  /** The reason, in a sentence. */
  reason: Schema.String,
  /** The number of items. */
  items: Schema.Int,
  /** The external ids of the first five. */
  external_ids: Schema.Array(Schema.String)
}).annotate({ identifier: "LeftOutItems" })
export type LeftOut = typeof LeftOut.Type

export const SyncRun = Schema.Struct({
  /** The sync's id. */
  run_id: SyncRunId,
  connection_id: ConnectionId,
  /** What was synced: a folder, a calendar, a branch. */
  resource: Schema.String,
  /** How it ended. */
  status: Schema.Literals(["completed", "failed", "cancelled"]),
  /** When it started. */
  started_at: Timestamp,
  /** When it ended. */
  ended_at: Timestamp,
  /** The number of new or changed items. */
  items_ingested: Schema.Int,
  /** The number of documents that were deleted because they are gone at the source. */
  items_deleted: Schema.Int,
  /** The number of documents that are gone at the source and kept until the deletion is confirmed. */
  deletions_held: Schema.Int,
  /** The items that were not ingested, by reason, the most frequent first. */
  left_out: Schema.Array(LeftOut),
  /** The error, in a sentence. Null: none. */
  error: Schema.NullOr(Schema.String),
  /** When the next automatic sync was due. Null: none was scheduled. */
  next_attempt_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "SyncRun" })
export type SyncRun = typeof SyncRun.Type
