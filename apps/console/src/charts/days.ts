import { DAY, isDay } from "../ui/time/day.ts"

/** The days that are looked at, both included, as `YYYY-MM-DD` in UTC; without a bound as far as there is anything. */
export interface DayRange {
  readonly from?: string
  readonly to?: string
}

export const dayRangeOf = ({ from, to }: Record<string, unknown>): DayRange => ({
  ...(isDay(from) ? { from } : {}),
  ...(isDay(to) ? { to } : {})
})

/** The latest that the API takes. */
const LATEST = Date.parse("9999-12-31T23:59:59.999Z")

/** As the API takes them, with the moment after the last day. */
export const instantsOf = ({ from, to }: DayRange) => ({
  ...(from === undefined ? {} : { from: new Date(from).toISOString() }),
  ...(to === undefined ? {} : { to: new Date(Math.min(LATEST, Date.parse(to) + DAY)).toISOString() })
})

/** `YYYY-MM-DD`, in UTC. */
export const dayIn = (moment: Date | string): string => new Date(moment).toISOString().slice(0, 10)

export const isWithin = ({ from = "", to = "9999-12-31" }: DayRange, day: string): boolean => day >= from && day <= to

/** The last days up to today that are in the range, oldest first. */
export const lastDays = (count: number, now: number, range: DayRange): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => dayIn(new Date(now - (count - 1 - index) * DAY)))
    .filter((day) => isWithin(range, day))
