import { backendContract } from "@tributary/contract/backendContract"
import { assert, describe, it } from "@effect/vitest"
import { JobStore } from "@tributary/core/ports/JobStore"
import { Effect, Fiber, Layer, Logger, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll } from "vitest"
import { extent } from "../../../.ci/extent.ts"
import { LongestStatement } from "../src/internal/bounded.ts"
import * as Postgres from "../src/Postgres.ts"
import * as PostgresClient from "../src/PostgresClient.ts"
import { advanceIn, newSchema, pool } from "./support/database.ts"
import { installedPgbouncer, type Pooled, startPgbouncer } from "./support/pgbouncer.ts"
import { admit, item, newJob, newSource } from "./support/source.ts"
import { databaseUrl } from "./support/testServer.ts"

const schema = newSchema()

/** More clients than connections: what a client leaves in a connection, another one meets. */
const CONNECTIONS = 3

let pooler: Pooled

const client = Layer.unwrap(Effect.sync(() => PostgresClient.layer({ url: Redacted.make(pooler.url) })))

const dropped = Layer.effectDiscard(Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.addFinalizer(() => Effect.orDie(sql.unsafe(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)))
}))

const node = Postgres.layer({ schema }).pipe(Layer.provide(client))

describe.skipIf(databaseUrl === null || !installedPgbouncer())("through PgBouncer in transaction mode", () => {
  beforeAll(async () => {
    pooler = await startPgbouncer(databaseUrl!, CONNECTIONS)
  })
  afterAll(() => pooler.close())

  const ports = node.pipe(Layer.provideMerge(dropped), Layer.provideMerge(pool()))
  if (extent(false, true)) backendContract("the contract", ports, { advance: advanceIn(schema), timeout: "3 minutes" })

  it.live("is recognized as a pooler, and works without prepared statements and LISTEN", () =>
    Effect.gen(function*() {
      const warnings: Array<unknown> = []
      const logger = Logger.layer([Logger.make(({ message }) => void warnings.push(message))])
      const [one, two] = yield* Effect.all([Layer.build(Layer.provide(node, logger)), Layer.build(node)])
      assert.include(JSON.stringify(warnings), "a pooler is in front of the database")

      // A waiter in the same process is notified of a job; in another one, it polls.
      const jobs = yield* Effect.provideContext(JobStore, one)
      const source = yield* Effect.provideContext(newSource, one)
      const here = yield* Effect.forkChild(jobs.changed, { startImmediately: true })
      const there = yield* Effect.forkChild((yield* Effect.provideContext(JobStore, two)).changed, {
        startImmediately: true
      })
      yield* jobs.enqueue(newJob(source.workspaceId, { queue: "elsewhere" }), null)
      yield* Fiber.join(here)
      assert.isUndefined(there.pollUnsafe())

      const direct: Array<unknown> = []
      const quiet = Logger.layer([Logger.make(({ message }) => void direct.push(message))])
      yield* Layer.build(Layer.provide(PostgresClient.layer({ url: Redacted.make(databaseUrl!) }), quiet))
      assert.deepStrictEqual(direct, [])
    }).pipe(Effect.scoped))

  it.live("ends statements that wait for a lock of another session in time, and has its connections back", () =>
    Effect.gen(function*() {
      const ports = yield* Layer.build(node)
      const source = yield* Effect.provideContext(newSource, ports)
      const sql = yield* SqlClient.SqlClient
      const acts = Effect.all(
        Array.from({ length: CONNECTIONS + 1 }, (_, at) => Effect.exit(admit(source, [item(`${at}`, "text")]))),
        { concurrency: "unbounded" }
      ).pipe(Effect.provideContext(ports), Effect.provideService(LongestStatement, 300))
      const exits = yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql.unsafe(`LOCK TABLE ${schema}.counters IN ACCESS EXCLUSIVE MODE`)
        return yield* acts
      }))
      for (const exit of exits) assert.include(JSON.stringify(exit), "StorageUnavailable")
      const again = admit(source, [item("again", "text")]).pipe(
        Effect.provideContext(ports),
        Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 500 })
      )
      assert.deepStrictEqual(yield* again, ["created"])
    }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(dropped, pool()))))
})
