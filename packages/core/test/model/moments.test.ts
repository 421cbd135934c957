import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { CalendarDate, dateTimeFault, toDate } from "../../src/model/Timestamp.ts"

const isDate = Schema.is(CalendarDate)

describe("a calendar date", () => {
  it("is any day of the years 1 to 9999", () => {
    for (const date of ["0001-01-01", "2024-02-29", "2000-02-29", "9999-12-31"]) assert.isTrue(isDate(date), date)
  })

  it("is no day that the calendar lacks, and has no other spelling", () => {
    for (
      const date of [
        "",
        "0000-01-01",
        "1900-02-29",
        "2023-02-29",
        "2024-13-01",
        "2024-00-01",
        "2024-04-31",
        "2024-1-1",
        "20240101",
        "2024-01-01T00:00:00Z",
        "+2024-01-1",
        "2024/01/01",
        " 2024-01-01",
        "2024-01-01\n",
        "２０２４-01-01"
      ]
    ) assert.isFalse(isDate(date), date)
  })
})

describe("a date-time", () => {
  it("is parsed with its offset, to the millisecond", () => {
    const cases = {
      "2026-03-01T12:00:00Z": "2026-03-01T12:00:00.000Z",
      "2026-03-01t12:00:00z": "2026-03-01T12:00:00.000Z",
      "2026-03-01 12:00:00.5+02:00": "2026-03-01T10:00:00.500Z",
      "2026-03-01T12:00+0530": "2026-03-01T06:30:00.000Z",
      "2026-03-01T00:30:00-01:00": "2026-03-01T01:30:00.000Z",
      "2026-03-01T23:59:59.123456789Z": "2026-03-01T23:59:59.123Z",
      "2024-02-29T00:00:00+14:00": "2024-02-28T10:00:00.000Z",
      "0001-01-01T01:00:00+01:00": "0001-01-01T00:00:00.000Z",
      "9999-12-31T22:59:59.999-01:00": "9999-12-31T23:59:59.999Z"
    }
    for (const [text, moment] of Object.entries(cases)) {
      assert.isUndefined(dateTimeFault(text), text)
      assert.strictEqual(toDate(text).toISOString(), moment, text)
    }
  })

  it.prop("is restored from its ISO form", [
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 253_402_300_799_999 }))
  ], ([ms]) => {
    const text = new Date(ms).toISOString()
    assert.isUndefined(dateTimeFault(text))
    assert.strictEqual(toDate(text).getTime(), ms)
  })

  it("has a reason if it is invalid", () => {
    const faults = {
      "2026-03-01T12:00:00": "timezone_aware",
      "2026-03-01": "timezone_aware",
      "2026-02-30T12:00:00Z": "datetime_from_date_parsing",
      "2026-03-01T24:00:00Z": "datetime_from_date_parsing",
      "2026-03-01T12:60:00Z": "datetime_from_date_parsing",
      "2026-03-01T12:00:00+24:00": "datetime_from_date_parsing",
      "2026-03-01T12:00:00Z and more": "datetime_from_date_parsing",
      "0001-01-01T00:59:59+01:00": "datetime_from_date_parsing",
      "9999-12-31T23:00:00-01:00": "datetime_from_date_parsing",
      "yesterday": "datetime_from_date_parsing",
      "": "datetime_from_date_parsing"
    }
    for (const [text, type] of Object.entries(faults)) assert.strictEqual(dateTimeFault(text)?.type, type, text)
    for (const beginning of ["", "2026-03-01", "2026-03-01T12:00:00.", "2026-03-01T12:00:00Z"]) {
      const long = `${beginning}${"1".repeat(10_000_000)}\u2620`
      assert.strictEqual(dateTimeFault(long)?.type, "datetime_from_date_parsing", beginning)
    }
  })
})
