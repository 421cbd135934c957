/** What a migration waits for, and for how long: a table that it locks is locked for every server, also while it waits. */
import { Clock, Effect, Schedule } from "effect"
import { SqlError } from "effect/sql"
import { Database } from "../Database.ts"

/** Requests wait as long as the migration waits for its lock, and no longer. */
export const MIGRATION_LOCK_TIMEOUT = "5s"

/** In between, requests are served, and transactions have time to end. */
const PAUSE = "10 seconds"

/** Less than the timeout, so that no wait that reaches it is overlooked. */
const POLL_INTERVAL = "4 seconds"

/** How often the same sessions are reported, in milliseconds. */
const REPORT_INTERVAL = 60_000

interface Blocker {
  readonly pid: number
  readonly application: string | null
  readonly begun: Date | null
}

/** Whom the session `pid` waits for, seen by a connection of its own. */
const blockersOf = Effect.fnUntraced(function*(pid: number) {
  const { sql } = yield* Database
  return yield* sql<Blocker>`SELECT b.pid, a.application_name AS application, a.xact_start AS begun
    FROM unnest(pg_blocking_pids(${pid}::integer)) AS b(pid) LEFT JOIN pg_stat_activity a ON a.pid = b.pid
    ORDER BY b.pid`.unprepared
})

/** Runs a migration, which says in which session it is once it knows. */
export const reportingWaits = <A, E, R>(run: (inSession: (pid: number) => void) => Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.gen(function*() {
    const { schema } = yield* Database
    let session: number | undefined
    let reported = { pids: "", at: 0 }
    const report = Effect.gen(function*() {
      const sessions = session === undefined ? [] : yield* blockersOf(session)
      const pids = sessions.map(({ pid }) => pid).join()
      const now = yield* Clock.currentTimeMillis
      if (pids === "" || pids === reported.pids && now < reported.at + REPORT_INTERVAL) return
      reported = { pids, at: now }
      yield* Effect.annotateLogs(
        Effect.logWarning("migrating waits for other sessions: another server that migrates, or a lock on a table"),
        { schema, sessions }
      )
    })
    yield* Effect.forkScoped(Effect.forever(Effect.delay(Effect.ignore(report), POLL_INTERVAL)))
    return yield* run((pid) => {
      session = pid
    })
  }))

/** Tries again, after a pause, as long as other sessions have a table locked. */
export const retryingLocks = <A, E, R>(migration: Effect.Effect<A, E | SqlError.SqlError, R>) =>
  Effect.retry(migration, {
    while: (error) => error instanceof SqlError.SqlError && error.reason._tag === "LockTimeoutError",
    schedule: Schedule.spaced(PAUSE)
  })
