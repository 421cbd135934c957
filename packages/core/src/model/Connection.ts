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
  /** How far back a sync reaches. Null: everything. */
  start: Bound,
  /** Minutes between two syncs. */
  interval_minutes: integer(1, 43_200)
}).annotate({ identifier: "SyncConfig" })
export type SyncConfig = typeof SyncConfig.Type

/** Absent fields stay as they are, or get the provider's default; `start: null` means everything. */
export const SyncConfigPatch = Schema.Struct({
  /** How far back a sync reaches. Null: everything. */
  start: Schema.optionalKey(Bound),
  /** Minutes between two syncs. */
  interval_minutes: optional(integer(1, 43_200))
})
export type SyncConfigPatch = typeof SyncConfigPatch.Type

export const Connection = Schema.Struct({
  connection_id: ConnectionId,
  /** What kind of source it is. */
  provider: Schema.String,
  /** A name for people. */
  name: Schema.String,
  /** The configuration of the provider, without secrets. */
  config: Schema.JsonObject,
  /** How far back and how often it is pulled. */
  sync_config: SyncConfig,
  /** What is pulled from it: folders, calendars, branches. */
  resources: Schema.Array(Schema.String),
  /** When it was made. */
  connected_at: Timestamp,
  /** Who made it. */
  created_by: Principal,
  /** `error`: it is not pulled until somebody has seen to it. */
  status: Schema.Literals(["active", "paused", "error"]),
  /** What is wrong, in a sentence. Null: nothing that needs anybody. */
  error: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Connection" })
export type Connection = typeof Connection.Type

/** The `source` of its documents. */
export const sourceOf = ({ connection_id, provider }: Pick<Connection, "connection_id" | "provider">): string =>
  `${provider}:${connection_id}`

/** A sender may put a secret into any field by mistake. */
const Config = Schema.JsonObject.annotate({ [UNTOLD]: true })

export const NewConnection = Schema.Struct({
  /** One of those that the server offers. */
  provider: Schema.String,
  /** A name for people. */
  name: Name,
  /** What the provider has to know; its `config_schema` tells what. */
  config: Config,
  /** How far back and how often to pull. Absent: as the provider has it by default. */
  sync_config: optional(SyncConfigPatch)
})
export type NewConnection = typeof NewConnection.Type

/** Omitted or null leaves a field as it is. */
export const ConnectionPatch = Schema.Struct({
  /** The new name. Absent or null: as it is. */
  name: optional(Name),
  /** Replaces the old one. Absent or null: as it is. */
  config: optional(Config),
  /** How far back and how often to pull. What is absent stays as it is. */
  sync_config: optional(SyncConfigPatch),
  /** `paused` stops the pulling, `active` takes it up again. */
  status: optional(Schema.Literals(["active", "paused"]))
})
export type ConnectionPatch = typeof ConnectionPatch.Type

/** The settings from this sync on. */
export const StartSync = Schema.NullOr(Schema.Struct({
  /** Holds from this sync on. What is absent stays as it is. */
  sync_config: optional(SyncConfigPatch)
}))

export type StartSync = typeof StartSync.Type

/**
 * How many connections' secrets are encrypted with the first key now, were already, or cannot be decrypted with any
 * key.
 */
export const Rewrapped = Schema.Struct({
  /** How many connections' secrets were encrypted with the first key now. */
  rewrapped: Schema.Int,
  /** How many were before. */
  current: Schema.Int,
  /** How many none of the server's keys can read; they stay as they are. */
  unreadable: Schema.Int
})
export type Rewrapped = typeof Rewrapped.Type

const SkippedItem = Schema.Struct({
  /** The id that the client gave the item, or that was made for it. */
  external_id: Schema.String,
  /** Why, in a sentence. */
  reason: Schema.String
})

export const SyncState = Schema.Struct({
  connection_id: ConnectionId,
  /** What is pulled: a folder, a calendar, a branch. */
  resource: Schema.String,
  /** The state of the present or the last sync. */
  status: Schema.Literals(["pending", "running", "completed", "failed", "cancelled"]),
  /** In how many parts it comes. Grows as more is known. */
  total_windows: Schema.Int,
  /** How many of them are stored. */
  completed_windows: Schema.Int,
  /** How many items were new or had changed, in this sync or the last. */
  items_ingested: Schema.Int,
  /** How many documents were deleted because they are gone at the source. */
  items_deleted: Schema.Int,
  /** How many documents of it were stored when its last sync ended. Null: none has ended yet. */
  documents: Schema.NullOr(Schema.Int),
  /** How many are gone at the source and kept here until that is confirmed. */
  deletions_held: Schema.Int,
  /** What did not fit under the plan's caps: the first 100. */
  rejected: Schema.Array(RejectedItem),
  /** What could not be taken: the first 100. */
  skipped: Schema.Array(SkippedItem),
  /** When it last came to its end. Null: never. */
  last_synced_at: Schema.NullOr(Timestamp),
  /** What went wrong, in a sentence. Null: nothing. */
  error: Schema.NullOr(Schema.String),
  /** How many attempts since it last came to its end. */
  attempt: Schema.Int,
  /** When this was noted. */
  updated_at: Timestamp
}).annotate({ identifier: "SyncState" })
export type SyncState = typeof SyncState.Type

export const ProviderDescription = Schema.Struct({
  /** The name by which connections and filters refer to it. */
  provider: Schema.String,
  /** What people call it. */
  name: Schema.String,
  /** Those that every connection of it has. Most providers name them once they are connected. */
  resources: Schema.Array(Schema.String),
  /** JSON Schema of `config`. Fields that are `writeOnly` are secrets. */
  config_schema: Schema.JsonObject,
  /** JSON Schema of `sync_config`, with what holds by default. */
  sync_config_schema: Schema.JsonObject
}).annotate({ identifier: "Provider" })
export type ProviderDescription = typeof ProviderDescription.Type

/** A workspace holds at most this many. */
export const MAX_CONNECTIONS = 100

/** A connection pulls at most this many. */
export const MAX_RESOURCES = 1_000
