/** Custom connectors: the named sources through which a workspace pushes its own data. */
import { Schema } from "effect"
import { ConnectorId } from "./Id.ts"
import { optional } from "./optional.ts"
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
  /** The display name. */
  name: Schema.String,
  /** Part of the `source` of its documents, `custom:<source_name>`. It never changes. */
  source_name: Schema.String,
  /** When it was created. */
  created_at: Timestamp,
  /** Who created it. */
  created_by: Principal,
  /** Whether the connector is active. A deactivated one accepts no items. */
  is_active: Schema.Boolean,
  /** The accepted kinds. Empty: all. */
  accepted_kinds: Schema.Array(Schema.String),
  /** Key/value pairs for every document of the connector. The pairs of an item take precedence. */
  metadata: Schema.Record(Schema.String, Schema.String)
}).annotate({ identifier: "CustomConnector" })
export type Connector = typeof Connector.Type

export const NewConnector = Schema.Struct({
  /** The display name. */
  name: Name,
  /** Unique in the workspace. It is never reused. */
  source_name: SourceName,
  /**
   * The accepted kinds. Empty or null: all.
   * @default []
   */
  accepted_kinds: optional(AcceptedKinds),
  /**
   * Key/value pairs for every document of the connector. The pairs of an item take precedence.
   * @default {}
   */
  metadata: optional(Metadata)
})
export type NewConnector = typeof NewConnector.Type

/** Omitted or null fields stay as they are; others are replaced. */
export const ConnectorPatch = Schema.Struct({
  /** The new name. Absent or null: unchanged. */
  name: optional(Name),
  /** The accepted kinds from now on. Absent or null: unchanged. */
  accepted_kinds: optional(AcceptedKinds),
  /** Replaces the pairs, for later items. Absent or null: unchanged. */
  metadata: optional(Metadata),
  /** False deactivates, true reactivates. Absent or null: unchanged. */
  is_active: optional(Schema.Boolean),
  /** Accepted only if it equals the current one. */
  source_name: optional(Schema.String)
})
export type ConnectorPatch = typeof ConnectorPatch.Type

const PREFIX = "custom:"

/** The `source` of a connector's documents. */
export const sourceOf = (connector: { readonly source_name: string }): string => PREFIX + connector.source_name

/** Whether the document is of a connector, not of a connection. */
export const isPushed = ({ source }: { readonly source: string }): boolean => source.startsWith(PREFIX)

/** Connections have origins, too; their names contain a colon, which names of connectors cannot. */
export const isOrigin = (sourceName: string): boolean => sourceName.includes(":")

/** A workspace holds at most this many connectors, active or not. */
export const MAX_CONNECTORS = 1_000

/** The metadata of all of them has at most this many characters together. */
export const MAX_CONNECTOR_METADATA = 4_000_000
