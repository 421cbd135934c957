/** The configured storage. Only the modules of the configured kind are loaded. */
import type { ImportRefused } from "@tributary/core/transfer/ImportRefused"
import type { ExportOptions, ImportOptions } from "@tributary/core/transfer/TransferFormat"
import type { DataDirectoryInUse, DataDirectoryUnusable } from "@tributary/node/DataDirectory"
import type { UnsupportedDatabase } from "@tributary/postgres/UnsupportedDatabase"
import type { BackupFailed } from "@tributary/sqlite/Backup"
import type { DatabaseUnusable } from "@tributary/sqlite/DatabaseUnusable"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { SqlError } from "effect/sql/SqlError"
import type { Storage } from "../settings/StorageSettings.ts"
import { failed, type UsageError } from "../UsageError.ts"
import type { Ports, Store } from "./Store.ts"

type OpenError =
  | BackupFailed
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

type Failure = OpenError | UsageError | ImportRefused

/** A sentence for each error of opening a storage. Nothing was changed then. */
const inOneSentence = (storage: Storage) => <E extends Failure>(error: E): UsageError | Exclude<E, OpenError> => {
  switch (error._tag) {
    case "UsageError":
    case "ImportRefused":
      return error as Exclude<E, OpenError>
    case "SqlError":
      return databaseRefused(storage, error)
    default:
      return failed(error.message)
  }
}

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

type Embedded = Extract<Storage, { readonly kind: "embedded" }>
type Postgres = Extract<Storage, { readonly kind: "postgres" }>

const onStorage = <A, E1 extends Failure, E2 extends Failure>(
  storage: DurableStorage,
  onEmbedded: (module: Effect.Success<typeof loadEmbedded>, storage: Embedded) => Effect.Effect<A, E1>,
  onPostgres: (module: Effect.Success<typeof loadPostgres>, storage: Postgres) => Effect.Effect<A, E2>
) => {
  const act: Effect.Effect<A, E1 | E2> = storage.kind === "embedded"
    ? Effect.flatMap(loadEmbedded, (module) => onEmbedded(module, storage))
    : Effect.flatMap(loadPostgres, (module) => onPostgres(module, storage))
  return Effect.mapError(act, inOneSentence(storage))
}

/** Brings the schema up to date. */
export const migrate = (storage: DurableStorage) =>
  onStorage(storage, ({ migrate }, embedded) => migrate(embedded), ({ migrate }, postgres) => migrate(postgres))

/** Fails unless the schema is of this release. Changes nothing. */
export const requireCurrent = (storage: DurableStorage): Effect.Effect<void, UsageError> =>
  onStorage(
    storage,
    ({ requireCurrent }, embedded) => requireCurrent(embedded),
    ({ requireCurrent }, postgres) => requireCurrent(postgres)
  )

export const exportStore = (storage: DurableStorage, options: ExportOptions<UsageError>) =>
  onStorage(
    storage,
    ({ exportStore }, embedded) => exportStore(embedded, options),
    ({ exportStore }, postgres) => exportStore(postgres, options)
  )

export const importStore = (storage: DurableStorage, options: ImportOptions) =>
  onStorage(
    storage,
    ({ importStore }, embedded) => importStore(embedded, options),
    ({ importStore }, postgres) => importStore(postgres, options)
  )

/** Problems of the stored bytes. Postgres checks its own, so only its schema is checked. */
export const check = (storage: DurableStorage): Effect.Effect<ReadonlyArray<string>, UsageError> =>
  onStorage(
    storage,
    ({ checkIntegrity }, embedded) => checkIntegrity(embedded),
    ({ requireCurrent }, postgres) => Effect.as(requireCurrent(postgres), [])
  )

/** Copies the database to a new file, also while a server uses it. */
export const backup = (storage: Embedded, file: string): Effect.Effect<void, UsageError> =>
  Effect.mapError(Effect.flatMap(loadEmbedded, ({ backup }) => backup(storage, file)), inOneSentence(storage))

/** Puts a backup into a data directory without data. */
export const restore = (storage: Embedded, file: string): Effect.Effect<void, UsageError> =>
  Effect.mapError(Effect.flatMap(loadEmbedded, ({ restore }) => restore(storage, file)), inOneSentence(storage))

/** Its name in the report of a command. */
export const nameOf = (storage: DurableStorage): string =>
  storage.kind === "embedded" ? `the data directory ${storage.directory}` : `schema "${storage.schema}"`
