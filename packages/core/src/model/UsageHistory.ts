/** The use of a workspace, by day. */
import { Schema } from "effect"
import { WorkspaceId } from "./Id.ts"
import { CalendarDate } from "./Timestamp.ts"

export const OperationUsage = Schema.Struct({
  /** A method and a path, such as `POST /v1/knowledge/search`. */
  operation: Schema.String,
  requests: Schema.Int,
  /** How many of them were refused or failed, by `error_code`. */
  refusals: Schema.Record(Schema.String, Schema.Int),
  /** Milliseconds to the head of successful responses; null if there were none. */
  p50_ms: Schema.NullOr(Schema.Finite),
  p95_ms: Schema.NullOr(Schema.Finite)
}).annotate({ identifier: "OperationUsage" })
export type OperationUsage = typeof OperationUsage.Type

export const DayUsage = Schema.Struct({
  /** In UTC. */
  day: CalendarDate,
  /** As of the last use of the workspace that day. */
  documents: Schema.Int,
  /** In bytes. */
  storage: Schema.Int,
  operations: Schema.Array(OperationUsage)
}).annotate({ identifier: "DayUsage" })
export type DayUsage = typeof DayUsage.Type

export const UsageHistory = Schema.Struct({ workspace_id: WorkspaceId, days: Schema.Array(DayUsage) })
  .annotate({ identifier: "UsageHistory" })
export type UsageHistory = typeof UsageHistory.Type

export const MAX_HISTORY_DAYS = 90
