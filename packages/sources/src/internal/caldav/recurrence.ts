/** The instances of a recurrence rule (RFC 5545, 3.3.10), as local times in milliseconds as if they were UTC. */
import { DAY } from "@tributary/core/model/Day"
import type ICAL from "ical.js"
import { asIfUtc } from "./KnownZone.ts"

const FREQUENCIES = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"]
const HOURLY = 4
/** The milliseconds of periods that are shorter than a day. */
const UNITS: Readonly<Record<number, number>> = { 4: 3_600_000, 5: 60_000, 6: 1_000 }
const WEEKDAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

/** The most periods and times that are gone through, because a rule may never match. */
const MAX_STEPS = 1_000_000

/** Whether a list has a position, counted from the start or, if it is negative, from the end. */
const hasPosition = (list: ReadonlyArray<number>, position: number, length: number): boolean =>
  list.includes(position) || list.includes(position - length - 1)

const dayOf = (year: number, month: number, day = 1): number => Date.UTC(year, month, day) / DAY

/** 1970 began on a Thursday. */
const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7

interface ByDay {
  readonly weekday: number
  /** Which of the month or the year; null for all. */
  readonly nth: number | null
}

const byDayOf = (text: string): ByDay => {
  const nth = Number.parseInt(text, 10)
  return { weekday: WEEKDAYS.indexOf(text.slice(-2)), nth: Number.isNaN(nth) ? null : nth }
}

/** Whether a rule allows a day, counted from 1970. What the rule does not say is as in the start. */
const dayFilter = (rule: ICAL.Recur, start: Date): (day: number) => boolean => {
  const { BYDAY = [], BYMONTH = [], BYMONTHDAY = [], BYWEEKNO = [], BYYEARDAY = [] } = rule.parts
  const [isYearly, isMonthly, isWeekly] = FREQUENCIES.map((frequency) => rule.freq === frequency)
  const isDayOpen = BYDAY.length + BYMONTHDAY.length + BYYEARDAY.length === 0
  const isByDate = isDayOpen && BYWEEKNO.length === 0 && (isYearly || isMonthly)
  const months = isByDate && isYearly && BYMONTH.length === 0 ? [start.getUTCMonth() + 1] : BYMONTH
  const monthDays = isByDate ? [start.getUTCDate()] : BYMONTHDAY
  const isByWeekday = isDayOpen && (isWeekly || (isYearly && BYWEEKNO.length > 0))
  const weekdays = isByWeekday ? [{ weekday: start.getUTCDay(), nth: null }] : BYDAY.map(byDayOf)
  const isOfMonth = isMonthly || BYMONTH.length > 0
  const hasNth = (isYearly || isMonthly) && BYWEEKNO.length === 0
  /** The first day of the first week, which has at least four days in the year. */
  const firstWeek = (year: number) => {
    const fourth = dayOf(year, 0, 4)
    return fourth - (weekdayOf(fourth) - (rule.wkst - 1) + 7) % 7
  }

  const isInWeek = (day: number, year: number): boolean => {
    const own = [year + 1, year, year - 1].find((one) => day >= firstWeek(one))!
    const first = firstWeek(own)
    return hasPosition(BYWEEKNO, Math.floor((day - first) / 7) + 1, (firstWeek(own + 1) - first) / 7)
  }

  return (day) => {
    const date = new Date(day * DAY)
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
    if (months.length > 0 && !months.includes(month + 1)) return false
    const [ofMonth, monthLength] = [date.getUTCDate(), dayOf(year, month + 1) - dayOf(year, month)]
    if (monthDays.length > 0 && !hasPosition(monthDays, ofMonth, monthLength)) return false
    const [ofYear, yearLength] = [day - dayOf(year, 0) + 1, dayOf(year + 1, 0) - dayOf(year, 0)]
    if (BYYEARDAY.length > 0 && !hasPosition(BYYEARDAY, ofYear, yearLength)) return false
    if (BYWEEKNO.length > 0 && !isInWeek(day, year)) return false
    const [position, length] = isOfMonth ? [ofMonth, monthLength] : [ofYear, yearLength]
    const before = Math.ceil(position / 7)
    const after = -Math.ceil((length - position + 1) / 7)
    return weekdays.length === 0 ||
      weekdays.some(({ nth, weekday }) =>
        weekday === date.getUTCDay() && (nth === null || !hasNth || nth === before || nth === after)
      )
  }
}

const numbers = (length: number): ReadonlyArray<number> => Array.from({ length }, (_, at) => at)

/** Of a day, in milliseconds: those that a rule lists, or all in a frequency that is shorter, or that of the start. */
const timesOf = ({ freq, parts: { BYHOUR, BYMINUTE, BYSECOND } }: ICAL.Recur, start: Date): ReadonlyArray<number> => {
  const level = FREQUENCIES.indexOf(freq)
  const hours = BYHOUR ?? (level < HOURLY ? [start.getUTCHours()] : numbers(24))
  const minutes = BYMINUTE ?? (level < HOURLY + 1 ? [start.getUTCMinutes()] : numbers(60))
  const seconds = BYSECOND ?? (level < HOURLY + 2 ? [start.getUTCSeconds()] : numbers(60))
  return hours.flatMap((hour) =>
    minutes.flatMap((minute) => seconds.map((second) => ((hour * 60 + minute) * 60 + second) * 1_000))
  ).sort((a, b) => a - b)
}

/** Ascending, without those before a time. */
export function* instances(rule: ICAL.Recur, start: ICAL.Time, from: number, to: number): Generator<number> {
  const first = asIfUtc(start)
  const date = new Date(first)
  const [year, month, firstDay] = [date.getUTCFullYear(), date.getUTCMonth(), Math.floor(first / DAY)]
  const { count, parts: { BYSETPOS }, wkst } = rule
  const level = FREQUENCIES.indexOf(rule.freq)
  const interval = Math.max(1, rule.interval)
  const unit = UNITS[level] ?? DAY
  const isAllowed = dayFilter(rule, date)
  const times = start.isDate ? [0] : timesOf(rule, date)

  /** The first day of a period. Those of less than a day are found day by day. */
  const dayAt = (period: number): number =>
    level === 0
      ? dayOf(year + period, 0)
      : level === 1
      ? dayOf(year, month + period)
      : level === 2
      ? firstDay - (date.getUTCDay() - (wkst - 1) + 7) % 7 + 7 * period
      : firstDay + period
  const isInInterval = (instance: number): boolean =>
    level < HOURLY || (Math.floor(instance / unit) - Math.floor(first / unit)) % interval === 0

  const step = level < HOURLY ? interval : 1
  // No period is longer than this.
  const longest = [366, 31, 7][level] ?? 1
  const skipped = count === null ? Math.max(0, Math.floor((from / DAY - firstDay) / longest / step) - 1) : 0
  let [steps, found] = [0, 0]
  for (let period = skipped * step; dayAt(period) * DAY <= to; period += step) {
    const days = numbers(dayAt(period + 1) - dayAt(period)).map((at) => dayAt(period) + at).filter(isAllowed)
    const size = days.length * times.length
    for (const [at, day] of days.entries()) {
      for (const [nth, time] of times.entries()) {
        if (++steps > MAX_STEPS) return
        const instance = day * DAY + time
        if (instance < first || !isInInterval(instance)) continue
        if (level < HOURLY && BYSETPOS && !hasPosition(BYSETPOS, at * times.length + nth + 1, size)) continue
        if (count !== null && ++found > count) return
        if (instance >= from) yield instance
      }
    }
    if (++steps > MAX_STEPS) return
  }
}
