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
import { REDACTED } from "./Violation.ts"

export const SyncConfig = Schema.Struct({
  /** How far back a sync goes. Null: no limit. */
  start: Bound,
  /** The minutes between two syncs. */
  interval_minutes: integer(1, 43_200)
}).annotate({ identifier: "SyncConfig" })
export type SyncConfig = typeof SyncConfig.Type

/** Absent fields stay as they are, or get the provider's default; `start: null` means everything. */
export const SyncConfigPatch = Schema.Struct({
  /** How far back a sync goes. Null: no limit. */
  start: Schema.optionalKey(Bound),
  /** The minutes between two syncs. */
  interval_minutes: optional(integer(1, 43_200))
})
export type SyncConfigPatch = typeof SyncConfigPatch.Type

export const Connection = Schema.Struct({
  connection_id: ConnectionId,
  /** The provider of the source. */
  provider: Schema.String,
  /** The display name. */
  name: Schema.String,
  /** The configuration, without secrets. */
  config: Schema.JsonObject,
  /** How far back and how often it is synced. */
  sync_config: SyncConfig,
  /** What is synced: folders, calendars, branches. */
  resources: Schema.Array(Schema.String),
  /** When it was created. */
  connected_at: Timestamp,
  /** Who created it. */
  created_by: Principal,
  /** `error`: nothing is synced until someone fixes the problem. */
  status: Schema.Literals(["active", "paused", "error"]),
  /** The problem that someone has to fix, in a sentence. Null: none. */
  error: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Connection" })
export type Connection = typeof Connection.Type

/** The `source` of its documents. */
export const sourceOf = ({ connection_id, provider }: Pick<Connection, "connection_id" | "provider">): string =>
  `${provider}:${connection_id}`

/** A sender may put a secret into any field by mistake. */
const Config = Schema.JsonObject.annotate({ [REDACTED]: true })

export const NewConnection = Schema.Struct({
  /** One of the providers of the server. */
  provider: Schema.String,
  /** The display name. */
  name: Name,
  /** The configuration, as the `config_schema` of the provider describes it. */
  config: Config,
  /** How far back and how often to sync. Absent: the defaults of the provider. */
  sync_config: optional(SyncConfigPatch)
})
export type NewConnection = typeof NewConnection.Type

/** Omitted or null leaves a field as it is. */
export const ConnectionPatch = Schema.Struct({
  /** The new name. Absent or null: unchanged. */
  name: optional(Name),
  /** Replaces the configuration. Absent or null: unchanged. */
  config: optional(Config),
  /** How far back and how often to sync. Absent fields stay unchanged. */
  sync_config: optional(SyncConfigPatch),
  /** `paused` stops syncing, `active` resumes it. */
  status: optional(Schema.Literals(["active", "paused"]))
})
export type ConnectionPatch = typeof ConnectionPatch.Type

/** The settings from this sync on. */
export const StartSync = Schema.NullOr(Schema.Struct({
  /** Applies from this sync on. Absent fields stay unchanged. */
  sync_config: optional(SyncConfigPatch)
}))

export type StartSync = typeof StartSync.Type

/**
 * How many connections' secrets are encrypted with the first key now, were already, or cannot be decrypted with any
 * key.
 */
export const Rewrapped = Schema.Struct({
  /** The number of connections whose secrets are now encrypted with the first key. */
  rewrapped: Schema.Int,
  /** The number of connections whose secrets already were. */
  current: Schema.Int,
  /** The number of connections whose secrets no key of the server can decrypt. They stay unchanged. */
  unreadable: Schema.Int
})
export type Rewrapped = typeof Rewrapped.Type

const SkippedItem = Schema.Struct({
  /** The id that the client chose, or a generated one. */
  external_id: Schema.String,
  /** The reason, in a sentence. */
  reason: Schema.String
})

export const SyncState = Schema.Struct({
  connection_id: ConnectionId,
  /** What is synced: a folder, a calendar, a branch. */
  resource: Schema.String,
  /** The state of the current or the last sync. */
  status: Schema.Literals(["pending", "running", "completed", "failed", "cancelled"]),
  /** The number of parts of the sync. It can grow while the sync runs. */
  total_windows: Schema.Int,
  /** The number of completed parts. */
  completed_windows: Schema.Int,
  /** The number of new or changed items, in the current or the last sync. */
  items_ingested: Schema.Int,
  /** The number of documents that were deleted because they are gone at the source. */
  items_deleted: Schema.Int,
  /** The number of stored documents at the end of the last sync. Null: no sync has ended yet. */
  documents: Schema.NullOr(Schema.Int),
  /** The number of documents that are gone at the source and kept until the deletion is confirmed. */
  deletions_held: Schema.Int,
  /** The first 100 items over the caps of the plan. */
  rejected: Schema.Array(RejectedItem),
  /** The first 100 items that could not be ingested. */
  skipped: Schema.Array(SkippedItem),
  /** When a sync last completed. Null: never. */
  last_synced_at: Schema.NullOr(Timestamp),
  /** The error, in a sentence. Null: none. */
  error: Schema.NullOr(Schema.String),
  /** The number of attempts since a sync last completed. */
  attempt: Schema.Int,
  /** When this state was last updated. */
  updated_at: Timestamp
}).annotate({ identifier: "SyncState" })
export type SyncState = typeof SyncState.Type

export const HeldDeletions = Schema.Struct({
  connection_id: ConnectionId,
  /** The number of documents that are gone at the source and kept until the deletion is confirmed. */
  deletions_held: Schema.Int
})
export type HeldDeletions = typeof HeldDeletions.Type

export const ProviderDescription = Schema.Struct({
  /** The name of the provider in connections and filters. */
  provider: Schema.String,
  /** The display name. */
  name: Schema.String,
  /** The resources of every connection. Most providers know them only after connecting. */
  resources: Schema.Array(Schema.String),
  /** JSON Schema of `config`. Fields that are `writeOnly` are secrets. */
  config_schema: Schema.JsonObject,
  /** JSON Schema of `sync_config`, with the defaults. */
  sync_config_schema: Schema.JsonObject
}).annotate({ identifier: "Provider" })
export type ProviderDescription = typeof ProviderDescription.Type

/** A workspace holds at most this many. */
export const MAX_CONNECTIONS = 100

/** A connection pulls at most this many. */
export const MAX_RESOURCES = 1_000
