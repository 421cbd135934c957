/** The days that a question names, and whether a text speaks of them or of others. */
import { calendarDays } from "../text/calendarDays.ts"
import { dayOf, type Days, relativeDays, weekdayOf, WEEKDAYS } from "../text/dates.ts"
import type { Span } from "../text/Span.ts"
import { daysIn } from "./weekdays.ts"

/** As far as days matter. */
interface Dated {
  readonly text: string
  readonly timestamp: Date
}

export interface AskedDays {
  /** The question without them. */
  readonly rest: string
  /** Whether a passage is about them, by its own moment or by the days that it names. */
  isOfPassage(passage: Dated): boolean
  /** Whether a statement may be, in a passage that is or is not, read with its titles and what else stands around it. */
  isOfStatement(passage: Dated, isOfPassage: boolean, statement: string, around: string): boolean
}

const WEEKDAY = new RegExp(`\\b(${WEEKDAYS.join("|")})s?\\b`, "giu")

const weekdaysIn = (text: string): ReadonlySet<number> =>
  new Set([...text.matchAll(WEEKDAY)].map(([, name = ""]) => WEEKDAYS.indexOf(name.toLowerCase())))

export const overlapSome = (named: ReadonlyArray<Days>, asked: Days): boolean =>
  named.some(({ first, last }) => first <= asked.last && last >= asked.first)

const hasWeekday = (weekdays: ReadonlySet<number>, first: number, last: number): boolean =>
  Array.from({ length: last - first + 1 }, (_, at) => weekdayOf(first + at)).some((weekday) => weekdays.has(weekday))

/** A text in which the stretches are blank. */
export const without = (text: string, stretches: ReadonlyArray<Span>): string =>
  stretches.reduce(
    (blank, { end, start }) => blank.slice(0, start) + " ".repeat(end - start) + blank.slice(end),
    text
  )

export const askedDays = (question: string, now: Date, timezone: string): AskedDays => {
  const today = dayOf(now, timezone)
  const relative = relativeDays(question, today)
  const periods = [...relative, ...calendarDays(question, today)]
  const single = relative.filter(({ first, last }) => first === last).map(({ first }) => weekdayOf(first))
  const named = weekdaysIn(question)
  const weekdays = new Set([...single, ...named])
  const own = ({ timestamp }: Dated): Days => {
    const day = dayOf(timestamp, timezone)
    return { first: day, last: day }
  }
  const isOfPassage = (passage: Dated): boolean => {
    if (periods.length + named.size === 0) return true
    const day = own(passage)
    const told = [day, ...daysIn(passage.text, day.first)]
    return periods.every((period) => overlapSome(told, period)) &&
      (named.size === 0 || told.some(({ first, last }) => last - first < 7 && hasWeekday(named, first, last)))
  }
  return {
    rest: without(question, periods),
    isOfPassage,
    isOfStatement: (passage, ofPassage, statement, around) => {
      if (weekdays.size + periods.length === 0) return true
      const inStatement = weekdaysIn(statement)
      const isNamed = [...inStatement].some((weekday) => weekdays.has(weekday))
      // `Monday: Ada` says nothing about Tuesday.
      if (weekdays.size > 0 && inStatement.size > 0 && !isNamed) return false
      if (ofPassage) return true
      const { first: day } = own(passage)
      const dates = calendarDays(statement, day)
      const near = dates.length > 0 ? dates : calendarDays(around, day)
      const isThen = (period: Days) =>
        near.length > 0 ? overlapSome(near, period) : isNamed && relative.some((one) => one === period)
      return periods.every(isThen) &&
        (named.size === 0 || isNamed || [...weekdaysIn(around)].some((weekday) => named.has(weekday)))
    }
  }
}
