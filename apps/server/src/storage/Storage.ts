/** The configured storage. Only the modules of the configured kind are loaded. */
import type { ImportRefused } from "@tributary/core/transfer/ImportRefused"
import type { ExportOptions, ImportOptions, RowCounts } from "@tributary/core/transfer/TransferFormat"
import type { DataDirectoryInUse, DataDirectoryUnusable } from "@tributary/node/DataDirectory"
import type { UnsupportedDatabase } from "@tributary/postgres/UnsupportedDatabase"
import type { DatabaseUnusable } from "@tributary/sqlite/DatabaseUnusable"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { SqlError } from "effect/sql/SqlError"
import type { Storage } from "../settings/StorageSettings.ts"
import { failed, type UsageError } from "../UsageError.ts"
import type { Ports, Store } from "./Store.ts"

type OpenError =
  | DatabaseUnusable
  | DataDirectoryInUse
  | DataDirectoryUnusable
  | SqlError
  | UnsupportedDatabase

/** The driver's message without its prefix; it never contains a password. */
const wordsOf = ({ reason }: SqlError): string => {
  const { cause } = reason
  return cause instanceof Error ? cause.message : reason.message ?? "no reason given"
}

/** The address of the database without user and password. */
const placeOf = (storage: Storage): string =>
  storage.kind === "postgres" ? new URL(Redacted.value(storage.url)).host : "the data directory"

const databaseRefused = (storage: Storage, error: SqlError): UsageError => {
  const place = placeOf(storage)
  const words = wordsOf(error)
  switch (error.reason._tag) {
    case "ConnectionError":
      return failed(`No Postgres answers at ${place} (${words}). Look at TRIBUTARY_DATABASE_URL.`)
    case "AuthenticationError":
      return failed(`The database at ${place} refuses this user and password (${words}).`)
    default:
      return failed(`The database at ${place} cannot be used: ${words}.`)
  }
}

/** A sentence for each error of opening a storage. Nothing was changed then. */
const inOneSentence = (storage: Storage) => (error: OpenError): UsageError =>
  error._tag === "SqlError" ? databaseRefused(storage, error) : failed(error.message)

const failing = <A, E extends OpenError, R>(storage: Storage, layer: Layer.Layer<A, E, R>) =>
  Layer.effectContext(Effect.mapError(Layer.build(layer), inOneSentence(storage)))

/** Every port, and the store. */
export const layer = (storage: Storage): Layer.Layer<Ports | Store, UsageError> =>
  Layer.unwrap(Effect.promise(async () => {
    switch (storage.kind) {
      case "memory":
        return (await import("./Memory.ts")).layer
      case "embedded":
        return failing(storage, (await import("./Embedded.ts")).layer(storage))
      case "postgres":
        return failing(storage, (await import("./Postgres.ts")).layer(storage))
    }
  }))

/** Storage that outlives the process. */
export type DurableStorage = Exclude<Storage, { readonly kind: "memory" }>

const loadEmbedded = Effect.promise(() => import("./Embedded.ts"))
const loadPostgres = Effect.promise(() => import("./Postgres.ts"))

const OPEN_ERRORS: ReadonlySet<string> = new Set<OpenError["_tag"]>([
  "DatabaseUnusable",
  "DataDirectoryInUse",
  "DataDirectoryUnusable",
  "SqlError",
  "UnsupportedDatabase"
])

const isOpenError = <E>(error: E | OpenError): error is OpenError =>
  typeof error === "object" && error !== null && "_tag" in error && OPEN_ERRORS.has(String(error._tag))

const withSentences = <A, E>(storage: DurableStorage, act: Effect.Effect<A, E | OpenError>) =>
  Effect.catchIf(act, isOpenError, (error) => Effect.fail(inOneSentence(storage)(error)))

/** Brings the schema up to date. */
export const migrate = (storage: DurableStorage): Effect.Effect<void, UsageError> =>
  withSentences<void, never>(
    storage,
    storage.kind === "embedded"
      ? Effect.flatMap(loadEmbedded, ({ migrate }) => migrate(storage))
      : Effect.flatMap(loadPostgres, ({ migrate }) => migrate(storage))
  )

export const exportStore = (
  storage: DurableStorage,
  options: ExportOptions<UsageError>
): Effect.Effect<RowCounts, UsageError> =>
  withSentences<RowCounts, UsageError>(
    storage,
    storage.kind === "embedded"
      ? Effect.flatMap(loadEmbedded, ({ exportStore }) => exportStore(storage, options))
      : Effect.flatMap(loadPostgres, ({ exportStore }) => exportStore(storage, options))
  )

export const importStore = (
  storage: DurableStorage,
  options: ImportOptions
): Effect.Effect<RowCounts, ImportRefused | UsageError> =>
  withSentences<RowCounts, ImportRefused>(
    storage,
    storage.kind === "embedded"
      ? Effect.flatMap(loadEmbedded, ({ importStore }) => importStore(storage, options))
      : Effect.flatMap(loadPostgres, ({ importStore }) => importStore(storage, options))
  )

type Embedded = Extract<Storage, { readonly kind: "embedded" }>

/** Copies the database to a new file, also while a server uses it. */
export const backup = (storage: Embedded, file: string): Effect.Effect<void, UsageError> =>
  withSentences<void, never>(storage, Effect.flatMap(loadEmbedded, ({ backup }) => backup(storage, file)))

/** Puts a backup into a data directory without data. */
export const restore = (storage: Embedded, file: string): Effect.Effect<void, UsageError> =>
  withSentences<void, never>(storage, Effect.flatMap(loadEmbedded, ({ restore }) => restore(storage, file)))

/** Problems of the stored bytes. Postgres checks its own, so only its schema is checked. */
export const check = (storage: DurableStorage): Effect.Effect<ReadonlyArray<string>, UsageError> =>
  storage.kind === "embedded"
    ? withSentences<ReadonlyArray<string>, never>(
      storage,
      Effect.flatMap(loadEmbedded, ({ checkIntegrity }) => checkIntegrity(storage))
    )
    : withSentences<ReadonlyArray<string>, never>(
      storage,
      Effect.as(Effect.flatMap(loadPostgres, ({ check }) => check(storage)), [])
    )

/** Its name in the report of a command. */
export const nameOf = (storage: DurableStorage): string =>
  storage.kind === "embedded" ? `the data directory ${storage.directory}` : `schema "${storage.schema}"`
