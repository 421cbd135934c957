/**
 * A pool of `pg` that the host has open, as the `SqlClient` that the ports need. It stays the host's: it is not ended
 * here, and what the host sets for its parsers of types has no effect on our statements.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import { Context, Effect, Layer, Predicate, Queue, type Scope, Stream } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import { type Pool, PooledConnection } from "./internal/pool/PooledConnection.ts"

export type { Pool }

const connectionOf = (pooled: PooledConnection): SqlConnection.Connection => {
  const execute: SqlConnection.Connection["execute"] = (text, values, transform) =>
    Effect.map(pooled.query(text, values), ({ rows }) => transform === undefined ? rows : transform(rows))
  const executeValues: SqlConnection.Connection["executeValues"] = (text, values) =>
    Effect.map(pooled.query(text, values), ({ rows }) => rows.map((row) => Object.values(row)))
  return {
    execute,
    executeUnprepared: execute,
    executeRaw: (text, values) => pooled.query(text, values),
    executeValues,
    executeValuesUnprepared: executeValues,
    executeStream: (text, values, transform) => Stream.fromIterableEffect(execute(text, values, transform))
  }
}

/** Postgres answers `ROLLBACK` to the `COMMIT` of a transaction that has failed. */
const commit = (connection: SqlConnection.Connection) =>
  Effect.flatMap(
    connection.executeRaw("COMMIT", []),
    (result) =>
      Predicate.hasProperty(result, "command") && result.command === "ROLLBACK"
        ? Effect.fail(
          new SqlError.SqlError({
            reason: new SqlError.UnknownError({ cause: new Error("COMMIT rolled back a transaction that had failed") })
          })
        )
        : Effect.void
  )

/** Holds a connection until the scope closes. */
const listenOn = (pool: Pool) =>
  Effect.fnUntraced(function*(channel: string): Effect.fn.Return<
    Queue.Dequeue<unknown, SqlError.SqlError>,
    SqlError.SqlError,
    Scope.Scope
  > {
    const connection = yield* PooledConnection.acquire(pool)
    const heard = yield* Queue.sliding<unknown, SqlError.SqlError>(16)
    connection.onNotification(heard)
    yield* connection.query(`LISTEN "${channel}"`, [])
    return heard
  })

const make = Effect.fnUntraced(function*(pool: Pool) {
  const client = yield* SqlClient.make({
    driver: "pg",
    acquirer: Effect.map(PooledConnection.acquire(pool), connectionOf),
    compiler: PgClient.makeCompiler(),
    commit,
    spanAttributes: [["db.system.name", "postgresql"]]
  })
  const isDirect = yield* Effect.scoped(
    Effect.flatMap(PooledConnection.acquire(pool), (connection) => connection.isDirect)
  )
  // Behind a pooler there are no notifications: jobs of other nodes are polled for.
  const config = { maxConnections: pool.options?.max, prepare: isDirect }
  return Object.assign(client, { config, listen: listenOn(pool) })
})

/** Fails where no connection can be had. */
export const layer = (pool: Pool) =>
  Layer.effectContext(Effect.map(make(pool), (client) => Context.make(SqlClient.SqlClient, client))).pipe(
    Layer.provide(Reactivity.layer)
  )
