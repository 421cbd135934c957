/** Custom connectors: the named sources through which a workspace pushes its own data. */
import { Schema } from "effect"
import { ConnectorId } from "./Id.ts"
import { Principal } from "./Principal.ts"
import { Metadata, Name } from "./Text.ts"
import { Timestamp } from "./Timestamp.ts"

/** Part of every event's source, so it never changes. The pattern is not tried on what is too long for it. */
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
  /** Applied to every event; what an item brings along wins. */
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

/** Omitted or null leaves a field as it is; what is given replaces it. */
export const ConnectorPatch = Schema.Struct({
  name: Schema.optionalKey(Schema.NullOr(Name)),
  accepted_kinds: Schema.optionalKey(Schema.NullOr(AcceptedKinds)),
  metadata: Schema.optionalKey(Schema.NullOr(Metadata)),
  is_active: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  /** Accepted only when it equals the present one. */
  source_name: Schema.optionalKey(Schema.NullOr(Schema.String))
})
export type ConnectorPatch = typeof ConnectorPatch.Type

/** What a connector's events carry as their source. */
export const sourceOf = (connector: { readonly source_name: string }): string => `custom:${connector.source_name}`

/** Connections have origins beside the connectors, named with a colon, which no connector's name has. */
export const isOrigin = (sourceName: string): boolean => sourceName.includes(":")

/** A workspace holds at most this many connectors, active or not. */
export const MAX_CONNECTORS = 1_000
