/**
 * A kind of source to pull from: its configuration, its resources, and how to sync them.
 *
 * A provider keeps no state between calls, except for the cursors that it returns, and secrets that its source replaces.
 */
import { Context, Effect, type Redacted, Schema, SchemaAST, type Stream, Struct } from "effect"
import type { WorkspaceId } from "../model/Id.ts"
import type { FileItem, TypedItem } from "../model/Ingest.ts"
import type { SyncConfig } from "../model/Connection.ts"

/**
 * A document in its current state at the source. Its `external_id` starts with the resource's name and a slash, and is
 * unique in the connection.
 */
export type PulledItem = TypedItem | (FileItem & { readonly external_id: string })

/** What a sync emits, in order. */
export type SyncStep =
  | { readonly _tag: "Upsert"; readonly item: PulledItem }
  /** The source reports that it was deleted. */
  | { readonly _tag: "Delete"; readonly external_id: string }
  /** An item that cannot be ingested (unreadable, too large). It is reported to the user, and the sync continues. */
  | { readonly _tag: "Skipped"; readonly external_id: string; readonly reason: string }
  /**
   * Everything before it may be stored, and a later sync may resume here. `done` of `total` windows, for the progress
   * bar.
   */
  | { readonly _tag: "Checkpoint"; readonly cursor: string; readonly done: number; readonly total: number }
  /** These exist, changed or not; at most 1,000 at a time, in any order. */
  | { readonly _tag: "Listed"; readonly external_ids: ReadonlyArray<string> }
  /**
   * Everything within the window has been listed since this sync began; with `ofAnyAge`, also what is older. Other
   * stored documents are gone, except those whose ids begin with one of `unlisted`: parts of the resource that could
   * not be read.
   */
  | { readonly _tag: "Complete"; readonly ofAnyAge?: boolean; readonly unlisted?: ReadonlyArray<string> }

/** Transient: the network, a rate limit, a server that restarts. */
export class RetryableFailure extends Schema.TaggedError<RetryableFailure>()("RetryableFailure", {
  message: Schema.String,
  /** As the source requested. */
  retry_after_seconds: Schema.optionalKey(Schema.Finite)
}) {}

/** The source refuses these credentials. */
export class CredentialsRefused extends Schema.TaggedError<CredentialsRefused>()("CredentialsRefused", {
  message: Schema.String
}) {}

/** The resource does not exist any more. */
export class SourceGone extends Schema.TaggedError<SourceGone>()("SourceGone", { message: Schema.String }) {}

/** Permanent. */
export class FatalFailure extends Schema.TaggedError<FatalFailure>()("FatalFailure", { message: Schema.String }) {}

/** Messages are shown to users: full sentences, without secrets. */
export type SyncFailure = RetryableFailure | CredentialsRefused | SourceGone | FatalFailure

/** The workspace of the call, for providers whose permissions depend on it. */
export const CurrentWorkspace = Context.Reference<WorkspaceId | null>("@tributary/core/ports/CurrentWorkspace", {
  defaultValue: () => null
})

/**
 * Uses a secret of the call's connection that its source may replace, such as a refresh token. `use` gets the stored
 * value of the field, which may be newer than `known`, the one of the configuration, and returns the value that is
 * stored from then on. It runs again if it fails and the value was replaced meanwhile.
 */
export type ReplaceSecret = <A>(
  field: string,
  known: Redacted.Redacted,
  use: (present: Redacted.Redacted) => Effect.Effect<readonly [A, Redacted.Redacted], SyncFailure>
) => Effect.Effect<A, SyncFailure>

/** By default, nothing is stored. */
export const ReplaceSecret = Context.Reference<ReplaceSecret>("@tributary/core/ports/ReplaceSecret", {
  defaultValue: () => (_field, known, use) => Effect.map(use(known), ([result]) => result)
})

/** One sync of one resource. */
export interface SyncRequest<Config> {
  /** Secrets are `Redacted`. */
  readonly config: Config
  readonly resource: string
  /**
   * The cursor of the last stored checkpoint, or null for the first sync (or after `since` moved back). Versioned by
   * the provider, which treats an unreadable one as null.
   */
  readonly cursor: string | null
  /** How far back the sync goes; null means everything. */
  readonly since: Date | null
}

/** One kind of source: `open` takes a list of them as `providers`. `Config` is what a connection is configured with. */
export interface Provider<Config = unknown> {
  /** In URLs and filters, such as `imap`. Lower-case letters and digits. */
  readonly provider: string
  /** For people, such as `Mail (IMAP)`. */
  readonly name: string
  /**
   * A `Schema.Struct`; clients see its JSON Schema. Fields made by `secret` are write-only, and of fields made by
   * `partlySecret` only a part is read back.
   */
  readonly config: Schema.Codec<Config, unknown>
  /** The settings of a new connection: how far back it goes, and how often it syncs. */
  readonly syncDefaults: SyncConfig
  /** Resources of every connection, which a client may show before connecting. */
  readonly commonResources?: ReadonlyArray<string>
  /** Tries the address and the credentials, and lists the resources. Limited to 30 seconds. */
  resources(config: Config): Effect.Effect<ReadonlyArray<string>, SyncFailure>
  /** Syncs one resource. At most about 1,000 items between two checkpoints. May be interrupted anywhere. */
  sync(request: SyncRequest<Config>): Stream.Stream<SyncStep, SyncFailure>
  /** Whether resources may appear and disappear at the source. Syncs look for them again. */
  resourcesVary?(config: Config): boolean
  /**
   * For sources that can report changes before the next sync is due, in one or more of these resources. Emits each
   * resource once when the watch starts, unless earlier changes may wait for the next scheduled sync, and then whenever
   * it should be synced. Ends if there is nothing to watch.
   */
  changes?(config: Config, resources: ReadonlyArray<string>): Stream.Stream<string, SyncFailure>
}

const SECRET = "secret"
const SHOWN = "shown"

/** A field that is stored encrypted and never read back; decoded it is `Redacted`. */
export const secret = <S extends Schema.Constraint>(value: S) =>
  Schema.RedactedFromValue(value).annotate({ [SECRET]: true })

/**
 * A text that may contain a secret, such as an address with a token. `shown` returns the part that is read back. If
 * that differs from the value, the value is stored as a secret, and sending back the shown part keeps it. `shown` must
 * be idempotent.
 */
export const partlySecret = <S extends Schema.Codec<string, string>>(
  value: S,
  shown: (text: string) => string
): S["Rebuild"] => value.annotate({ [SHOWN]: shown })

interface Described {
  readonly title?: string
  readonly description?: string
}

const fieldsOf = ({ config: { ast } }: Pick<Provider, "config">) => ast._tag === "Objects" ? ast.propertySignatures : []

/** The fields made by `secret`, with their title and description, which the JSON Schema of their encoded form lacks. */
export const secretFields = (provider: Pick<Provider, "config">): ReadonlyMap<string, Described> =>
  new Map(
    fieldsOf(provider).flatMap(({ name, type: { annotations } }) =>
      annotations?.[SECRET] === true
        ? [[String(name), Struct.pick(annotations as Described, ["title", "description"])] as const]
        : []
    )
  )

/** The readable parts of the fields made by `partlySecret`. */
export const shownParts = (provider: Pick<Provider, "config">): ReadonlyMap<string, (text: string) => string> =>
  new Map(
    fieldsOf(provider).flatMap(({ name, type }) => {
      const shown = SchemaAST.resolve(type)?.[SHOWN]
      return shown === undefined ? [] : [[String(name), shown as (text: string) => string] as const]
    })
  )
