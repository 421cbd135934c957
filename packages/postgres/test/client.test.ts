// What a connection of our own pool asks of Postgres.
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as PostgresClient from "../src/PostgresClient.ts"
import { describePostgres } from "./support/database.ts"
import { databaseUrl } from "./support/testServer.ts"

const withOptions = (url: string, options: string): string =>
  `${url}${url.includes("?") ? "&" : "?"}options=${encodeURIComponent(options)}`

describePostgres("a connection of the pool", () => {
  it.live("compiles no statement, which takes longer than any of ours", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SHOW jit`, [{ jit: "off" }])
    }).pipe(Effect.provide(PostgresClient.layer({ url: Redacted.make(databaseUrl!) }))))

  it.live("reads what is committed when a lock is free, whatever the settings of the database", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SHOW transaction_isolation`, [{ transaction_isolation: "read committed" }])
    }).pipe(Effect.provide(PostgresClient.layer({
      url: Redacted.make(withOptions(databaseUrl!, "-c default_transaction_isolation=serializable"))
    }))))

  it.live("waits half a minute for a lock, or as long as the database says", () =>
    Effect.gen(function*() {
      const waits = (url: string) =>
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ readonly lock_timeout: string }>`SHOW lock_timeout`).pipe(
          Effect.map(([row]) => row?.lock_timeout),
          Effect.provide(PostgresClient.layer({ url: Redacted.make(url) }))
        )
      assert.strictEqual(yield* waits(databaseUrl!), "30s")
      assert.strictEqual(yield* waits(withOptions(databaseUrl!, "-c lock_timeout=5s")), "5s")
    }))

  it.live("returns a text as it was sent, also with a byte order mark and a replacement character", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const texts = ["\ufeffa", "\ufeff\ufffd", "\ufeffa longer text \ufffd"]
      assert.deepStrictEqual(
        yield* sql`SELECT ${texts[0]!}::text AS a, ${texts[1]!}::text AS b, ${texts}::text[] AS c`,
        [{ a: texts[0], b: texts[1], c: texts }]
      )
    }).pipe(Effect.provide(PostgresClient.layer({ url: Redacted.make(databaseUrl!) }))))

  it.live("takes a row as long as the state of a folder with four million files", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ readonly state: string }>`SELECT repeat('x', 44000000) AS state`
      assert.strictEqual(row?.state.length, 44_000_000)
    }).pipe(Effect.provide(PostgresClient.layer({ url: Redacted.make(databaseUrl!) }))))
})
