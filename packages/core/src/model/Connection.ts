/** Connections: configured sources that are pulled on a schedule, and how far the pulling of each of their resources is. */
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
  /** How far back a sync reaches; null: everything. */
  start: Bound,
  /** The time between two syncs. */
  interval_minutes: integer(1, 43_200)
}).annotate({ identifier: "SyncConfig" })
export type SyncConfig = typeof SyncConfig.Type

/** What is absent stays as it is, or as the provider has it by default; `start: null` means everything. */
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
  /** `error`: it is not pulled until someone has seen to it. */
  status: Schema.Literals(["active", "paused", "error"]),
  /** A sentence for people, with `error` alone. */
  error: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Connection" })
export type Connection = typeof Connection.Type

/** The source of what it delivers. */
export const sourceOf = ({ connection_id, provider }: Pick<Connection, "connection_id" | "provider">): string =>
  `${provider}:${connection_id}`

/** A secret may stand in any field of it, where its sender was mistaken. */
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

/** What holds from this sync on. */
export const StartSync = Schema.NullOr(Schema.Struct({ sync_config: optional(SyncConfigPatch) }))

export type StartSync = typeof StartSync.Type

/** How many connections' secrets the first key seals now, sealed before, or cannot seal since no key opens them. */
export const Rewrapped = Schema.Struct({ rewrapped: Schema.Int, current: Schema.Int, unreadable: Schema.Int })
export type Rewrapped = typeof Rewrapped.Type

const SkippedItem = Schema.Struct({ external_id: Schema.String, reason: Schema.String })

export const SyncState = Schema.Struct({
  connection_id: ConnectionId,
  resource: Schema.String,
  status: Schema.Literals(["pending", "running", "completed", "failed", "cancelled"]),
  total_windows: Schema.Int,
  completed_windows: Schema.Int,
  /** By the present sync, or the last one; only what was new or had changed. */
  items_ingested: Schema.Int,
  items_deleted: Schema.Int,
  /** Stored of it when the last sync ended; null before the first has. */
  documents: Schema.NullOr(Schema.Int),
  /** Gone at the source, and kept here until that is confirmed. */
  deletions_held: Schema.Int,
  /** What did not fit under the plan's caps: the first 100. */
  rejected: Schema.Array(RejectedItem),
  /** What could not be taken, and why: the first 100. */
  skipped: Schema.Array(SkippedItem),
  last_synced_at: Schema.NullOr(Timestamp),
  /** A sentence for people. */
  error: Schema.NullOr(Schema.String),
  /** Attempts since the last success. */
  attempt: Schema.Int,
  updated_at: Timestamp
}).annotate({ identifier: "SyncState" })
export type SyncState = typeof SyncState.Type

export const ProviderDescription = Schema.Struct({
  provider: Schema.String,
  name: Schema.String,
  /** Those that every connection of it has; most name theirs once they are connected. */
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
