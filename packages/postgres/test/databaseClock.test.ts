import { assert, it } from "@effect/vitest"
import { Clock, Context, Duration, Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import * as DatabaseClock from "../src/DatabaseClock.ts"
import { describePostgres, pool } from "./support/database.ts"

const HOUR = 3_600_000

/** The system's clock, moved by as many milliseconds as it says at the moment. */
const movedBy = (offset: () => number) =>
  Effect.map(Clock.Clock, (system): Clock.Clock => ({
    currentTimeMillisUnsafe: () => system.currentTimeMillisUnsafe() + offset(),
    currentTimeMillis: Effect.sync(() => system.currentTimeMillisUnsafe() + offset()),
    currentTimeNanosUnsafe: () => system.currentTimeNanosUnsafe() + BigInt(offset()) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => system.currentTimeNanosUnsafe() + BigInt(offset()) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => system.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: system.monotonicTimeNanos,
    // So that the next check does not take ten seconds.
    sleep: (duration) => system.sleep(Duration.millis(Duration.toMillis(duration) / 100))
  }))

describePostgres("the clock of a server on a database", () => {
  it.layer(pool(), { excludeTestServices: true })((it) => {
    it.effect("is the database's where it differs, however far, and the system's otherwise", () =>
      Effect.gen(function*() {
        let offset = 0
        const warnings: Array<unknown> = []
        const logger = Logger.layer([Logger.make(({ message }) => void warnings.push(message))])
        const sql = yield* SqlClient.SqlClient
        const moved = yield* movedBy(() => offset)
        const parts = Layer.merge(Layer.succeed(Clock.Clock, moved), logger)
        const clock = Context.get(yield* Layer.build(Layer.provide(DatabaseClock.layer, parts)), Clock.Clock)
        const aheadOfDatabase = Effect.gen(function*() {
          const [row] = yield* sql<{ readonly millis: number }>`
            SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS millis`
          return clock.currentTimeMillisUnsafe() - row!.millis
        })
        for (offset of [HOUR, -24 * HOUR, 365 * 24 * HOUR, 5_000, 0]) {
          yield* Effect.repeat(aheadOfDatabase, { until: (ahead) => Math.abs(ahead) < 1_500 })
          assert.closeTo(Number(clock.currentTimeNanosUnsafe() / 1_000_000n), clock.currentTimeMillisUnsafe(), 1_000)
        }
        const logged = warnings.length
        assert.isAtLeast(logged, 5)
        // Half a second is left alone.
        offset = 500
        yield* Effect.repeat(aheadOfDatabase, { times: 50 })
        assert.lengthOf(warnings, logged)
      }).pipe(Effect.scoped))
  })
})
