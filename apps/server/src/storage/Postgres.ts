/** A Postgres that any number of servers share. */
import * as PgClient from "@effect/sql-pg/PgClient"
import type { ExportOptions, ImportOptions } from "@tributary/core/transfer/TransferFormat"
import * as DatabaseClock from "@tributary/postgres/DatabaseClock"
import * as Postgres from "@tributary/postgres/Postgres"
import * as PostgresClient from "@tributary/postgres/PostgresClient"
import * as StoreExport from "@tributary/postgres/StoreExport"
import * as StoreImport from "@tributary/postgres/StoreImport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Storage } from "../settings/StorageSettings.ts"
import { Store } from "./Store.ts"

type Shared = Extract<Storage, { readonly kind: "postgres" }>

/** Without the user and the password. */
export const placeOf = ({ url }: Shared): string => {
  const { host, pathname } = new URL(Redacted.value(url))
  return `${host}${pathname}`
}

const client = ({ connections, url }: Shared) => PostgresClient.layer({ url, maxConnections: connections })

/** Waits for what else fills the store: the first start of another server, or an import. Holds the lock of it meanwhile. */
const exclusively =
  ({ schema }: Shared, sql: PgClient.PgClient) => <A, E, R>(task: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const name = `tributary first start ${schema}`
    // The task uses other connections; this one holds the lock until the end.
    const lock = Effect.gen(function*() {
      const connection = yield* sql.reserve
      const run = (statement: string, ...values: ReadonlyArray<unknown>) =>
        connection.executeUnprepared(statement, values, undefined)
      // In a transaction: behind a pooler, nothing else stays with one connection.
      yield* Effect.acquireRelease(run("BEGIN"), () => Effect.ignore(run("ROLLBACK")))
      const [tried] = yield* run("SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS held", name)
      if ((tried as { readonly held: boolean }).held) return
      yield* Effect.logInfo("waiting for a first start or an import of this store")
      yield* run("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text", name)
    })
    return Effect.scoped(Effect.andThen(Effect.orDie(lock), task))
  }

const store = (storage: Shared) =>
  Layer.effect(
    Store,
    Effect.map(PgClient.PgClient, (sql) => ({
      place: `postgres: schema "${storage.schema}" of ${placeOf(storage)}`,
      exclusively: exclusively(storage, sql),
      answerCommands: () => Effect.void
    }))
  )

/** Every port on this Postgres. */
export const layer = (storage: Shared) =>
  Layer.mergeAll(store(storage), Postgres.layer(storage), DatabaseClock.layer).pipe(Layer.provide(client(storage)))

/** Brings the schema up to date. */
export const migrate = (storage: Shared) =>
  Effect.scoped(
    Effect.asVoid(Layer.build(Layer.provide(Postgres.layerMigrations({ schema: storage.schema }), client(storage))))
  )

/** Fails unless the schema is of this release. Changes nothing. */
export const requireCurrent = (storage: Shared) =>
  Effect.scoped(Effect.asVoid(Layer.build(layer({ ...storage, migrate: "check" }))))

const placeIn = ({ schema, systemRole }: Shared) => ({ schema, systemRole })

/** An export changes nothing. */
export const exportStore = <E>(storage: Shared, options: ExportOptions<E>) =>
  Effect.andThen(
    requireCurrent(storage),
    Effect.provide(StoreExport.exportStore({ ...placeIn(storage), ...options }), client(storage))
  )

/** A server that starts meanwhile must not take the store for empty: it would create an account. */
export const importStore = (storage: Shared, options: ImportOptions) =>
  Effect.andThen(
    storage.migrate === "check" ? requireCurrent(storage) : migrate(storage),
    Effect.flatMap(
      PgClient.PgClient,
      (sql) => exclusively(storage, sql)(StoreImport.importStore({ ...placeIn(storage), ...options }))
    ).pipe(Effect.provide(client(storage)))
  )
