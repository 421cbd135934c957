/** A locked Postgres table: readers wait, and are released one statement at a time. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"

export const holdTable = async (url: string, table: string) => {
  const run = <A, E>(work: Effect.Effect<A, E, PgClient.PgClient>): Promise<A> =>
    Effect.runPromise(Effect.provide(work, PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })))

  /** Locks the table until it is unlocked. */
  const shut = async () => {
    const held = Promise.withResolvers<void>()
    const opened = Promise.withResolvers<void>()
    const ended = run(Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql.unsafe(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
        held.resolve()
        yield* Effect.promise(() => opened.promise)
      }))
    }))
    await Promise.race([held.promise, ended])
    return async () => {
      opened.resolve()
      await ended
    }
  }

  const somebodyWaits = (mode: "AccessShareLock" | "AccessExclusiveLock") =>
    run(Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      yield* sql<{ readonly waiting: number }>`SELECT count(*)::integer AS waiting FROM pg_locks
        WHERE relation = ${table}::text::regclass AND mode = ${mode}::text AND NOT granted`.pipe(
        Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: ([row]) => row!.waiting > 0 })
      )
    }))

  let open = await shut()
  return {
    /** A statement waits to read. */
    isRead: () => somebodyWaits("AccessShareLock"),
    /** The waiting statement reads; later ones wait behind it. */
    next: async () => {
      await somebodyWaits("AccessShareLock")
      // Locks are granted in the order of their requests.
      const again = shut()
      await somebodyWaits("AccessExclusiveLock")
      await open()
      open = await again
    },
    open: () => open()
  }
}
