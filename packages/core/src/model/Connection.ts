/** Connections: sources that are pulled on a schedule, and the progress of their resources. */
import { Schema } from "effect"
import { RejectedItem } from "./Error.ts"
import { ConnectionId } from "./Id.ts"
import { integer } from "./Integer.ts"
import { Bound } from "./KnowledgeSettings.ts"
import { optional } from "./optional.ts"
import { Principal } from "./Principal.ts"
import { Name } from "./Text.ts"
import { Timestamp } from "./Timestamp.ts"
import { UNTOLD } from "./Violation.ts"

export const SyncConfig = Schema.Struct({
  /** How far back a sync goes; null: everything. */
  start: Bound,
  /** The time between two syncs. */
  interval_minutes: integer(1, 43_200)
}).annotate({ identifier: "SyncConfig" })
export type SyncConfig = typeof SyncConfig.Type

/** Absent fields stay as they are, or get the provider's default; `start: null` means everything. */
export const SyncConfigPatch = Schema.Struct({
  start: Schema.optionalKey(Bound),
  interval_minutes: optional(integer(1, 43_200))
})
export type SyncConfigPatch = typeof SyncConfigPatch.Type

export const Connection = Schema.Struct({
  connection_id: ConnectionId,
  provider: Schema.String,
  name: Schema.String,
  /** Without secrets. */
  config: Schema.JsonObject,
  sync_config: SyncConfig,
  /** What is pulled: folders, calendars, branches. */
  resources: Schema.Array(Schema.String),
  connected_at: Timestamp,
  created_by: Principal,
  /** `error`: it is not pulled until somebody fixes it. */
  status: Schema.Literals(["active", "paused", "error"]),
  /** A message for people, only with `error`. */
  error: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Connection" })
export type Connection = typeof Connection.Type

/** The `source` of its documents. */
export const sourceOf = ({ connection_id, provider }: Pick<Connection, "connection_id" | "provider">): string =>
  `${provider}:${connection_id}`

/** A sender may put a secret into any field by mistake. */
const Config = Schema.JsonObject.annotate({ [UNTOLD]: true })

export const NewConnection = Schema.Struct({
  provider: Schema.String,
  name: Name,
  config: Config,
  sync_config: optional(SyncConfigPatch)
})
export type NewConnection = typeof NewConnection.Type

/** Omitted or null leaves a field as it is. */
export const ConnectionPatch = Schema.Struct({
  name: optional(Name),
  config: optional(Config),
  sync_config: optional(SyncConfigPatch),
  status: optional(Schema.Literals(["active", "paused"]))
})
export type ConnectionPatch = typeof ConnectionPatch.Type

/** The settings from this sync on. */
export const StartSync = Schema.NullOr(Schema.Struct({ sync_config: optional(SyncConfigPatch) }))

export type StartSync = typeof StartSync.Type

/**
 * How many connections' secrets are encrypted with the first key now, were already, or cannot be decrypted with any
 * key.
 */
export const Rewrapped = Schema.Struct({ rewrapped: Schema.Int, current: Schema.Int, unreadable: Schema.Int })
export type Rewrapped = typeof Rewrapped.Type

const SkippedItem = Schema.Struct({ external_id: Schema.String, reason: Schema.String })

export const SyncState = Schema.Struct({
  connection_id: ConnectionId,
  resource: Schema.String,
  status: Schema.Literals(["pending", "running", "completed", "failed", "cancelled"]),
  total_windows: Schema.Int,
  completed_windows: Schema.Int,
  /** In the current or the last sync; only new or changed items. */
  items_ingested: Schema.Int,
  items_deleted: Schema.Int,
  /** Stored documents at the end of the last sync; null before the first. */
  documents: Schema.NullOr(Schema.Int),
  /** Gone at the source, and kept until the deletion is confirmed. */
  deletions_held: Schema.Int,
  /** The first 100 items over the plan's caps. */
  rejected: Schema.Array(RejectedItem),
  /** The first 100 items that could not be ingested, and why. */
  skipped: Schema.Array(SkippedItem),
  last_synced_at: Schema.NullOr(Timestamp),
  /** A message for people. */
  error: Schema.NullOr(Schema.String),
  /** Attempts since the last success. */
  attempt: Schema.Int,
  updated_at: Timestamp
}).annotate({ identifier: "SyncState" })
export type SyncState = typeof SyncState.Type

export const ProviderDescription = Schema.Struct({
  provider: Schema.String,
  name: Schema.String,
  /** The resources of every connection; most providers know them only after connecting. */
  resources: Schema.Array(Schema.String),
  /** JSON Schemas. */
  config_schema: Schema.JsonObject,
  sync_config_schema: Schema.JsonObject
}).annotate({ identifier: "Provider" })
export type ProviderDescription = typeof ProviderDescription.Type

/** A workspace holds at most this many. */
export const MAX_CONNECTIONS = 100

/** A connection pulls at most this many. */
export const MAX_RESOURCES = 1_000
