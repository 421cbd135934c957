/** The dates of a text, comparable however they are written. */
import { once } from "@tributary/retrieval"
import { makeCalendarWords } from "./calendarWords.ts"
import { numbersIn } from "./numbers.ts"

interface CalendarDate {
  readonly year: number | null
  readonly month: number
  readonly day: number | null
}

interface FoundDate {
  readonly text: string
  /** More than one where day and month may be swapped, or where it is a range of days. */
  readonly readings: ReadonlyArray<CalendarDate>
}

const LOCALES = ["en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "pl", "cs", "ru", "uk"]

const calendarWords = once(() => makeCalendarWords(LOCALES))

const monthsOf = (locale: string): ReadonlyArray<readonly [string, number]> =>
  (["long", "short"] as const).flatMap((style) => {
    const format = new Intl.DateTimeFormat(locale, { day: "numeric", month: style, timeZone: "UTC" })
    return Array.from({ length: 12 }, (_, month) => {
      const part = format.formatToParts(Date.UTC(2024, month, 15)).find(({ type }) => type === "month")
      return [(part?.value ?? "").toLowerCase().replace(/\.$/, ""), month + 1] as const
    })
  }).filter(([name]) => /^\p{L}{3,}$/u.test(name))

const ORDINAL = "(?:st|nd|rd|th|er|º|ª|\\.)?"

// Not behind a dot: "9.1 September 2022" begins with a version.
const DAYS = `(?<!\\d\\.?)\\d{1,2}${ORDINAL}(?:\\s?(?:[-–—]|to|and|bis|und|au|et|al|y|и)\\s?\\d{1,2}${ORDINAL})?(?!\\d)`

const YEAR = "(?<!\\d)\\d{4}(?!\\d)"

const OF = "(?:\\s(?:of|de|del))?"

/** Made at the first question: the names of months in this many languages take a while. */
const named = once(() => {
  const months = new Map([...LOCALES.flatMap(monthsOf), ["sept", 9] as const])
  const month = [...months.keys()].sort((left, right) => right.length - left.length).join("|")
  const pattern = new RegExp(
    [
      `(?<days1>${DAYS})${OF}\\s(?<month1>${month})\\.?(?!\\p{L})(?:,?${OF}\\s(?<year1>${YEAR}))?`,
      `(?<!\\p{L})(?<month2>${month})\\.?\\s(?<days2>${DAYS})(?:,?\\s(?<year2>${YEAR}))?`,
      `(?<!\\p{L})(?<month3>${month})\\.?,?${OF}\\s(?<year3>${YEAR})`
    ].join("|"),
    "giu"
  )
  return { months, pattern }
})

const NUMERIC =
  /(?<![\d.])(?:(?<year>\d{4})([-/.])(?<month>\d{1,2})\2(?<day>\d{1,2})|(?<first>\d{1,2})([./-])(?<second>\d{1,2})\6(?<last>\d{4})|(?:(?<year4>\d{4})年)?(?<month4>\d{1,2})月(?<day4>\d{1,2})日)(?!\d|\.\d)/g

const numberOrNull = (text: string | undefined): number | null => text === undefined ? null : Number(text)

const isPossible = ({ day, month }: CalendarDate): boolean =>
  month >= 1 && month <= 12 && (day === null || (day >= 1 && day <= 31))

const namedReadings = (groups: Readonly<Record<string, string | undefined>>): ReadonlyArray<CalendarDate> => {
  const month = named().months.get((groups["month1"] ?? groups["month2"] ?? groups["month3"] ?? "").toLowerCase()) ?? 0
  const year = numberOrNull(groups["year1"] ?? groups["year2"] ?? groups["year3"])
  const days = (groups["days1"] ?? groups["days2"])?.match(/\d{1,2}/g) ?? [undefined]
  return days.map((day) => ({ year, month, day: numberOrNull(day) }))
}

const numericReadings = (groups: Readonly<Record<string, string | undefined>>): ReadonlyArray<CalendarDate> => {
  const { day, day4, first, last, month, month4, second, year, year4 } = groups
  if (year !== undefined) return [{ year: Number(year), month: Number(month), day: Number(day) }]
  if (month4 !== undefined) return [{ year: numberOrNull(year4), month: Number(month4), day: Number(day4) }]
  const one = { year: Number(last), month: Number(second), day: Number(first) }
  return [one, { ...one, month: one.day, day: one.month }]
}

const found = (text: string, pattern: RegExp, read: typeof namedReadings): ReadonlyArray<FoundDate> =>
  [...text.matchAll(pattern)].map(({ 0: text, groups = {} }) => ({ text, readings: read(groups).filter(isPossible) }))
    .filter(({ readings }) => readings.length > 0)

const datesIn = (text: string): ReadonlyArray<FoundDate> => [
  ...found(text, NUMERIC, numericReadings),
  ...found(text, named().pattern, namedReadings)
]

/** A year may be apart from its day and month; a day may not. */
const agrees = (claimed: CalendarDate, proved: CalendarDate, numbers: ReadonlySet<string>): boolean =>
  claimed.month === proved.month && (claimed.day === null || claimed.day === proved.day) &&
  (claimed.year === null || claimed.year === proved.year ||
    (proved.year === null && numbers.has(String(claimed.year))))

/** The dates of a statement that its proof does not contain, and the statement without those that it does. */
export const unprovedDates = (statement: string, proof: string) => {
  const proved = datesIn(proof).flatMap(({ readings }) => readings)
  const numbers = new Set(numbersIn(proof).flatMap(({ readings }) => readings))
  const unproved: Array<string> = []
  let rest = statement
  for (const { readings, text } of datesIn(statement)) {
    if (readings.some((claimed) => proved.some((date) => agrees(claimed, date, numbers)))) {
      rest = rest.replace(text, " ")
    } else if (!proof.toLowerCase().includes(text.toLowerCase())) unproved.push(text)
  }
  const known = new Set([...calendarWords().meaningsIn(proof), ...proved.map(({ month }) => `month ${month}`)])
  rest = calendarWords().replaced(rest, (word, meanings) => {
    if ([...meanings].some((meaning) => known.has(meaning))) return " "
    unproved.push(word)
    return word
  })
  return { unproved, rest }
}
