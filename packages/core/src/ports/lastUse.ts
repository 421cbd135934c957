/** The last use of a key, and the last time at which a session was seen, are stored at most once a minute. */

/**
 * One outside of these times is stored again: an earlier one is late, and a later one is from before the clock was put
 * back, because the clocks of servers do not differ as much.
 */
export const freshTimes = (now: Date): { readonly from: Date; readonly to: Date } => ({
  from: new Date(now.getTime() - 60_000),
  to: new Date(now.getTime() + 3_600_000)
})

export const isFresh = (last: Date | null, now: Date): boolean => {
  const { from, to } = freshTimes(now)
  return last !== null && last >= from && last <= to
}
