/** Requests by day, oldest first: the last 30 days of UTC, also those without any. */
import type { Traffic } from "../api/consoleApi.ts"
import { lastDays } from "../charts/days.ts"

const DAYS = 30

export const daysOf = (traffic: ReadonlyArray<Traffic>, keyId: string, now: number): ReadonlyArray<number> => {
  const own = new Map(traffic.filter(({ key_id }) => key_id === keyId).map(({ day, requests }) => [day, requests]))
  return lastDays(DAYS, now, {}).map((day) => own.get(day) ?? 0)
}

export const sumOf = (days: ReadonlyArray<number>): number => days.reduce((sum, day) => sum + day, 0)
