/**
 * Notices when the clock is set back. What was scheduled before would then wait longer by as much, so all of it is due at
 * once: its intended time is no longer known.
 */

/** Clocks are often set back by seconds, which do not matter to what is scheduled by minutes. */
const TOLERANCE = 60_000

const END_OF_TIME = new Date(8.64e15)

/** Returns a function of the time, in milliseconds: what was scheduled until then is due. */
export const dueTimes = () => {
  let last = -Infinity
  return (now: number): Date => {
    const wasSetBack = now < last - TOLERANCE
    last = now
    return wasSetBack ? END_OF_TIME : new Date(now)
  }
}
