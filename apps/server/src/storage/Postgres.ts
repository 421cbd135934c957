/** A Postgres that any number of servers share. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Postgres from "@tributary/postgres/Postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Storage } from "../settings/Settings.ts"
import { Store } from "./Store.ts"

type Shared = Extract<Storage, { readonly kind: "postgres" }>

const CONNECTIONS = 10

/** Without the user and the password. */
export const placeOf = ({ url }: Shared): string => {
  const { host, pathname } = new URL(Redacted.value(url))
  return `${host}${pathname}`
}

const client = ({ url }: Shared) =>
  PgClient.layer({ url, applicationName: "tributary", maxConnections: CONNECTIONS, connectTimeout: "10 seconds" })

const store = (storage: Shared) =>
  Layer.effect(
    Store,
    Effect.map(PgClient.PgClient, (sql) => {
      const name = `tributary first start ${storage.schema}`
      // What the task does runs on other connections; this one holds the lock until it is given back.
      const lock = Effect.gen(function*() {
        const connection = yield* sql.reserve
        const run = (call: string) =>
          connection.execute(`SELECT ${call}(hashtextextended($1, 0))::text`, [name], undefined)
        yield* Effect.acquireRelease(run("pg_advisory_lock"), () => Effect.ignore(run("pg_advisory_unlock")))
      })
      return {
        place: `postgres: schema "${storage.schema}" of ${placeOf(storage)}`,
        alone: (task) => Effect.scoped(Effect.andThen(Effect.orDie(lock), task)),
        answerCommands: () => Effect.void
      }
    })
  )

/** Every port on this Postgres. */
export const layer = (storage: Shared) =>
  Layer.mergeAll(store(storage), Postgres.layer({ schema: storage.schema })).pipe(Layer.provide(client(storage)))

/** The database, with its schema brought up to date. */
export const layerDatabase = (storage: Shared) =>
  Postgres.layerMigrations({ schema: storage.schema }).pipe(Layer.provideMerge(client(storage)))
