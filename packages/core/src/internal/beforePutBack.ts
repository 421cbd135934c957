/** What was stored before the clock was put back has times that are later than now. */

/** In milliseconds: the clocks of servers do not differ as much. */
export const MAX_CLOCK_SKEW = 3_600_000

/** Whether what is stored as done at `time` was done before the clock was put back. */
export const isBeforePutBack = (time: number, now: number): boolean => time > now + MAX_CLOCK_SKEW
