/** A schema with row-level security on, and the ports in it as the server's role. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Postgres from "../../src/Postgres.ts"
import { dropped, pool } from "./database.ts"
import { databaseUrl } from "./testServer.ts"

export const serverRole = (schema: string) => `${schema}_server`
export const systemRole = (schema: string) => `${schema}_system`

/** The tests' database, as the server's role. */
export const urlAs = (role: string): string => {
  const url = new URL(databaseUrl ?? "postgres://127.0.0.1/")
  url.username = role
  url.password = "server"
  return url.href
}

/** Migrated, with row-level security on; the roles go away with the layer. */
export const secured = (schema: string, settings: ReadonlyArray<string> = []) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [server, system] = [serverRole(schema), systemRole(schema)]
    yield* Effect.addFinalizer(() =>
      Effect.orDie(
        Effect.andThen(sql.unsafe(`DROP OWNED BY ${server}, ${system}`), sql.unsafe(`DROP ROLE ${server}, ${system}`))
      )
    )
    yield* sql.unsafe(`CREATE ROLE ${system} NOLOGIN`)
    yield* sql.unsafe(`CREATE ROLE ${server} LOGIN PASSWORD 'server' NOINHERIT`)
    yield* sql.unsafe(`GRANT ${system} TO ${server}`)
    for (const setting of settings) yield* sql.unsafe(`ALTER ROLE ${server} ${setting}`)
    yield* sql.unsafe(`SELECT ${schema}.secure_rows('${server}', '${system}')`)
  })).pipe(Layer.provide(Postgres.layerMigrations({ schema })))

export const optionsIn = (schema: string) => ({ schema, systemRole: systemRole(schema), migrate: "check" as const })

/** Every port in this schema, which is dropped with the layer, and the tests' own connections as the owner. */
export const securedPortsIn = (schema: string) =>
  Postgres.layer(optionsIn(schema)).pipe(
    Layer.provide(pool({ url: urlAs(serverRole(schema)) })),
    Layer.provideMerge(secured(schema)),
    Layer.provideMerge(dropped(schema)),
    Layer.provideMerge(pool())
  )
