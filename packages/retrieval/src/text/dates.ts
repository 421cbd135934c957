/** Days that a text names by how far they lie from the moment at which it was written: `tomorrow`, `last Friday`. */
import type { Span } from "./Span.ts"

/** Days since the epoch, both inclusive, as a calendar counts them. */
export interface Days {
  readonly first: number
  readonly last: number
}

export interface NamedDays extends Days, Span {}

export const DAY = 86_400_000

/** To make one takes long; a zone may be written in many ways, so not all are kept. */
const MOST_FORMATS = 100
const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (timezone: string): Intl.DateTimeFormat => {
  const known = formats.get(timezone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone: timezone,
    calendar: "iso8601",
    numberingSystem: "latn"
  })
  if (formats.size >= MOST_FORMATS) formats.clear()
  formats.set(timezone, format)
  return format
}

/** The day of a moment, to whoever keeps that time zone. */
export const dayOf = (moment: Date, timezone: string): number => {
  const [year, month, day] = formatOf(timezone).format(moment).split("-").map(Number)
  return Date.UTC(year!, month! - 1, day!) / DAY
}

export const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

const MONTHS = "january february march april may june july august september october november december".split(" ")

/** `Monday`, `March`: a word with a capital that tells a day rather than a thing. */
export const isDateWord = (word: string): boolean => [...WEEKDAYS, ...MONTHS].includes(word.toLowerCase())

const NUMBERS = ["a", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]

const numberOf = (word: string): number => {
  const index = NUMBERS.indexOf(word === "an" ? "a" : word)
  return index === -1 ? Number(word) : Math.max(1, index)
}

const COUNT = `(?<count>\\d{1,3}|an|${NUMBERS.join("|")})`
const UNIT = "(?<unit>day|week|month|year)s?"
const EXPRESSION = new RegExp(
  "\\b(?:(?<plain>day before yesterday|day after tomorrow|yesterday|today|tonight|this (?:morning|afternoon|evening)|tomorrow|last night)" +
    `|${COUNT} ${UNIT} (?<ago>ago|earlier)|in ${COUNT.replace("count", "ahead")} ${UNIT.replace("unit", "later")}` +
    `|(?<which>last|this|next|past|coming) (?:(?<span>week|month|year)|(?<weekday>${WEEKDAYS.join("|")})))\\b`,
  "giu"
)

const PLAIN: Readonly<Record<string, number>> = {
  "day before yesterday": -2,
  yesterday: -1,
  "last night": -1,
  tomorrow: 1,
  "day after tomorrow": 2
}

/** 0 is Sunday. */
export const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7

const monday = (day: number): number => day - ((weekdayOf(day) + 6) % 7)

/** The first day of a month so many months away. */
const monthStart = (day: number, months: number): number => {
  const date = new Date(day * DAY)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / DAY
}

const yearStart = (day: number, years: number): number =>
  Date.UTC(new Date(day * DAY).getUTCFullYear() + years, 0, 1) / DAY

const SPANS: Readonly<Record<string, (day: number, step: number) => Days>> = {
  day: (day, step) => ({ first: day + step, last: day + step }),
  week: (day, step) => ({ first: monday(day) + 7 * step, last: monday(day) + 7 * step + 6 }),
  month: (day, step) => ({ first: monthStart(day, step), last: monthStart(day, step + 1) - 1 }),
  year: (day, step) => ({ first: yearStart(day, step), last: yearStart(day, step + 1) - 1 })
}

/** `this` is the one to come; `last` goes back from today, `next` skips what is left of this week. */
const weekday = (today: number, name: string, which: string): Days => {
  const wanted = WEEKDAYS.indexOf(name)
  const ahead = (wanted - weekdayOf(today) + 7) % 7
  const day = which === "last" || which === "past"
    ? today - ((weekdayOf(today) - wanted + 7) % 7 || 7)
    : which === "next"
    ? monday(today) + 7 + ((wanted + 6) % 7)
    : today + ahead
  return { first: day, last: day }
}

const STEPS: Readonly<Record<string, number>> = { last: -1, past: -1, this: 0, next: 1, coming: 1 }

type Groups = Readonly<Record<string, string | undefined>>

const daysOf = (today: number, groups: Groups): Days => {
  const { ago, ahead, count, later, plain, span, unit, weekday: name, which } = groups
  if (plain !== undefined) return SPANS["day"]!(today, PLAIN[plain] ?? 0)
  if (ago !== undefined) return SPANS[unit!]!(today, -numberOf(count!))
  if (ahead !== undefined) return SPANS[later!]!(today, numberOf(ahead))
  return name === undefined ? SPANS[span!]!(today, STEPS[which!]!) : weekday(today, name, which!)
}

/** In the order in which they stand; `today` is the day of the text. */
export const relativeDays = (text: string, today: number): ReadonlyArray<NamedDays> =>
  [...text.matchAll(EXPRESSION)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    ...daysOf(
      today,
      Object.fromEntries(Object.entries(match.groups ?? {}).map(([key, value]) => [key, value?.toLowerCase()]))
    )
  }))

const FORMAT = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "long", year: "numeric" })

/** `12 March 2026`, `9 March 2026 to 15 March 2026`. */
export const tellDays = ({ first, last }: Days): string =>
  first === last
    ? FORMAT.format(first * DAY)
    : `${FORMAT.format(first * DAY)} to ${FORMAT.format(last * DAY)}`
