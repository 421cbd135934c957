/** Column values as @effect/sql-pg gives them, so that one row schema fits both drivers. */
import type { ParserOptions } from "@electric-sql/pglite"
import { types } from "@electric-sql/pglite"

const format =
  /^(\d{4,})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(?:([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?)?( BC)?$/

/** The epoch of Postgres, towards which fractions of a millisecond are cut. */
const epoch = Date.UTC(2000, 0)

/**
 * Wall-clock fields without an offset count as UTC, wherever the process runs. `infinity` has no Date, there as here: an
 * invalid one. `Date.parse` is of no use: it takes the year 99 for 1999.
 */
const instant = (text: string): Date => {
  const [, year, month, day, hours, minutes, seconds, fraction = "", sign, ...rest] = format.exec(text) ?? []
  const [offsetHours = 0, offsetMinutes = 0, offsetSeconds = 0, bc] = rest
  const at = new Date(0)
  at.setUTCFullYear(bc === undefined ? Number(year) : 1 - Number(year), Number(month) - 1, Number(day))
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60 + Number(offsetSeconds)
  const microseconds = Number(fraction.padEnd(6, "0"))
  at.setUTCHours(Number(hours), Number(minutes), Number(seconds) - (sign === "-" ? -offset : offset))
  const milliseconds = at.getTime() + microseconds / 1000
  return new Date(milliseconds < epoch ? Math.ceil(milliseconds) : Math.floor(milliseconds))
}

export const rowTypes: ParserOptions = {
  [types.INT8]: BigInt,
  [types.DATE]: (text) => text,
  [types.TIMESTAMP]: instant,
  [types.TIMESTAMPTZ]: instant,
  [types.BYTEA]: (text) => new Uint8Array(Buffer.from(text.slice(2), "hex"))
}
