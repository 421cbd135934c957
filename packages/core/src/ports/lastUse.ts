/** The last use of a key, and the last time at which a session was seen, are stored at most once a minute. */
import { FARTHEST_AHEAD } from "../internal/beforePutBack.ts"

/** One outside of these times is stored again: an earlier one is late, and a later one is from before the clock was put back. */
export const freshTimes = (now: Date): { readonly from: Date; readonly to: Date } => ({
  from: new Date(now.getTime() - 60_000),
  to: new Date(now.getTime() + FARTHEST_AHEAD)
})

export const isFresh = (last: Date | null, now: Date): boolean => {
  const { from, to } = freshTimes(now)
  return last !== null && last >= from && last <= to
}
