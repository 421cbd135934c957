/** Requests by day, oldest first: the last 30 days of UTC, also those without any. */
import type { Traffic } from "../api/consoleApi.ts"
import { DAY } from "../ui/time/day.ts"

const DAYS = 30

export const daysOf = (traffic: ReadonlyArray<Traffic>, keyId: string, now: number): ReadonlyArray<number> => {
  const own = new Map(traffic.filter(({ key_id }) => key_id === keyId).map(({ day, requests }) => [day, requests]))
  return Array.from(
    { length: DAYS },
    (_, index) => own.get(new Date(now - (DAYS - 1 - index) * DAY).toISOString().slice(0, 10)) ?? 0
  )
}

export const sumOf = (days: ReadonlyArray<number>): number => days.reduce((sum, day) => sum + day, 0)
