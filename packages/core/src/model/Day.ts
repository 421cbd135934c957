/** Days in UTC. Free of schemas, so that browsers can load it alone. */

/** In milliseconds. */
export const DAY = 86_400_000

/** The date of a time, such as `2026-11-22`. */
export const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10)
