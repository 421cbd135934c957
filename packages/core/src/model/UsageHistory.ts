/** The use of a workspace, by day. */
import { Schema } from "effect"
import { WorkspaceId } from "./Id.ts"
import { CalendarDate } from "./Timestamp.ts"

export const OperationUsage = Schema.Struct({
  /** The method and the path, such as `POST /v1/knowledge/search`. */
  operation: Schema.String,
  /** The number of requests, including refused ones. */
  requests: Schema.Int,
  /** The number of refused or failed requests, by `error_code`. */
  refusals: Schema.Record(Schema.String, Schema.Int),
  /** The median time until a successful response starts, in milliseconds. Null: none succeeded. */
  p50_ms: Schema.NullOr(Schema.Finite),
  /** The 95th percentile of the same time. */
  p95_ms: Schema.NullOr(Schema.Finite)
}).annotate({ identifier: "OperationUsage" })
export type OperationUsage = typeof OperationUsage.Type

export const DayUsage = Schema.Struct({
  /** The day, in UTC. */
  day: CalendarDate,
  /** The number of documents stored when the workspace was last used that day. */
  documents: Schema.Int,
  /** The bytes stored at that time. */
  storage: Schema.Int,
  /** The operations, the most frequent first. */
  operations: Schema.Array(OperationUsage)
}).annotate({ identifier: "DayUsage" })
export type DayUsage = typeof DayUsage.Type

export const UsageHistory = Schema.Struct({
  workspace_id: WorkspaceId,
  /** The days, oldest first. Days without any use are absent. */
  days: Schema.Array(DayUsage)
})
  .annotate({ identifier: "UsageHistory" })
export type UsageHistory = typeof UsageHistory.Type

export const MAX_HISTORY_DAYS = 90
