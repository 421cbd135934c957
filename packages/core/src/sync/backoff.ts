/** How long a source is left alone. */
import type { Connection } from "../model/Connection.ts"

const MINUTE = 60_000
const FIRST_PAUSE = 30_000
const LONGEST_PAUSE = 60 * MINUTE
/** A source that asks for a longer one is asked again after that, lest a slip of its own shut it off for years. */
const LONGEST_ASKED = 24 * 60 * MINUTE

/**
 * After failures in a row: half a minute, doubled with every one up to an hour; not before the source wants to be asked
 * again, which is within this many seconds. `random` is of 1.
 */
export const backoff = (failures: number, asked: number | undefined, random: number): number =>
  Math.max(
    Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (Math.max(1, failures) - 1)) * (0.75 + random / 2),
    Math.min(LONGEST_ASKED, (asked ?? 0) * 1_000) * (1 + random / 10)
  )

type Scheduled = Pick<Connection, "sync_config">

const intervalOf = ({ sync_config }: Scheduled): number => sync_config.interval_minutes * MINUTE

/** Give or take a tenth, so that what was connected together is not pulled together for ever. */
const roughlyAfter = (pause: number, now: number, random: number): Date => new Date(now + pause * (0.9 + random / 5))

/**
 * After failures in a row that do not look as if they would pass: the interval, doubled with every one up to a day. What
 * could be pulled before may be pulled again, once a page that stood in its place for a while is gone.
 */
export const distantSync = (connection: Scheduled, failures: number, now: number, random: number): Date => {
  const interval = intervalOf(connection)
  const pause = Math.max(interval, Math.min(LONGEST_ASKED, interval * 2 ** (Math.max(1, failures) - 1)))
  return roughlyAfter(pause, now, random)
}

export const nextSync = (connection: Scheduled, now: number, random: number): Date =>
  roughlyAfter(intervalOf(connection), now, random)
