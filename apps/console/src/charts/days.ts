import { DAY } from "../ui/time/day.ts"

/** `YYYY-MM-DD`, in UTC. */
export const dayIn = (moment: Date | string): string => new Date(moment).toISOString().slice(0, 10)

/** The last days up to today, oldest first. */
export const lastDays = (count: number, now: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => dayIn(new Date(now - (count - 1 - index) * DAY)))
