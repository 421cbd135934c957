/** Writes of rate windows. */
import type { WorkspaceId } from "@tributary/core/model/Id"
import type { RateLimit } from "@tributary/core/model/Plan"
import { isOpen } from "../internal/isOpen.ts"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"

/** One that ends later than a window from now was opened before the clock was set back. */
const IS_OPEN = "ends_at > ?3 AND ends_at <= ?3 + ?4"

const TAKE = `INSERT INTO rate_windows (workspace_id, operation, ends_at, count) VALUES (?1, ?2, ?3 + ?4, 1)
  ON CONFLICT DO UPDATE SET count = iif(${IS_OPEN}, count + 1, 1), ends_at = iif(${IS_OPEN}, ends_at, ?3 + ?4)
  WHERE NOT (${IS_OPEN}) OR count < ?5 RETURNING count, ends_at - ?3 AS resetMillis`

export interface Window {
  readonly count: number
  readonly resetMillis: number
}

export const peek = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  name: string,
  { window_seconds }: RateLimit,
  millis: number
): Window =>
  db.get(
    `SELECT count, ends_at - ?3 AS resetMillis FROM rate_windows
      WHERE workspace_id = ?1 AND operation = ?2 AND ${IS_OPEN}`,
    workspaceId,
    name,
    millis,
    window_seconds * 1_000
  ) ?? { count: 0, resetMillis: window_seconds * 1_000 }

export const rateWindowWrites = {
  take: (
    db: SqliteConnection,
    workspaceId: WorkspaceId,
    name: string,
    limit: RateLimit,
    millis: number
  ): Window & { readonly allowed: boolean } | null => {
    if (!isOpen(db, workspaceId)) return null
    const length = limit.window_seconds * 1_000
    const taken = limit.limit === 0
      ? undefined
      : db.get<Window>(TAKE, workspaceId, name, millis, length, limit.limit)
    return taken === undefined
      ? { ...peek(db, workspaceId, name, limit, millis), allowed: false }
      : { ...taken, allowed: true }
  }
}
