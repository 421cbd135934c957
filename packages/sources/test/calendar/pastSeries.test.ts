/** A series that was over before the window of a sync. */
import { assert, it } from "@effect/vitest"
import { readEvent } from "../../src/internal/caldav/readEvent.ts"

const window = { now: new Date("2026-03-01"), from: new Date("2025-03-01"), to: new Date("2027-03-01") }

const series = (rule: string) =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "BEGIN:VEVENT",
    "UID:1",
    "DTSTART:20240101T090000Z",
    "DURATION:PT1H",
    `RRULE:${rule}`,
    "END:VEVENT",
    "END:VCALENDAR",
    ""
  ].join("\r\n")

it("lasts until its last occurrence, which are all named", () => {
  const { end, payload, start } = readEvent(series("FREQ=WEEKLY;UNTIL=20240116T000000Z"), window)!
  assert.deepStrictEqual([start, end], [new Date("2024-01-01T09:00:00Z"), new Date("2024-01-15T10:00:00Z")])
  assert.deepStrictEqual(payload["occurrences"], [
    "2024-01-01T09:00:00Z to 2024-01-01T10:00:00Z",
    "2024-01-08T09:00:00Z to 2024-01-08T10:00:00Z",
    "2024-01-15T09:00:00Z to 2024-01-15T10:00:00Z"
  ])
})

it("begins in the window if it continues", () => {
  const { start } = readEvent(series("FREQ=WEEKLY"), window)!
  assert.deepStrictEqual(start, new Date("2025-03-03T09:00:00Z"))
})
