/**
 * Notices when the clock was put back. What was scheduled before would wait as much longer, so it is then due at once:
 * what it was to be is not known any more.
 */

/** Clocks are often put back by seconds, which nobody notices in what is scheduled by minutes. */
const NOTICED = 60_000

/** The end of time. */
const EVER = new Date(8.64e15)

/** Returns a function of the time, in milliseconds: what was scheduled until then is due. */
export const dueTimes = () => {
  let last = -Infinity
  return (now: number): Date => {
    const wasPutBack = now < last - NOTICED
    last = now
    return wasPutBack ? EVER : new Date(now)
  }
}
