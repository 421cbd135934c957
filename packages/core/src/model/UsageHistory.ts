/** The use of a workspace, by day. */
import { Schema } from "effect"
import { WorkspaceId } from "./Id.ts"
import { CalendarDate } from "./Timestamp.ts"

export const OperationUsage = Schema.Struct({
  /** Its method and path. */
  operation: Schema.String,
  /** How many requests there were, those that were refused included. */
  requests: Schema.Int,
  /** How many of them were refused or failed, by `error_code`. */
  refusals: Schema.Record(Schema.String, Schema.Int),
  /** Milliseconds in which half of those that succeeded began to be answered. Null: none succeeded. */
  p50_ms: Schema.NullOr(Schema.Finite),
  /** The same for 95 of 100. */
  p95_ms: Schema.NullOr(Schema.Finite)
}).annotate({ identifier: "OperationUsage" })
export type OperationUsage = typeof OperationUsage.Type

export const DayUsage = Schema.Struct({
  /** The day, in UTC. */
  day: CalendarDate,
  /** How many documents were stored when the workspace was last used that day. */
  documents: Schema.Int,
  /** How many bytes were stored then. */
  storage: Schema.Int,
  /** What was asked for, the most frequent first. */
  operations: Schema.Array(OperationUsage)
}).annotate({ identifier: "DayUsage" })
export type DayUsage = typeof DayUsage.Type

export const UsageHistory = Schema.Struct({
  workspace_id: WorkspaceId,
  /** Oldest first. Days on which nothing happened are absent. */
  days: Schema.Array(DayUsage)
})
  .annotate({ identifier: "UsageHistory" })
export type UsageHistory = typeof UsageHistory.Type

export const MAX_HISTORY_DAYS = 90
