/** Custom connectors: the named sources through which a workspace pushes its own data. */
import { Schema } from "effect"
import { ConnectorId } from "./Id.ts"
import { Principal } from "./Principal.ts"
import { Metadata, Name } from "./Text.ts"
import { Timestamp } from "./Timestamp.ts"

/** Part of every event's source, so it never changes. The length is checked before the pattern. */
const SourceName = Schema.String.check(
  Schema.isMinCodePoints(1),
  Schema.isMaxCodePoints(64).abort(),
  Schema.isPattern(/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/u)
)

const AcceptedKinds = Schema.Array(Schema.String.check(Schema.isPattern(/^[a-z][a-z0-9_.-]{0,63}$/u)))
  .check(Schema.isMaxLength(50))

export const Connector = Schema.Struct({
  connector_id: ConnectorId,
  /** A name for people. */
  name: Schema.String,
  /** Never changes. Events carry it as `custom:<source_name>`. */
  source_name: Schema.String,
  /** When it was made. */
  created_at: Timestamp,
  /** Who made it. */
  created_by: Principal,
  /** False once the connector is deactivated. */
  is_active: Schema.Boolean,
  /** The kinds that the connector takes. Empty: every kind. */
  accepted_kinds: Schema.Array(Schema.String),
  /** Key/value pairs applied to every event of the connector. What an item brings along wins. */
  metadata: Schema.Record(Schema.String, Schema.String)
}).annotate({ identifier: "CustomConnector" })
export type Connector = typeof Connector.Type

export const NewConnector = Schema.Struct({
  /** A name for people. */
  name: Name,
  /** Unique in the workspace for ever. */
  source_name: SourceName,
  /** The kinds to take. Empty or null: every kind. */
  accepted_kinds: Schema.optionalKey(Schema.NullOr(AcceptedKinds)),
  /** Key/value pairs applied to every event of the connector. What an item brings along wins. */
  metadata: Schema.optionalKey(Schema.NullOr(Metadata))
})
export type NewConnector = typeof NewConnector.Type

/** Omitted or null fields stay as they are; others are replaced. */
export const ConnectorPatch = Schema.Struct({
  /** The new name. Absent or null: as it is. */
  name: Schema.optionalKey(Schema.NullOr(Name)),
  /** The kinds to take from now on. Absent or null: as they are. */
  accepted_kinds: Schema.optionalKey(Schema.NullOr(AcceptedKinds)),
  /** Replaces the pairs for later items. Absent or null: as they are. */
  metadata: Schema.optionalKey(Schema.NullOr(Metadata)),
  /** False deactivates, true reactivates. Absent or null: as it is. */
  is_active: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  /** Taken only when it is the present one. */
  source_name: Schema.optionalKey(Schema.NullOr(Schema.String))
})
export type ConnectorPatch = typeof ConnectorPatch.Type

/** The `source` of a connector's documents. */
export const sourceOf = (connector: { readonly source_name: string }): string => `custom:${connector.source_name}`

/** Connections have origins, too; their names contain a colon, which names of connectors cannot. */
export const isOrigin = (sourceName: string): boolean => sourceName.includes(":")

/** A workspace holds at most this many connectors, active or not. */
export const MAX_CONNECTORS = 1_000
