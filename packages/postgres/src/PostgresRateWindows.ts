/** Fixed windows of requests on Postgres, by the database's clock. */
import type { RateLimit } from "@tributary/core/model/Plan"
import { emptyWindow, RateWindows, type WindowState } from "@tributary/core/ports/RateWindows"
import { Effect, Layer } from "effect"
import { Database } from "./internal/Database.ts"
import { stored } from "./internal/storageErrors.ts"

interface WindowColumns {
  readonly count: number
  readonly allowed: boolean
  readonly is_open: boolean
  readonly reset_millis: number
}

const stateOf = (window: WindowColumns | undefined, seconds: number): WindowState =>
  window?.is_open === true
    ? { count: window.count, resetMillis: Math.max(0, Math.ceil(window.reset_millis)) }
    : { count: 0, resetMillis: seconds * 1_000 }

export const layer = Layer.effect(
  RateWindows,
  Effect.gen(function*() {
    const { isOpen, our, sql } = yield* Database
    const columns = sql.literal(`w.count, w.allowed, w.ends_at > w.asked_at AS is_open,
      (extract(epoch FROM w.ends_at - clock_timestamp()) * 1000)::double precision AS reset_millis`)
    const lengthOf = ({ window_seconds }: RateLimit) => sql`make_interval(secs => ${window_seconds}::double precision)`
    /**
     * One that ends later than a window from now was opened before the clock was set back: later by more than a request
     * waits for others.
     */
    const isCurrent = (limit: RateLimit, now: string) =>
      sql`w.ends_at > ${sql.literal(now)} AND w.ends_at < ${sql.literal(now)} + ${lengthOf(limit)}
        + least(${lengthOf(limit)}, interval '1 minute')`

    return RateWindows.of({
      // `asked_at` is read once. A request that waited for another one may carry an earlier moment than the window's
      // beginning; the window is open for it, and so never goes back.
      take: (workspaceId, name, limit) =>
        stored(
          sql<WindowColumns>`INSERT INTO ${our("rate_windows")} AS w
              (workspace_id, operation, asked_at, ends_at, count, allowed)
            SELECT ${workspaceId}::uuid, ${name}::text, t.now,
              t.now + CASE WHEN a.most > 0 THEN ${lengthOf(limit)} ELSE interval '0' END,
              least(a.most, 1), a.most > 0
            FROM (SELECT clock_timestamp() AS now) t, (SELECT ${limit.limit}::integer AS most) a
            WHERE ${isOpen(workspaceId)}
            ON CONFLICT (workspace_id, operation) DO UPDATE SET
              asked_at = excluded.asked_at,
              ends_at = CASE WHEN ${isCurrent(limit, "excluded.asked_at")} THEN w.ends_at ELSE excluded.ends_at END,
              count = CASE WHEN NOT (${isCurrent(limit, "excluded.asked_at")}) THEN excluded.count
                WHEN w.count < ${limit.limit}::integer THEN w.count + 1 ELSE w.count END,
              allowed = CASE WHEN NOT (${isCurrent(limit, "excluded.asked_at")}) THEN excluded.allowed
                ELSE w.count < ${limit.limit}::integer END
            RETURNING ${columns}`,
          ([window]) =>
            window === undefined
              ? emptyWindow(limit)
              : { ...stateOf(window, limit.window_seconds), allowed: window.allowed }
        ),

      peek: (workspaceId, name, limit) =>
        stored(
          sql<WindowColumns>`SELECT w.count, w.allowed, ${isCurrent(limit, "clock_timestamp()")} AS is_open,
              (extract(epoch FROM w.ends_at - clock_timestamp()) * 1000)::double precision AS reset_millis
            FROM ${our("rate_windows")} w
            WHERE w.workspace_id = ${workspaceId}::uuid AND w.operation = ${name}::text`,
          ([window]) => stateOf(window, limit.window_seconds)
        )
    })
  })
)
