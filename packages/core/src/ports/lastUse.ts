/** The last use of a key, and the last time at which a session was seen, are stored at most once a minute. */
import { MAX_CLOCK_SKEW } from "../internal/clockSkew.ts"

/** In milliseconds. */
const FRESH = 60_000

/** One outside of these times is stored again: an earlier one is late, and a later one is from before the clock was set back. */
export const freshRange = (now: Date): { readonly from: Date; readonly to: Date } => ({
  from: new Date(now.getTime() - FRESH),
  to: new Date(now.getTime() + MAX_CLOCK_SKEW)
})

/** The same for one time, without making others: every request comes here. */
export const isFresh = (last: Date | null, now: Date): boolean => {
  if (last === null) return false
  const age = now.getTime() - last.getTime()
  return age <= FRESH && age >= -MAX_CLOCK_SKEW
}
