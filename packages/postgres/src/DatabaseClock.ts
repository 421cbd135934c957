/**
 * A clock that follows the database's, so that servers whose clocks differ agree on what has expired and what is due.
 *
 * Small differences are normal and stay: time would jump back and forth by them.
 */
import { Clock, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"

/** In milliseconds. */
const TOLERANCE = 1_000

/** How soon a clock that was set is noticed. */
const CHECK = "10 seconds"

const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const system = yield* Clock.Clock
  /** What the database is ahead of the system, in milliseconds. */
  let offset = 0

  const follow = Effect.fnUntraced(function*(ahead: number) {
    if (Math.abs(ahead - offset) <= TOLERANCE) return
    offset = Math.abs(ahead) <= TOLERANCE ? 0 : Math.round(ahead)
    yield* offset === 0
      ? Effect.logInfo("this machine's clock agrees with the database's again")
      : Effect.annotateLogs(
        Effect.logWarning("this machine's clock differs from the database's, whose time is used"),
        { ahead_seconds: -Math.round(offset / 1_000) }
      )
  })

  const check = Effect.gen(function*() {
    const before = system.currentTimeMillisUnsafe()
    const [row] = yield* sql.withoutTransforms()<{ readonly millis: number }>`
      SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS millis`
    const after = system.currentTimeMillisUnsafe()
    // The answer took too long to be exact, or the clock was set meanwhile.
    if (row === undefined || after < before || after - before > TOLERANCE) return
    yield* follow(row.millis - (before + after) / 2)
  }).pipe(Effect.timeout("5 seconds"), Effect.ignore)

  yield* check
  yield* Effect.forkScoped(Effect.repeat(Effect.delay(check, CHECK), Schedule.forever))

  const nanos = () => BigInt(offset) * 1_000_000n
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: () => system.currentTimeMillisUnsafe() + offset,
    currentTimeMillis: Effect.map(system.currentTimeMillis, (millis) => millis + offset),
    currentTimeNanosUnsafe: () => system.currentTimeNanosUnsafe() + nanos(),
    currentTimeNanos: Effect.map(system.currentTimeNanos, (time) => time + nanos()),
    monotonicTimeNanosUnsafe: () => system.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: system.monotonicTimeNanos,
    sleep: (duration) => system.sleep(duration)
  }
  return clock
})

/** For all that runs on this database. */
export const layer = Layer.effect(Clock.Clock, make)
