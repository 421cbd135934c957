/** Times: ISO 8601 in UTC with milliseconds on the wire, `Date` in code. */
import { Schema, SchemaTransformation } from "effect"
import { integer } from "./Integer.ts"
import { violatedBy, type Violation } from "./Violation.ts"

/** A time in a response. */
export const Timestamp = Schema.String.annotate({ format: "date-time" }).pipe(
  Schema.decodeTo(
    Schema.Date,
    SchemaTransformation.transform({
      decode: (text) => new Date(text),
      encode: (date) => date.toISOString()
    })
  )
)

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const daysIn = (year: number, month: number): number =>
  month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : DAYS_IN_MONTH[month - 1]!

const DIGITS = /^[0-9]+$/

/** Why the first ten characters are not a calendar date; the reasons are checked in this order. */
const dateFault = (text: string): string | undefined => {
  if (Array.from(text.slice(0, 20)).length < 10) return "input is too short"
  if (!DIGITS.test(text.slice(0, 4))) return "invalid character in year"
  if (text[4] !== "-") return "invalid date separator, expected `-`"
  if (!DIGITS.test(text.slice(5, 7))) return "invalid character in month"
  if (text[7] !== "-") return "invalid date separator, expected `-`"
  if (!DIGITS.test(text.slice(8, 10))) return "invalid character in day"
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))]
  if (month < 1 || month > 12) return "month value is outside expected range of 1-12"
  if (day < 1 || day > daysIn(year, month)) return "day value is outside expected range"
  if (year === 0) return "year 0 is out of range"
  return undefined
}

const calendarDateFault = (text: string): Violation | undefined => {
  const fault = dateFault(text) ??
    (text.length > 10 ? "unexpected extra characters at the end of the input" : undefined)
  return fault === undefined ? undefined : {
    type: "date_parsing",
    message: `Input should be a valid date in the format YYYY-MM-DD, ${fault}`,
    context: { error: fault }
  }
}

/** A calendar date `YYYY-MM-DD` of the years 0001 to 9999, kept as text. */
export const CalendarDate = Schema.String.annotate({ format: "date" }).check(violatedBy(calendarDateFault))

const TIME = /^[Tt_ ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?(.*)$/s
const OFFSET = /^(?:[Zz]|[+-]([0-9]{2}):?([0-9]{2}))$/

const unparsable = (error: string): Violation => ({
  type: "datetime_from_date_parsing",
  message: `Input should be a valid datetime or date, ${error}`,
  context: { error }
})

const WITHOUT_OFFSET: Violation = { type: "timezone_aware", message: "Input should have timezone info" }

const USUAL = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,3})?Z$/

/** The date of a text in the usual form, which the platform parses faster. */
const usualDate = (text: string): Date | undefined => {
  if (!USUAL.test(text)) return undefined
  const date = new Date(text)
  // The platform takes 30 February for 2 March, and 24:00 for the next day.
  return date.getUTCDate() === Number(text.slice(8, 10)) && date.getUTCFullYear() > 0 ? date : undefined
}

/** Why a text is not a date-time with an offset; undefined if it is one. */
export const dateTimeFault = (text: string): Violation | undefined => {
  if (usualDate(text) !== undefined) return undefined
  const fault = dateFault(text)
  if (fault !== undefined) return unparsable(fault)
  if (text.length === 10) return WITHOUT_OFFSET
  if (!/^[Tt_ ]/.test(text.slice(10))) return unparsable("invalid datetime separator, expected `T`, `t`, `_` or space")
  const time = TIME.exec(text.slice(10))
  if (time === null) return unparsable("input is too short")
  const [, hour, minute, second = "00", , rest = ""] = time
  if (Number(hour) > 23) return unparsable("hour value is outside expected range of 0-23")
  if (Number(minute) > 59) return unparsable("minute value is outside expected range of 0-59")
  if (Number(second) > 59) return unparsable("second value is outside expected range of 0-59")
  if (rest === "") return WITHOUT_OFFSET
  const offset = OFFSET.exec(rest)
  if (offset === null) return unparsable("unexpected extra characters at the end of the input")
  if (Number(offset[1] ?? 0) > 23 || Number(offset[2] ?? 0) > 59) {
    return unparsable("timezone offset must be less than 24 hours")
  }
  const year = toDate(text).getUTCFullYear()
  return year < 1 || year > 9999 ? unparsable(`year ${year} is out of range`) : undefined
}

/** Parses a text without faults. */
export const toDate = (text: string): Date => {
  const usual = usualDate(text)
  if (usual !== undefined) return usual
  const [, hour, minute, second = "00", fraction = "", rest = "Z"] = TIME.exec(text.slice(10))!
  const [, hours = "00", minutes = "00"] = OFFSET.exec(rest)!
  const utc = new Date(`${text.slice(0, 10)}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, "0")}Z`)
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000 * (rest.startsWith("-") ? -1 : 1)
  return new Date(utc.getTime() - offset)
}

const FIRST = new Date("0001-01-01T00:00:00.000Z")
const LAST = new Date("9999-12-31T23:59:59.999Z")

/** The times with a four-digit year, which every store supports. */
const Writable = Schema.Date.check(Schema.isBetweenDate({ minimum: FIRST, maximum: LAST }))

/** Such a time in milliseconds. */
export const Millis = integer(FIRST.getTime(), LAST.getTime())

/** A time in a request: RFC 3339 with an offset, years 0001 to 9999 in UTC. */
export const ClientTimestamp = Schema.String.annotate({ format: "date-time" }).check(violatedBy(dateTimeFault)).pipe(
  Schema.decodeTo(
    Writable,
    SchemaTransformation.transform({ decode: toDate, encode: (date) => date.toISOString() })
  )
)
