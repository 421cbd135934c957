/** The time that syncs of calendars cover. */
import { assert, it } from "@effect/vitest"
import { windowOf } from "../../src/internal/caldav/calendarState.ts"
import type { EventReader } from "../../src/internal/caldav/EventReader.ts"
import { makeEventSteps } from "../../src/internal/caldav/eventSteps.ts"
import { readEvent } from "../../src/internal/caldav/readEvent.ts"

const reader: EventReader = {
  read: async ({ text, window }) => ({ event: readEvent(text, window) }),
  end: async () => undefined
}

/** The items of an event, synced in March 2026. */
const synced = async (since: string | null, ...lines: ReadonlyArray<string>) => {
  const start = since === null ? null : new Date(since)
  const text = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:1", ...lines, "END:VEVENT", "END:VCALENDAR", ""].join("\r\n")
  const steps = makeEventSteps(reader, windowOf(new Date("2026-03-10"), start), start)("1", text)
  const items = []
  for await (const step of steps) if (step._tag === "Upsert") items.push(step.item)
  return items
}

it("contain an event that lasts until then, but none that ended before", async () => {
  const journey = ["DTSTART:20260101T090000Z", "DTEND:20260105T090000Z"]
  assert.lengthOf(await synced("2026-01-05T09:00:00Z", ...journey), 1)
  assert.lengthOf(await synced("2026-01-05T09:00:01Z", ...journey), 0)
})

it("contain a series from then on, also if that is years ago", async () => {
  const [item] = await synced("2022-06-01", "DTSTART:20200101T090000Z", "RRULE:FREQ=MONTHLY;UNTIL=20261001T000000Z")
  assert.deepStrictEqual(item?.timestamp, new Date("2022-06-01T09:00:00Z"))
})

it("contain a series from a year ago to a year ahead", async () => {
  const [item] = await synced(null, "DTSTART:20200101T090000Z", "RRULE:FREQ=MONTHLY")
  assert.deepStrictEqual(item?.timestamp, new Date("2025-04-01T09:00:00Z"))
  const payload = item !== undefined && "payload" in item ? item.payload : {}
  const occurrences = (payload as { readonly occurrences: ReadonlyArray<string> }).occurrences
  assert.strictEqual(occurrences.at(-1), "2027-03-01T09:00:00Z")
})
