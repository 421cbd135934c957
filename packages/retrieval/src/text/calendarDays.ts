/** Days, months and years that a text names by the calendar: `12 March`, `9 to 13 March 2026`, `2026-03-12`, `in May`. */
import { DAY, type NamedDays } from "./dates.ts"

/** By the first three letters, or more where those are shared. */
const MONTHS: ReadonlyArray<readonly string[]> = [
  ["jan", "january", "januar", "janvier", "enero"],
  ["feb", "february", "februar", "février", "febrero"],
  ["mar", "march", "märz", "mars", "marzo"],
  ["apr", "april", "avril", "abril"],
  ["may", "mai", "mayo"],
  ["jun", "june", "juni", "juin", "junio"],
  ["jul", "july", "juli", "juillet", "julio"],
  ["aug", "august", "août", "agosto"],
  ["sep", "sept", "september", "septembre", "septiembre"],
  ["oct", "october", "oktober", "octobre", "octubre"],
  ["nov", "november", "novembre", "noviembre"],
  ["dec", "december", "dezember", "décembre", "diciembre"]
]

/** Longer names before those that they begin with. */
export const MONTH_NAMES: ReadonlyArray<string> = MONTHS.flat().sort((left, right) => right.length - left.length)

const MONTH = `(?:${MONTH_NAMES.join("|")})(?!\\p{L})\\.?`

const monthOf = (name: string): number =>
  MONTHS.findIndex((names) => names.includes(name.toLowerCase().replace(".", "")))

const ORDINAL = "(?:st|nd|rd|th|er|\\.)?"
const YEAR = "(?:,? (?:de )?(?<year>(?:19|20)\\d{2}))?(?!\\d)"
const BEFORE = "(?<![\\p{L}\\p{N}.:])"

const DATES = new RegExp(
  [
    `${BEFORE}(?<iso>(?:19|20)\\d{2}-\\d{2}-\\d{2})(?!\\d)`,
    `${BEFORE}(?<dotted>\\d{1,2}\\.\\d{1,2}\\.(?:(?:19|20)\\d{2})?)(?!\\d)`,
    `${BEFORE}(?<first>\\d{1,2})${ORDINAL}(?: ?(?:to|until|till|and|bis|und|al|y|au|et|-|\u2013) ?(?<last>\\d{1,2})${ORDINAL})?(?: of| de)? (?<month>${MONTH})${YEAR}`,
    `${BEFORE}(?<monthBefore>${MONTH}) (?<day>\\d{1,2})(?:st|nd|rd|th)?(?![\\d:.]\\d)${
      YEAR.replace("year", "yearBehind")
    }`,
    `(?<=(?:^|[^\\p{L}])(?:in|im|en|of|during|since|last|this|next) )(?<whole>${MONTH})${
      YEAR.replace("year", "yearOfWhole")
    }`,
    `${BEFORE}(?<named>${MONTH}) (?<yearOfNamed>(?:19|20)\\d{2})(?!\\d)`,
    `(?<=(?:^|[^\\p{L}])(?:in|of|during|en|année|año|Jahr) )(?<yearAlone>(?:19|20)\\d{2})(?!\\d)`
  ].join("|"),
  "giu"
)

const dayNumber = (year: number, month: number, day: number): number => Date.UTC(year, month, day) / DAY

/** Of the years that may be meant, the one in which it lies nearest to the day of the text. */
const nearest = (today: number, given: string | undefined, dayIn: (year: number) => number): number => {
  if (given !== undefined) return Number(given)
  const year = new Date(today * DAY).getUTCFullYear()
  const away = (candidate: number) => Math.abs(dayIn(candidate) - today)
  return [year - 1, year + 1].reduce((best, candidate) => (away(candidate) < away(best) ? candidate : best), year)
}

type Groups = Readonly<Record<string, string | undefined>>

const rangeOf = (groups: Groups, today: number): readonly [first: number, last: number] => {
  const { day, dotted, first, iso, last, month, monthBefore, named, whole, year, yearAlone, yearBehind } = groups
  if (iso !== undefined) {
    const [inYear, inMonth, onDay] = iso.split("-").map(Number)
    const only = dayNumber(inYear!, inMonth! - 1, onDay!)
    return [only, only]
  }
  if (yearAlone !== undefined) return [dayNumber(Number(yearAlone), 0, 1), dayNumber(Number(yearAlone), 11, 31)]
  if (dotted !== undefined) {
    const [onDay, inMonth, inYear] = dotted.split(".")
    const of = (candidate: number) => dayNumber(candidate, Number(inMonth) - 1, Number(onDay))
    const only = of(nearest(today, inYear === "" ? undefined : inYear, of))
    return [only, only]
  }
  const wholeMonth = whole ?? named
  if (wholeMonth !== undefined) {
    const at = monthOf(wholeMonth)
    const inYear = nearest(
      today,
      groups["yearOfWhole"] ?? groups["yearOfNamed"],
      (candidate) => dayNumber(candidate, at, 15)
    )
    return [dayNumber(inYear, at, 1), dayNumber(inYear, at + 1, 0)]
  }
  const at = monthOf(month ?? monthBefore!)
  const on = Number(first ?? day)
  const inYear = nearest(today, year ?? yearBehind, (candidate) => dayNumber(candidate, at, on))
  return [dayNumber(inYear, at, on), dayNumber(inYear, at, last === undefined ? on : Number(last))]
}

/** `may 5 people come`: in small letters these are verbs. */
const VERB = /^(?:may|mar|march)$/u

const isDay = ({ day, dotted, first, month, monthBefore, named, whole }: Groups): boolean => {
  const [onDay, inMonth = "1"] = dotted?.split(".") ?? [first ?? day ?? "1"]
  return Number(onDay) >= 1 && Number(onDay) <= 31 && Number(inMonth) >= 1 && Number(inMonth) <= 12 &&
    [month, monthBefore, named, whole].every((name) => name === undefined || !VERB.test(name))
}

/** In the order in which they stand; without a year, the nearest to `today`, the day of the text. */
export const calendarDays = (text: string, today: number): ReadonlyArray<NamedDays> =>
  [...text.matchAll(DATES)].flatMap((match) => {
    const groups = match.groups ?? {}
    if (!isDay(groups)) return []
    const [first, last] = rangeOf(groups, today)
    return first <= last ? [{ start: match.index, end: match.index + match[0].length, first, last }] : []
  })
