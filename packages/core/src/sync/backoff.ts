/** Delays between syncs. */
import type { Connection } from "../model/Connection.ts"

const MINUTE = 60_000
const FIRST_PAUSE = 30_000
const MAX_PAUSE = 60 * MINUTE
/** The longest `Retry-After` that is respected, so that a mistake of the source does not stop it for years. */
const MAX_RETRY_AFTER = 24 * 60 * MINUTE

/**
 * After consecutive failures: 30 seconds, doubled each time up to an hour, but not before the source's `Retry-After` in
 * seconds. `random` is in [0, 1).
 */
export const backoff = (failures: number, asked: number | undefined, random: number): number =>
  Math.max(
    Math.min(MAX_PAUSE, FIRST_PAUSE * 2 ** (Math.max(1, failures) - 1)) * (0.75 + random / 2),
    Math.min(MAX_RETRY_AFTER, (asked ?? 0) * 1_000) * (1 + random / 10)
  )

/** No pause after a failure is longer. */
export const MAX_BACKOFF = 1.1 * MAX_RETRY_AFTER

type Scheduled = Pick<Connection, "sync_config">

const intervalOf = ({ sync_config }: Scheduled): number => sync_config.interval_minutes * MINUTE

/** 10 % jitter, so that connections created together are not synced together forever. */
const roughlyAfter = (pause: number, now: number, random: number): Date => new Date(now + pause * (0.9 + random / 5))

/**
 * After consecutive permanent failures: the interval, doubled each time up to a day. The source may work again, for
 * example after a maintenance page.
 */
export const syncAfterFailures = (connection: Scheduled, failures: number, now: number, random: number): Date => {
  const interval = intervalOf(connection)
  const pause = Math.max(interval, Math.min(MAX_RETRY_AFTER, interval * 2 ** (Math.max(1, failures) - 1)))
  return roughlyAfter(pause, now, random)
}

export const nextSync = (connection: Scheduled, now: number, random: number): Date =>
  roughlyAfter(intervalOf(connection), now, random)
