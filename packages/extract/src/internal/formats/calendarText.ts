/** The entries of a calendar, one paragraph each: what, when, where, who, and the description. */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import ICAL from "ical.js"
import { Damaged } from "../Damaged.ts"
import { extractedText } from "../extractedText.ts"

const textOf = (entry: ICAL.Component, name: string): string => String(entry.getFirstPropertyValue(name) ?? "")

/** One invalid time does not make a calendar unreadable. */
const timeOf = (property: ICAL.Property | null): ICAL.Time | null => {
  try {
    const time = property?.getFirstValue()
    return time instanceof ICAL.Time ? time : null
  } catch {
    return null
  }
}

/** `2025-03-04 09:00 (Europe/Berlin)`: in the event's own time zone. */
const momentOf = (entry: ICAL.Component, name: string): string => {
  const property = entry.getFirstProperty(name)
  const time = timeOf(property)
  if (time === null) return ""
  if (time.isDate) return time.toString()
  const zone = property?.getFirstParameter("tzid") ?? (time.zone === ICAL.Timezone.utcTimezone ? "UTC" : "")
  return `${time.toString().slice(0, 16).replace("T", " ")}${zone === "" ? "" : ` (${zone})`}`
}

const personOf = (property: ICAL.Property): string => {
  const name = property.getFirstParameter("cn") ?? ""
  const address = String(property.getFirstValue()).replace(/^mailto:/i, "")
  return name === "" || name === address ? address : `${name} <${address}>`
}

const peopleOf = (entry: ICAL.Component, name: string): string => entry.getAllProperties(name).map(personOf).join(", ")

const labelled = (label: string, text: string): string => text === "" ? "" : `${label}: ${text}`

const entryText = (entry: ICAL.Component): string =>
  [
    textOf(entry, "summary"),
    [momentOf(entry, "dtstart"), momentOf(entry, "dtend") || momentOf(entry, "due")].filter(Boolean).join(" to "),
    textOf(entry, "status") === "CANCELLED" ? "Cancelled" : "",
    labelled("Repeats", textOf(entry, "rrule")),
    labelled("Location", textOf(entry, "location")),
    labelled("Organizer", peopleOf(entry, "organizer")),
    labelled("Attendees", peopleOf(entry, "attendee")),
    textOf(entry, "description")
  ].filter((line) => line.trim() !== "").join("\n")

const ENTRIES = ["vevent", "vtodo", "vjournal"] as const

/** For a file with several calendars, the parser returns a list. */
const parsed = (text: string): ReadonlyArray<ICAL.Component> => {
  const root = ICAL.parse(text)
  const all: ReadonlyArray<ConstructorParameters<typeof ICAL.Component>[0]> = typeof root[0] === "string"
    ? [root]
    : root
  return all.map((json) => new ICAL.Component(json)).filter(({ name }) => name === "vcalendar")
}

export const calendarText = (text: string): Extracted => {
  const calendars = parsed(text)
  if (calendars.length === 0) throw new Damaged("The file holds no calendar.")
  const entries = calendars.flatMap((calendar) => ENTRIES.flatMap((kind) => calendar.getAllSubcomponents(kind)))
  const only = entries.length === 1 ? entries[0] : undefined
  const start = timeOf(only?.getFirstProperty("dtstart") ?? null)
  return extractedText(entries.map(entryText).join("\n\n"), {
    title: only === undefined ? textOf(calendars[0]!, "x-wr-calname") : textOf(only, "summary"),
    authors: only?.getAllProperties("organizer").map(personOf) ?? [],
    date: start?.toJSDate() ?? null
  })
}
