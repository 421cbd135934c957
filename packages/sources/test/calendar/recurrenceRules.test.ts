/** Recurrence rules that expansions of other programs get wrong, compared with the dates of RFC 5545. */
import { assert, describe, it } from "@effect/vitest"
import { readEvent } from "../../src/internal/caldav/readEvent.ts"

const window = { now: new Date("2026-01-01"), from: new Date("2026-01-01"), to: new Date("2026-12-31") }

const occurrences = (...lines: ReadonlyArray<string>) =>
  readEvent(
    ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:1", ...lines, "END:VEVENT", "END:VCALENDAR", ""].join("\r\n"),
    window
  )?.payload["occurrences"]

const daysOf = (start: string, rule: string, ...lines: ReadonlyArray<string>) =>
  (occurrences(`DTSTART;VALUE=DATE:${start}`, `RRULE:${rule}`, ...lines) as ReadonlyArray<string>)
    .filter((text) => text.startsWith("2026")).map((text) => text.slice(5, 10)).join(" ")

describe("a series", () => {
  it.each([
    ["20250115", "FREQ=YEARLY;BYMONTHDAY=15;BYMONTH=1,7", "01-15 07-15"],
    ["20250531", "FREQ=YEARLY;BYMONTHDAY=-1;BYMONTH=5,12", "05-31 12-31"],
    ["20251115", "FREQ=YEARLY;BYMONTHDAY=15;UNTIL=20260401", "01-15 02-15 03-15"],
    ["20250130", "FREQ=YEARLY;BYMONTH=1,6;BYMONTHDAY=30,31", "01-30 01-31 06-30"],
    ["20251231", "FREQ=DAILY;BYMONTHDAY=-1,30;UNTIL=20260430", "01-30 01-31 02-28 03-30 03-31 04-30"],
    ["20250101", "FREQ=YEARLY;BYWEEKNO=1,53;BYDAY=TH", "01-01 12-31"],
    ["20250102", "FREQ=YEARLY;BYWEEKNO=2", "01-08"],
    ["20250331", "FREQ=MONTHLY;INTERVAL=4;BYDAY=-1TU,-1WE;BYMONTH=3,5,6", "03-25 03-31"],
    ["20250930", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;UNTIL=20260301", "01-30 02-27"],
    ["20250805", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU;UNTIL=20260120", "01-04 01-06 01-18 01-20"],
    ["20200313", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "02-13 03-13 11-13"],
    ["20240229", "FREQ=YEARLY;BYYEARDAY=-1,60", "03-01 12-31"]
  ])("takes place on the days of its rule: from %s, %s", (start, rule, days) => {
    assert.strictEqual(daysOf(start, rule), days)
  })

  it("takes place once at a time that is named twice", () => {
    const added = ["RDATE;VALUE=DATE:20260112", "RDATE;VALUE=DATE:20260113"]
    assert.strictEqual(daysOf("20260105", "FREQ=WEEKLY;COUNT=3", ...added), "01-05 01-12 01-13 01-19")
  })

  it("whose end is a day takes place on that day as well", () => {
    const start = "DTSTART;TZID=America/New_York:20260105T200000"
    assert.deepStrictEqual(occurrences(start, "RRULE:FREQ=DAILY;UNTIL=20260106"), [
      "2026-01-05T20:00:00-05:00",
      "2026-01-06T20:00:00-05:00"
    ])
  })

  it("takes place at the hours and minutes of its rule", () => {
    assert.deepStrictEqual(
      occurrences("DTSTART:20200101T090000Z", "RRULE:FREQ=MINUTELY;INTERVAL=30;BYHOUR=9;BYMONTH=3;BYMONTHDAY=1"),
      ["2026-03-01T09:00:00Z", "2026-03-01T09:30:00Z"]
    )
    assert.deepStrictEqual(
      occurrences("DTSTART:20260105T150000Z", "RRULE:FREQ=DAILY;BYHOUR=15,9;COUNT=3"),
      ["2026-01-05T15:00:00Z", "2026-01-06T09:00:00Z", "2026-01-06T15:00:00Z"]
    )
  })

  it.each(["FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=31"])(
    "whose rule never matches ends: %s",
    (rule) => assert.isUndefined(occurrences("DTSTART:20200101T090000Z", `RRULE:${rule}`))
  )
})
