/** The last use of a key, and the last time at which a session was seen, are stored at most once a minute. */

/** An earlier one is stored again. */
export const staleBefore = (now: Date): Date => new Date(now.getTime() - 60_000)
