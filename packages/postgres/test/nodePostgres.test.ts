import { backendContract } from "@tributary/contract/backendContract"
import { assert, it } from "@effect/vitest"
import { JobStore } from "@tributary/core/ports/JobStore"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Pool, types } from "pg"
import { afterAll } from "vitest"
import { extent } from "../../../.ci/extent.ts"
import * as NodePostgres from "../src/NodePostgres.ts"
import * as Postgres from "../src/Postgres.ts"
import { advanceIn, describePostgres, dropped, newSchema, pool } from "./support/database.ts"
import { newJob, newSource } from "./support/source.ts"
import { databaseUrl } from "./support/testServer.ts"

const schema = newSchema()
const hostPool = (max: number) => new Pool({ connectionString: databaseUrl ?? "", max })

/** The host's type parsers for times, numbers and JSON do not affect the ports. */
const parsed = (oid: number) => types.setTypeParser(oid, () => "the host's own")

describePostgres("through a pool of the host's", () => {
  for (const oid of [16, 20, 23, 1184, 3802]) parsed(oid)
  const host = hostPool(10)
  afterAll(() => host.end())

  const ports = Postgres.layer({ schema }).pipe(
    Layer.provide(NodePostgres.layer(host)),
    Layer.provideMerge(dropped(schema)),
    Layer.provideMerge(pool())
  )
  // Only the client differs: the ports on another one pass the same contract in other tests.
  if (extent(false, true)) backendContract("the contract", ports, { advance: advanceIn(schema), timeout: "3 minutes" })

  it.layer(ports, { excludeTestServices: true })((it) => {
    it.effect("is notified of jobs of other nodes, and returns every connection", () =>
      Effect.gen(function*() {
        const own = hostPool(3)
        yield* Effect.addFinalizer(() => Effect.promise(() => own.end()))
        yield* Effect.scoped(Effect.gen(function*() {
          const node = yield* Layer.build(Postgres.layer({ schema }).pipe(Layer.provide(NodePostgres.layer(own))))
          const source = yield* newSource
          const heard = yield* Effect.forkChild((yield* Effect.provideContext(JobStore, node)).changed, {
            startImmediately: true
          })
          yield* (yield* JobStore).enqueue(newJob(source.workspaceId, { queue: "elsewhere" }), null)
          yield* Fiber.join(heard)
        }))
        assert.strictEqual(own.totalCount, own.idleCount)
        const { rows } = yield* Effect.promise(() =>
          own.query<{ channels: string }>(
            "SELECT coalesce(string_agg(c, ','), '') AS channels FROM pg_listening_channels() c"
          )
        )
        assert.deepStrictEqual(rows, [{ channels: "" }])
      }).pipe(Effect.scoped))

    it.effect("never reuses a connection that the server closed", () =>
      Effect.gen(function*() {
        const own = new Pool({ connectionString: databaseUrl ?? "", max: 2 })
        own.on("error", () => undefined)
        yield* Effect.addFinalizer(() => Effect.promise(() => own.end()))
        const client = yield* Effect.provide(SqlClient.SqlClient, NodePostgres.layer(own))
        const away = yield* Effect.flip(client`SELECT pg_terminate_backend(pg_backend_pid())`)
        assert.propertyVal(away.reason.cause, "code", "57P01")
        assert.deepStrictEqual(yield* client`SELECT 1 AS one`, [{ one: 1 }])
      }).pipe(Effect.scoped))

    it.effect("leaks no connection if a waiter is interrupted", () =>
      Effect.gen(function*() {
        const own = hostPool(1)
        yield* Effect.addFinalizer(() => Effect.promise(() => own.end()))
        const client = yield* Effect.provide(SqlClient.SqlClient, NodePostgres.layer(own))
        const held = yield* Effect.promise(() => own.connect())
        const waiting = yield* Effect.forkChild(client`SELECT 1 AS one`, { startImmediately: true })
        yield* Fiber.interrupt(waiting)
        held.release()
        assert.deepStrictEqual(yield* client`SELECT 2 AS two`, [{ two: 2 }])
        const sleeping = yield* Effect.forkChild(client`SELECT pg_sleep(60)`, { startImmediately: true })
        yield* Fiber.interrupt(sleeping)
        assert.deepStrictEqual(yield* client`SELECT 3 AS three`, [{ three: 3 }])
      }).pipe(Effect.scoped))

    it.effect("reports that the server does not answer", () =>
      Effect.gen(function*() {
        const own = new Pool({ connectionString: "postgres://127.0.0.1:1/none" })
        const error = yield* Effect.flip(
          Layer.build(Layer.provide(Postgres.layer({ schema }), NodePostgres.layer(own)))
        )
        assert.propertyVal(error, "_tag", "SqlError")
        assert.include(error.message, "ECONNREFUSED")
      }).pipe(Effect.scoped))
  })
})
