/** An SQLite database in the data directory, which also has the socket for commands. */
import * as MemoryRateWindows from "@tributary/memory/MemoryRateWindows"
import { OperatorLog } from "@tributary/core/OperatorLog"
import type { ExportOptions, ImportOptions } from "@tributary/core/transfer/TransferFormat"
import * as ControlChannel from "@tributary/node/ControlChannel"
import { DataDirectory, DataDirectoryUnusable } from "@tributary/node/DataDirectory"
import * as Backup from "@tributary/sqlite/Backup"
import * as Sqlite from "@tributary/sqlite/Sqlite"
import * as StoreExport from "@tributary/sqlite/StoreExport"
import * as StoreImport from "@tributary/sqlite/StoreImport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { join } from "node:path"
import { API, type ApiHandler, ApiRequest } from "./ApiRequest.ts"
import type { Storage } from "../settings/StorageSettings.ts"
import * as HeldDirectory from "./HeldDirectory.ts"
import { append, RECORD, StorageOperation } from "./StorageOperation.ts"
import { Store } from "./Store.ts"

type Embedded = Extract<Storage, { readonly kind: "embedded" }>

const refused = (message: string) => new ControlChannel.RequestRefused({ message })

const decode = <A>(schema: Schema.Codec<A, unknown>, payload: Schema.Json) =>
  Effect.mapError(Schema.decodeUnknownEffect(schema)(payload), () => refused("the request is not of this release"))

const answering = (handle: ApiHandler): ControlChannel.Answer<OperatorLog> => (name, payload) => {
  switch (name) {
    case API:
      return Effect.flatMap(decode(ApiRequest, payload), handle)
    case RECORD:
      return decode(StorageOperation, payload).pipe(
        Effect.flatMap(append),
        Effect.catchTag("StorageUnavailable", () => Effect.fail(refused("the storage does not answer"))),
        Effect.as(null)
      )
    default:
      return Effect.fail(refused(`there is no request "${name}"`))
  }
}

const store = Layer.effect(
  Store,
  Effect.gen(function*() {
    const directory = yield* DataDirectory
    const log = yield* OperatorLog
    return {
      place: `embedded: kept in ${directory.path}`,
      // The directory is held by this process alone.
      exclusively: (task) => task,
      answerCommands: (handle) =>
        Layer.build(ControlChannel.layer(answering(handle))).pipe(
          Effect.provideService(DataDirectory, directory),
          Effect.provideService(OperatorLog, log),
          Effect.asVoid
        )
    }
  })
)

const databaseIn = (directory: string): string => join(directory, Sqlite.FILE_NAME)

/** The database file, while this process holds its directory. */
const heldDatabase = (directory: string) =>
  Effect.map(
    Effect.provide(DataDirectory, HeldDirectory.layer(directory)),
    ({ path }) => databaseIn(path)
  )

/** The database file, beside a server that may be using it. */
const sharedDatabase = (directory: string) =>
  Effect.flatMap(DataDirectory.inspect(directory), (path) =>
    path === null
      ? new DataDirectoryUnusable({ path: directory, problem: "there is no data in it yet" })
      : Effect.succeed(databaseIn(path)))

const ports = ({ fsync }: Embedded) =>
  Layer.unwrap(
    Effect.map(DataDirectory, ({ noteDatabase, path }) =>
      Sqlite.layer({ path: databaseIn(path), fsync, alone: true }).pipe(Layer.tap(() =>
        noteDatabase(Sqlite.FILE_NAME)
      )))
  )

/** Every port on the embedded database. Rate windows stay in memory, because no other process shares them. */
export const layer = (storage: Embedded) =>
  Layer.merge(Layer.provide(store, OperatorLog.layer), MemoryRateWindows.layer).pipe(
    Layer.provideMerge(ports(storage)),
    Layer.provide(HeldDirectory.layer(storage.directory))
  )

/** Brings the schema up to date. */
export const migrate = (storage: Embedded) =>
  Effect.scoped(Effect.asVoid(Layer.build(Layer.provide(ports(storage), HeldDirectory.layer(storage.directory)))))

/** Fails unless the schema is of this release. Changes nothing. */
export const requireCurrent = ({ directory }: Embedded) =>
  Effect.flatMap(sharedDatabase(directory), Backup.requireCurrent)

export const exportStore = <E>({ directory }: Embedded, options: ExportOptions<E>) =>
  Effect.flatMap(sharedDatabase(directory), (path) => StoreExport.exportStore({ path, ...options }))

export const importStore = ({ directory }: Embedded, options: ImportOptions) =>
  Effect.scoped(Effect.flatMap(heldDatabase(directory), (path) => StoreImport.importStore({ path, ...options })))

export const backup = ({ directory }: Embedded, file: string) =>
  Effect.flatMap(sharedDatabase(directory), (path) => Backup.backup(path, file))

export const restore = ({ directory }: Embedded, file: string) =>
  Effect.scoped(Effect.flatMap(heldDatabase(directory), (path) => Backup.restore(file, path)))

/** An empty list when nothing is wrong with the database. */
export const checkIntegrity = ({ directory }: Embedded) =>
  Effect.flatMap(sharedDatabase(directory), Backup.checkIntegrity)
