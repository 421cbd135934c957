import { assert, describe, it } from "@effect/vitest"
import { Headers } from "undici"
import { splitCalendar, UnfinishedCalendar } from "../../src/internal/caldav/splitCalendar.ts"
import { makeCalendarSplitters } from "../../src/internal/caldav/CalendarSplitter.ts"
import { fetchCalendar } from "../../src/internal/caldav/syncCalendarFile.ts"

const file = (...lines: ReadonlyArray<string>) => ["BEGIN:VCALENDAR", ...lines, "END:VCALENDAR", ""].join("\r\n")

const split = (text: string) => Array.from(splitCalendar(text), ({ text, uid }) => [uid, text] as const)

describe("a calendar file", () => {
  it("returns each event with its own id, not its alarm's, with its exceptions and zones", () => {
    const zone = (id: string) => ["BEGIN:VTIMEZONE", `TZID:${id}`, "END:VTIMEZONE"]
    const alarm = ["BEGIN:VALARM", "UID:alarm", "END:VALARM"]
    const series = ["BEGIN:VEVENT", ...alarm, "DTSTART;TZID=\"Here\":20260302T100000", "UID:series", "END:VEVENT"]
    const exception = ["BEGIN:VEVENT", "UID:series", "RECURRENCE-ID:20260309T100000Z", "END:VEVENT"]
    const other = ["begin:vtodo", "UID:other", "DUE;VALUE=DATE-TIME;TZID=Nowhere:20260302T100000", "end:vtodo"]
    assert.deepStrictEqual(split(file(...series, ...zone("Here"), ...zone("There"), ...other, ...exception)), [
      ["series", file("VERSION:2.0", ...zone("Here"), ...series, ...exception)],
      ["other", file("VERSION:2.0", ...other)]
    ])
  })

  it("returns an event with a zone whose name has commas and colons", () => {
    const zone = ["BEGIN:VTIMEZONE", "TZID:(UTC+01:00) Here\\, There", "END:VTIMEZONE"]
    const event = ["BEGIN:VEVENT", "UID:1", "DTSTART;TZID=\"(UTC+01:00) Here, There\":20260302T100000", "END:VEVENT"]
    assert.deepStrictEqual(split(file(...zone, ...event)), [["1", file("VERSION:2.0", ...zone, ...event)]])
  })

  it("returns an event with text whose line breaks are not escaped", () => {
    const alarm = ["BEGIN:VALARM", "TRIGGER:-PT5M", "END:VALARM"]
    assert.deepStrictEqual(
      split(file("BEGIN:VEVENT", "UID:1", "DESCRIPTION:Bring", "", "a flag.", ...alarm, "and more", "END:VEVENT")),
      [["1", file("VERSION:2.0", "BEGIN:VEVENT", "UID:1", "DESCRIPTION:Bring\\na flag.", ...alarm, "END:VEVENT")]]
    )
  })

  it.each(
    [
      ["utf8", "text/calendar", "\u00c3", "\u00c3\r\n "],
      ["latin1", "text/calendar; charset=iso-8859-1", "\u00e9", "\u00e9"],
      ["latin1", "text/calendar", "\u00e9", "\u00e9"]
    ] as const
  )("has its characters, folded in the middle of one or in another charset: %s, %s", async (...written) => {
    const [encoding, contentType, character, folded] = written
    const text = Buffer.from(file("BEGIN:VEVENT", "UID:1", "SUMMARY:Caf\u00e9", "END:VEVENT"), encoding).toString(
      "latin1"
    )
    const client = async () => ({
      status: 200,
      url: "https://example.org/a.ics",
      headers: new Headers({ "content-type": contentType }),
      body: new Uint8Array(Buffer.from(text.replace(character, folded), "latin1"))
    })
    const address = { url: "https://example.org/a.ics", credentials: undefined }
    const objects = await makeCalendarSplitters().use(async (splitter) => {
      const fetched = await fetchCalendar(client, splitter, address, new AbortController().signal)
      const objects = []
      for await (const object of fetched!.objects()) objects.push(object)
      return objects
    })
    assert.deepStrictEqual(objects.map(({ uid }) => uid), ["1"])
    assert.include(objects[0]!.text, "SUMMARY:Caf\u00e9\r\n")
  })

  it("that is truncated is incomplete: missing events are not deleted", () => {
    const whole = file("BEGIN:VEVENT", "UID:1", "END:VEVENT")
    assert.throws(() => split(whole.slice(0, whole.indexOf("END:VCALENDAR"))), UnfinishedCalendar)
  })

  it("of one endless line is read in one pass", () => {
    for (const beginning of ["BEGIN:", "UID:", "TZID", "DTSTART;TZID=", "X;", "  "]) {
      const line = `${beginning}${"a".repeat(10_000_000)}\u2620`
      assert.deepStrictEqual(
        split(file("BEGIN:VEVENT", line, "END:VTODO", "END:VEVENT")).length,
        beginning === "UID:" ? 1 : 0
      )
    }
  })

  it("of a text in a million lines that should have been one is read in one pass", () => {
    const [[, text]] = split(file("BEGIN:VEVENT", "UID:1", "X:a", "b\r\n".repeat(1_000_000), "END:VEVENT")) as [
      [string, string]
    ]
    assert.include(text, `\r\nX:a${"\\nb".repeat(1_000_000)}\r\nEND:VEVENT`)
  })

  it("without an end of any component is read in one pass", () => {
    assert.deepStrictEqual(split(file("BEGIN:VEVENT\r\n".repeat(1_000_000))), [])
  })

  it("does not grow by zones that all events use", () => {
    const zones = Array.from(
      { length: 100 },
      (_, at) => ["BEGIN:VTIMEZONE", `TZID:z${at}`, `X-A:${"x".repeat(60_000)}`, "END:VTIMEZONE"]
    ).flat()
    const named = Array.from({ length: 100 }, (_, at) => `RDATE;TZID=z${at}:20260302T100000`)
    const [[, text]] = split(file(...zones, "BEGIN:VEVENT", "UID:1", ...named, "END:VEVENT")) as [[string, string]]
    assert.isBelow(text.length, 700_000)
  })
})
