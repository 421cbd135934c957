/** What is read of an event, a task or a journal besides its times. */
import { assert, describe, it } from "@effect/vitest"
import { readEvent } from "../../src/internal/caldav/readEvent.ts"
import { splitCalendar } from "../../src/internal/caldav/splitCalendar.ts"

const window = { now: new Date("2026-03-01"), from: new Date("2026-03-01"), to: new Date("2026-12-31") }

const calendar = (...lines: ReadonlyArray<string>) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", ...lines, "END:VCALENDAR", ""].join("\r\n")

const event = (uid: string, ...lines: ReadonlyArray<string>) =>
  ["BEGIN:VEVENT", `UID:${uid}`, ...lines, "END:VEVENT"].join("\r\n")

describe("an entry of a calendar", () => {
  it("has its link, its categories, and a description without markup", () => {
    const more = [
      "URL:https://meet.example.org/1",
      "CATEGORIES:Board,Plans",
      "DESCRIPTION:<p>The <b>agenda</b>&nbsp;of"
    ]
    const read = readEvent(calendar(event("1", "DTSTART:20260302T100000Z", ...more)), window)
    assert.deepInclude(read?.payload, {
      description: "The agenda of",
      categories: ["Board", "Plans"],
      url: "https://meet.example.org/1"
    })
  })

  it.each(["VTODO", "VJOURNAL"])(
    "that is a %s is read, also from a file, and without a time dated by its last change",
    (kind) => {
      const entry = (...lines: ReadonlyArray<string>) => {
        const file = calendar(`BEGIN:${kind}`, "UID:1", "SUMMARY:Paint", ...lines, `END:${kind}`)
        const [object] = splitCalendar(file)
        assert.strictEqual(object?.text, file)
        return readEvent(file, window)
      }
      const read = entry("DTSTAMP:20260101T000000Z", "CREATED:20250101T000000Z", "LAST-MODIFIED:20260301T000000Z")
      assert.deepStrictEqual(read, {
        uid: "1",
        start: new Date("2026-03-01"),
        end: new Date("2026-03-01"),
        payload: { title: "Paint" }
      })
      assert.deepInclude(entry("DTSTAMP:20260101T000000Z", "DTSTART:20260302T100000Z")?.payload, {
        start: "2026-03-02T10:00:00Z"
      })
    }
  )
})
