// What a connection of our own pool asks of Postgres.
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as PostgresClient from "../src/PostgresClient.ts"
import { describePostgres } from "./support/database.ts"
import { databaseUrl } from "./support/testServer.ts"

describePostgres("a connection of the pool", () => {
  it.live("compiles no statement, which takes longer than any of ours", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SHOW jit`, [{ jit: "off" }])
    }).pipe(Effect.provide(PostgresClient.layer({ url: Redacted.make(databaseUrl!) }))))
})
