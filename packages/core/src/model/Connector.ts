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
  name: Schema.String,
  source_name: Schema.String,
  created_at: Timestamp,
  created_by: Principal,
  is_active: Schema.Boolean,
  /** Empty: every kind. */
  accepted_kinds: Schema.Array(Schema.String),
  /** Added to every document; an item's own values take precedence. */
  metadata: Schema.Record(Schema.String, Schema.String)
}).annotate({ identifier: "CustomConnector" })
export type Connector = typeof Connector.Type

export const NewConnector = Schema.Struct({
  name: Name,
  source_name: SourceName,
  accepted_kinds: Schema.optionalKey(Schema.NullOr(AcceptedKinds)),
  metadata: Schema.optionalKey(Schema.NullOr(Metadata))
})
export type NewConnector = typeof NewConnector.Type

/** Omitted or null fields stay as they are; others are replaced. */
export const ConnectorPatch = Schema.Struct({
  name: Schema.optionalKey(Schema.NullOr(Name)),
  accepted_kinds: Schema.optionalKey(Schema.NullOr(AcceptedKinds)),
  metadata: Schema.optionalKey(Schema.NullOr(Metadata)),
  is_active: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  /** Accepted only if it equals the current one. */
  source_name: Schema.optionalKey(Schema.NullOr(Schema.String))
})
export type ConnectorPatch = typeof ConnectorPatch.Type

/** The `source` of a connector's documents. */
export const sourceOf = (connector: { readonly source_name: string }): string => `custom:${connector.source_name}`

/** Connections have origins, too; their names contain a colon, which names of connectors cannot. */
export const isOrigin = (sourceName: string): boolean => sourceName.includes(":")

/** A workspace holds at most this many connectors, active or not. */
export const MAX_CONNECTORS = 1_000
