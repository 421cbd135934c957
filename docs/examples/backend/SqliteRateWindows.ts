/** One port on a database: rate windows in SQLite, which every process on this machine shares. */
import { StorageUnavailable } from "@tributary/core/model/Error"
import { RateWindows } from "@tributary/core/ports/RateWindows"
import { Clock, Effect, Layer } from "effect"
import { DatabaseSync } from "node:sqlite"

const TABLE = `
  CREATE TABLE IF NOT EXISTS rate_windows (
    workspace_id TEXT, name TEXT, ends_at INTEGER NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, name)
  )`

/** One that ends later than a window from now was opened before the clock was set back. */
const IS_OPEN = "ends_at > $now AND ends_at <= $now + $length"

// One statement, so that of many at once exactly the limit gets through. A request that is refused returns no row.
const TAKE = `
  INSERT INTO rate_windows VALUES ($workspace_id, $name, $now + $length, 1)
  ON CONFLICT DO UPDATE SET
    count = iif(${IS_OPEN}, count + 1, 1),
    ends_at = iif(${IS_OPEN}, ends_at, $now + $length)
  WHERE NOT (${IS_OPEN}) OR count < $limit
  RETURNING count, ends_at - $now AS resetMillis`

const PEEK = `
  SELECT count, ends_at - $now AS resetMillis FROM rate_windows
  WHERE workspace_id = $workspace_id AND name = $name AND ${IS_OPEN}`

type Row = { readonly count: number; readonly resetMillis: number }

const BUSY = 5
const FULL = 13

/** Transient errors, and those that an operator can mend, are reported to the caller; all others are bugs of this module. */
const attempt = <A>(query: () => A) =>
  Effect.try({ try: query, catch: (cause) => cause as { readonly errcode?: number } }).pipe(
    Effect.catch((cause) =>
      cause.errcode === BUSY || cause.errcode === FULL
        ? Effect.fail(new StorageUnavailable({ cause }))
        : Effect.die(cause)
    )
  )

const make = (path: string) =>
  Effect.gen(function*() {
    const database = yield* Effect.acquireRelease(
      attempt(() => new DatabaseSync(path, { timeout: 1_000 })),
      (database) => Effect.sync(() => database.close())
    )
    yield* attempt(() => database.exec(TABLE))
    const [taking, peeking] = yield* attempt(() => [database.prepare(TAKE), database.prepare(PEEK)] as const)
    // `peek` names no limit, and both statements are given the same parameters.
    peeking.setAllowUnknownNamedParameters(true)

    return RateWindows.of({
      take: (workspace_id, name, { limit, window_seconds }) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const length = window_seconds * 1_000
          const named = { workspace_id, name, now, length, limit }
          return attempt(() => {
            const taken = limit === 0 ? undefined : taking.get(named) as Row | undefined
            if (taken !== undefined) return { ...taken, allowed: true }
            const open = peeking.get(named) as Row | undefined
            return { ...(open ?? { count: 0, resetMillis: length }), allowed: false }
          })
        }),
      peek: (workspace_id, name, { window_seconds }) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          attempt(() => {
            const length = window_seconds * 1_000
            const open = peeking.get({ workspace_id, name, now, length }) as Row | undefined
            return { ...(open ?? { count: 0, resetMillis: length }) }
          }))
    })
  })

export const layer = (path: string) => Layer.effect(RateWindows, make(path))
