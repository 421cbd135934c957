/** Past syncs of a connection's resources. */
import { Schema } from "effect"
import { ConnectionId, SyncRunId } from "./Id.ts"
import { Timestamp } from "./Timestamp.ts"

const LeftOut = Schema.Struct({
  /** Why, in a sentence. */
  reason: Schema.String,
  /** How many items. */
  items: Schema.Int,
  /** The first five of them. */
  external_ids: Schema.Array(Schema.String)
}).annotate({ identifier: "LeftOutItems" })
export type LeftOut = typeof LeftOut.Type

export const SyncRun = Schema.Struct({
  /** The sync's id. */
  run_id: SyncRunId,
  connection_id: ConnectionId,
  /** What was pulled: a folder, a calendar, a branch. */
  resource: Schema.String,
  /** How it ended. */
  status: Schema.Literals(["completed", "failed", "cancelled"]),
  /** When it began. */
  started_at: Timestamp,
  /** When it ended. */
  ended_at: Timestamp,
  /** How many items were new or had changed. */
  items_ingested: Schema.Int,
  /** How many documents were deleted because they are gone at the source. */
  items_deleted: Schema.Int,
  /** How many are gone at the source and kept here until that is confirmed. */
  deletions_held: Schema.Int,
  /** What this sync did not take in, by reason, the most frequent first. */
  left_out: Schema.Array(LeftOut),
  /** What went wrong, in a sentence. Null: nothing. */
  error: Schema.NullOr(Schema.String),
  /** When the next sync was due by itself. Null: at no time. */
  next_attempt_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "SyncRun" })
export type SyncRun = typeof SyncRun.Type
