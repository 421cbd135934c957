/** A series of which one occurrence was moved. */
import { assert, it } from "@effect/vitest"
import { readEvent } from "../../src/internal/caldav/readEvent.ts"

const window = { now: new Date("2026-03-01"), from: new Date("2026-03-01"), to: new Date("2026-04-01") }

/** Weekly from the second of March on; the second occurrence is on another day. */
const series = (moved: string) =>
  [
    "BEGIN:VCALENDAR",
    "BEGIN:VEVENT",
    "UID:1",
    "DTSTART:20260302T090000Z",
    "RRULE:FREQ=WEEKLY;COUNT=4",
    "END:VEVENT",
    "BEGIN:VEVENT",
    "UID:1",
    "RECURRENCE-ID:20260309T090000Z",
    `DTSTART:${moved}`,
    "END:VEVENT",
    "END:VCALENDAR",
    ""
  ].join("\r\n")

const occurrences = (moved: string) => readEvent(series(moved), window)!.payload["occurrences"]

it("has its later occurrences also if that one is after the window", () => {
  assert.deepStrictEqual(occurrences("20270101T090000Z"), [
    "2026-03-02T09:00:00Z",
    "2026-03-16T09:00:00Z",
    "2026-03-23T09:00:00Z"
  ])
})

it("has its occurrences in the order of time", () => {
  assert.deepStrictEqual(occurrences("20260320T090000Z"), [
    "2026-03-02T09:00:00Z",
    "2026-03-16T09:00:00Z",
    "2026-03-20T09:00:00Z",
    "2026-03-23T09:00:00Z"
  ])
})

it("has one that was moved into the window, or that the rule does not have", () => {
  const march = { ...window, to: new Date("2026-03-10") }
  const inMarch = (text: string) => readEvent(text, march)!.payload["occurrences"]
  assert.deepStrictEqual(inMarch(series("20260303T090000Z").replace("ID:20260309", "ID:20260323")), [
    "2026-03-02T09:00:00Z",
    "2026-03-03T09:00:00Z",
    "2026-03-09T09:00:00Z"
  ])
  assert.deepStrictEqual(inMarch(series("20260304T090000Z").replace("ID:20260309", "ID:20250101")), [
    "2026-03-02T09:00:00Z",
    "2026-03-04T09:00:00Z",
    "2026-03-09T09:00:00Z"
  ])
})

it("has only the last version of one that was moved twice", () => {
  const [first] = /BEGIN:VEVENT\r\nUID:1\r\nRECURRENCE-ID[^]*?END:VEVENT\r\n/.exec(series("20260310T090000Z"))!
  const text = series("20260311T090000Z").replace("BEGIN:VEVENT\r\nUID:1\r\nRECURRENCE", `${first}$&`)
  assert.deepStrictEqual(readEvent(text, window)!.payload["occurrences"], occurrences("20260311T090000Z"))
})

it("has its later occurrences moved as well if it says so", () => {
  const text = series("20260309T110000Z").replace("RECURRENCE-ID:", "RECURRENCE-ID;RANGE=THISANDFUTURE:")
  assert.deepStrictEqual(readEvent(text, window)!.payload["occurrences"], [
    "2026-03-02T09:00:00Z",
    "2026-03-09T11:00:00Z",
    "2026-03-16T11:00:00Z",
    "2026-03-23T11:00:00Z"
  ])
})

it("has it once if its time is written in another zone", () => {
  const text = series("20260310T090000Z").replace("ID:20260309T090000Z", "ID;TZID=America/New_York:20260309T050000")
  assert.notInclude(occurrences("20260310T090000Z"), "2026-03-09T09:00:00Z")
  assert.deepStrictEqual(readEvent(text, window)!.payload["occurrences"], occurrences("20260310T090000Z"))
})
