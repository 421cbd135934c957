/** The offsets of calendar times: zones that a calendar describes, and zones that the runtime knows. */
import { assert, describe, it } from "@effect/vitest"
import ICAL from "ical.js"
import { introduceZones } from "../../src/internal/caldav/KnownZone.ts"
import { readEvent } from "../../src/internal/caldav/readEvent.ts"
import { BERLIN } from "../support/berlin.ts"

const window = { now: new Date("2026-03-01"), from: new Date("2026-01-01"), to: new Date("2027-01-01") }

const startOf = (zone: string, local: string, described: ReadonlyArray<string> = []) =>
  readEvent(
    [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      ...described,
      "BEGIN:VEVENT",
      "UID:1",
      `DTSTART;TZID=${zone}:${local}`,
      "END:VEVENT",
      "END:VCALENDAR",
      ""
    ].join("\r\n"),
    window
  )?.payload["start"]

describe("a calendar time", () => {
  it.each([
    ["20260329T013000", "2026-03-29T01:30:00+01:00"],
    ["20260329T023000", "2026-03-29T02:30:00+01:00"],
    ["20260329T033000", "2026-03-29T03:30:00+02:00"],
    ["20261025T013000", "2026-10-25T01:30:00+02:00"],
    ["20261025T023000", "2026-10-25T02:30:00+02:00"],
    ["20261025T033000", "2026-10-25T03:30:00+01:00"]
  ])("in an hour that is skipped or repeated has the offset from before the change: %s", (local, start) => {
    assert.strictEqual(startOf("Europe/Berlin", local, BERLIN.split("\r\n")), start)
    assert.strictEqual(startOf("Europe/Berlin", local), start)
  })

  it.each([
    ["20260308T023000", "2026-03-08T02:30:00-05:00"],
    ["20260308T033000", "2026-03-08T03:30:00-04:00"],
    ["20261101T013000", "2026-11-01T01:30:00-04:00"],
    ["20261101T023000", "2026-11-01T02:30:00-05:00"]
  ])("has the same rule west of Greenwich: %s", (local, start) => {
    assert.strictEqual(startOf("America/New_York", local), start)
  })

  it("in a zone that the calendar names without its rules has the offset of the known zone", () => {
    const zone = ["BEGIN:VTIMEZONE", "TZID:Asia/Tokyo", "END:VTIMEZONE"]
    assert.strictEqual(startOf("Asia/Tokyo", "20260302T100000", zone), "2026-03-02T10:00:00+09:00")
  })

  it("of an added occurrence is in a zone that nothing else has named", () => {
    const event = ["BEGIN:VEVENT", "UID:1", "DTSTART:20260302T100000Z", "RDATE;TZID=Asia/Baku:20260303T100000"]
    const text = ["BEGIN:VCALENDAR", ...event, "END:VEVENT", "END:VCALENDAR", ""].join("\r\n")
    assert.deepStrictEqual(readEvent(text, window)?.payload["occurrences"], [
      "2026-03-02T10:00:00Z",
      "2026-03-03T10:00:00+04:00"
    ])
  })

  it.each([
    ["W. Europe Standard Time", "+02:00"],
    ["Pacific Standard Time", "-07:00"],
    ["India Standard Time", "+05:30"],
    ["/mozilla.org/20070129_1/Europe/Paris", "+02:00"],
    ["/freeassociation.sourceforge.net/Tzfile/America/Argentina/Salta", "-03:00"],
    ["\"(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna\"", "+02:00"],
    ["\"(UTC+01:00) Amsterdam, Berlin, \r\n Bern, Rome, Stockholm, Vienna\"", "+02:00"],
    ["\"(GMT-08:00) Pacific Time (US & Canada)\"", "-07:00"],
    ["\"(UTC-06:00) Guadalajara, Mexico City, Monterrey\"", "-06:00"],
    ["\"(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi\"", "+05:30"],
    ["\"(UTC) Somewhere\"", "Z"],
    ["\"(UTC+99:00) Somewhere\"", "Z"],
    ["Somewhere", "Z"]
  ])("in a zone of Windows or Outlook without its rules has the offset of that zone: %s", (zone, offset) => {
    assert.strictEqual(startOf(zone, "20260702T100000"), `2026-07-02T10:00:00${offset}`)
  })
})

describe("a zone", () => {
  it("is one in memory, whatever calendars call it, and its name is forgotten with the calendar", () => {
    const introduced = (name: string) => {
      introduceZones([
        new ICAL.Component(ICAL.parse(`BEGIN:VEVENT\r\nDTSTART;TZID=${name}:20260702T100000\r\nEND:VEVENT`))
      ])
      return ICAL.TimezoneService.get(name)
    }
    const zone = introduced("/a/Europe/Paris")
    assert.isDefined(zone)
    for (let number = 0; number < 1_000; number++) assert.strictEqual(introduced(`/${number}/Europe/Paris`), zone)
    assert.strictEqual(introduced("europe/paris"), zone)
    assert.isFalse(ICAL.TimezoneService.has("/a/Europe/Paris"))
  })
})
