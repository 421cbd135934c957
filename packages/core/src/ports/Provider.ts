/**
 * A kind of source that data comes from by itself: what it has to be told, what can be pulled from it, and how.
 *
 * A provider keeps nothing between calls. All that it knows of an earlier sync is the cursor that it made itself.
 */
import { Context, type Effect, Schema, SchemaAST, type Stream } from "effect"
import type { WorkspaceId } from "../model/Id.ts"
import type { FileItem, TypedItem } from "../model/Ingest.ts"
import type { SyncConfig } from "../model/Connection.ts"

/**
 * A document as it is now at the source. Its `external_id` begins with the resource's name and a slash, and is unique in
 * the connection.
 */
export type PulledItem = TypedItem | (FileItem & { readonly external_id: string })

export type SyncStep =
  | { readonly _tag: "Upsert"; readonly item: PulledItem }
  /** Gone from the source: it said so itself. */
  | { readonly _tag: "Delete"; readonly external_id: string }
  /** Something that cannot be taken (unreadable, too large): told to the user, and the sync goes on. */
  | { readonly _tag: "Skipped"; readonly external_id: string; readonly reason: string }
  /** What came before may be stored for good, and a later sync may begin here. `done` of `total` windows, for progress. */
  | { readonly _tag: "Checkpoint"; readonly cursor: string; readonly done: number; readonly total: number }
  /** These are there, changed or not; at most 1,000 at a time, in any order. */
  | { readonly _tag: "Listed"; readonly external_ids: ReadonlyArray<string> }
  /** All that the resource holds within the window was listed since this sync began: what is stored besides is gone. */
  | { readonly _tag: "Complete" }

/** It may pass by itself: the network, a limit on requests, a server that restarts. */
export class RetryableFailure extends Schema.TaggedError<RetryableFailure>()("RetryableFailure", {
  message: Schema.String,
  /** As the source asked for. */
  retry_after_seconds: Schema.optionalKey(Schema.Finite)
}) {}

/** The source knows the address, but not these credentials. */
export class CredentialsRefused extends Schema.TaggedError<CredentialsRefused>()("CredentialsRefused", {
  message: Schema.String
}) {}

/** The resource is there no more. */
export class SourceGone extends Schema.TaggedError<SourceGone>()("SourceGone", { message: Schema.String }) {}

/** It will not pass by itself. */
export class FatalFailure extends Schema.TaggedError<FatalFailure>()("FatalFailure", { message: Schema.String }) {}

/** Messages are shown to people: whole sentences, without secrets. */
export type SyncFailure = RetryableFailure | CredentialsRefused | SourceGone | FatalFailure

/** The workspace on whose behalf a provider is asked, for one that lets some reach what others may not. */
export const PulledFor = Context.Reference<WorkspaceId | null>("@tributary/core/ports/PulledFor", {
  defaultValue: () => null
})

export interface SyncRequest<Config> {
  /** Secrets are `Redacted`. */
  readonly config: Config
  readonly resource: string
  /**
   * Of the last checkpoint stored, or null for the first sync (or after the reach was raised). Versioned by the provider:
   * one that it cannot read is treated as null.
   */
  readonly cursor: string | null
  /** How far back the sync reaches; null means everything. */
  readonly since: Date | null
}

export interface Provider<Config = unknown> {
  /** As in URLs and filters: `imap`. Lower-case letters and digits. */
  readonly provider: string
  /** As people read it: `Mail (IMAP)`. */
  readonly name: string
  /**
   * A `Schema.Struct`; its JSON Schema is what clients are shown. Fields made by `secret` are write-only, and of those
   * made by `partlySecret`, only a part is read back.
   */
  readonly config: Schema.Codec<Config, unknown>
  readonly syncDefaults: SyncConfig
  /** Resources that every connection has, which a client may show before anything is connected. */
  readonly commonResources?: ReadonlyArray<string>
  /** Tries the address and the credentials, and names what can be pulled. It is given 30 seconds. */
  resources(config: Config): Effect.Effect<ReadonlyArray<string>, SyncFailure>
  /** At most 1,000 items or so between two checkpoints. It may be interrupted anywhere. */
  sync(request: SyncRequest<Config>): Stream.Stream<SyncStep, SyncFailure>
  /** Whether resources may come and go at the source. They are looked for again with the syncs. */
  resourcesVary?(config: Config): boolean
  /**
   * Where the source can tell that something changed before its next sync is due: in which of these resources, one or
   * more. Emits each as soon as it watches, unless what happened before may wait for the next sync that is due, and then
   * whenever a sync is worthwhile. Ends when there is nothing to be told.
   */
  changes?(config: Config, resources: ReadonlyArray<string>): Stream.Stream<string, SyncFailure>
}

const SECRET = "secret"
const SHOWN = "shown"

/** A field of a configuration that is kept encrypted and never read back; decoded it is `Redacted`. */
export const secret = <S extends Schema.Constraint>(value: S) =>
  Schema.RedactedFromValue(value).annotate({ [SECRET]: true })

/**
 * A text that may hold a secret, such as an address that lets in the one who knows it. `shown` is the part of a value that
 * is read back: where that is less than the value, the value is kept as a secret is, and sending back what was shown
 * leaves it as it is. `shown` of its own result is that result.
 */
export const partlySecret = <S extends Schema.Codec<string, string>>(
  value: S,
  shown: (text: string) => string
): S["Rebuild"] => value.annotate({ [SHOWN]: shown })

/** The names of the fields that were made by `secret`. */
export const secretFields = ({ config: { ast } }: Pick<Provider, "config">): ReadonlySet<string> =>
  new Set(
    ast._tag === "Objects"
      ? ast.propertySignatures.filter(({ type }) => type.annotations?.[SECRET] === true).map(({ name }) => String(name))
      : []
  )

/** What may be read back of the fields that were made by `partlySecret`. */
export const shownParts = (
  { config: { ast } }: Pick<Provider, "config">
): ReadonlyMap<string, (text: string) => string> =>
  new Map(
    ast._tag === "Objects"
      ? ast.propertySignatures.flatMap(({ name, type }) => {
        const shown = SchemaAST.resolve(type)?.[SHOWN]
        return shown === undefined ? [] : [[String(name), shown as (text: string) => string] as const]
      })
      : []
  )
