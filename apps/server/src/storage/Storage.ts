/** Storage as the settings name it. Each kind is loaded when it is named, so that it alone pays for its parts. */
import type { EmbeddedDatabaseUnopened } from "@tributary/postgres/pglite/PgliteClient"
import type { DataDirectoryInUse, DataDirectoryUnusable } from "@tributary/postgres/pglite/DataDirectory"
import type { UnsupportedDatabase } from "@tributary/postgres/UnsupportedDatabase"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Storage } from "../settings/Settings.ts"
import { UsageError } from "../command/UsageError.ts"
import type { Ports, Store } from "./Store.ts"

type OpenError =
  | DataDirectoryInUse
  | DataDirectoryUnusable
  | EmbeddedDatabaseUnopened
  | SqlError
  | UnsupportedDatabase

const refused = (message: string) => new UsageError({ message, exitCode: 1 })

/** What the driver says, without its own name; a password is in none of it. */
const wordsOf = ({ reason }: SqlError): string => {
  const { cause } = reason
  return cause instanceof Error ? cause.message : reason.message ?? "no reason given"
}

/** Where the database should be, without the user and the password. */
const placeOf = (storage: Storage): string =>
  storage.kind === "postgres" ? new URL(Redacted.value(storage.url)).host : "the data directory"

const databaseRefused = (storage: Storage, error: SqlError): UsageError => {
  const place = placeOf(storage)
  const words = wordsOf(error)
  switch (error.reason._tag) {
    case "ConnectionError":
      return refused(`No Postgres answers at ${place} (${words}). Look at TRIBUTARY_DATABASE_URL.`)
    case "AuthenticationError":
      return refused(`The database at ${place} lets nobody in with this user and password (${words}).`)
    default:
      return refused(`The database at ${place} cannot be used: ${words}.`)
  }
}

/** One sentence for each way in which storage cannot be opened. Nothing in it has been changed by then. */
export const inOneSentence = (storage: Storage) => (error: OpenError): UsageError =>
  error._tag === "SqlError" ? databaseRefused(storage, error) : refused(error.message)

const failing = <A, E extends OpenError, R>(storage: Storage, layer: Layer.Layer<A, E, R>) =>
  Layer.effectContext(Effect.mapError(Layer.build(layer), inOneSentence(storage)))

/** Every port, and the store that they are of. */
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
export type Kept = Exclude<Storage, { readonly kind: "memory" }>

/** The database without the ports, with its schema brought up to date. */
export const database = (storage: Kept): Layer.Layer<SqlClient, UsageError> =>
  Layer.unwrap(Effect.promise(async (): Promise<Layer.Layer<SqlClient, UsageError>> =>
    storage.kind === "embedded"
      ? failing(storage, (await import("./Embedded.ts")).layerDatabase(storage))
      : failing(storage, (await import("./Postgres.ts")).layerDatabase(storage))
  ))

/** As a command names it in what it reports. */
export const nameOf = (storage: Kept): string =>
  storage.kind === "embedded" ? `the data directory ${storage.directory}` : `schema "${storage.schema}"`
