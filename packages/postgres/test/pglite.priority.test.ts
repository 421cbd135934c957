import { assert, it } from "@effect/vitest"
import { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Postgres from "../src/Postgres.ts"
import { PgliteClient } from "../src/pglite/index.ts"

const store = Layer.provideMerge(Postgres.layer(), PgliteClient.layer({ dataDir: null }))

it.layer(store, { timeout: "60 seconds", excludeTestServices: true })("the embedded database", (it) => {
  it.effect("looks a key up before the queries that wait", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient
      const keys = yield* ApiKeyStore
      const order: Array<string> = []
      const done = (name: string) => Effect.sync(() => void order.push(name))
      const work = yield* Effect.forkChild(
        Effect.forEach(
          Array.from({ length: 10 }, (_, at) => `${at}`),
          (name) => Effect.andThen(sql`SELECT pg_sleep(0.01)::text`, done(name)),
          { concurrency: "unbounded" }
        ),
        { startImmediately: true }
      )
      yield* Effect.andThen(keys.authenticate("00".repeat(32), new Date()), done("key"))
      yield* Fiber.join(work)
      assert.isAtMost(order.indexOf("key"), 1)
    }))
})
