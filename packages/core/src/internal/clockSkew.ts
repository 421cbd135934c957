/** A time in storage that is far ahead was stored before the clock was set back. */

/** In milliseconds: the clocks of servers differ by less. */
export const MAX_CLOCK_SKEW = 3_600_000

export const isFromFuture = (time: number, now: number): boolean => time > now + MAX_CLOCK_SKEW
