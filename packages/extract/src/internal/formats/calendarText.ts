/** The entries of a calendar, one paragraph each: what, when, where, who, and the description. */
import { isContentLine } from "@tributary/core/contentLines"
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import ICAL from "ical.js"
import { eventDescription } from "../../EventDescription.ts"
import { Damaged } from "../Damaged.ts"
import { extractedText } from "../extractedText.ts"

/** One invalid value does not make a calendar unreadable. */
const valuesOf = (property: ICAL.Property | null): ReadonlyArray<unknown> => {
  try {
    return property?.getValues() ?? []
  } catch {
    return []
  }
}

const textOf = (entry: ICAL.Component, name: string): string => String(valuesOf(entry.getFirstProperty(name))[0] ?? "")

const timesOf = (property: ICAL.Property | null): ReadonlyArray<ICAL.Time> =>
  valuesOf(property).filter((value) => value instanceof ICAL.Time)

const timeOf = (property: ICAL.Property | null): ICAL.Time | null => timesOf(property)[0] ?? null

/** `2025-03-04 09:00 (Europe/Berlin)`: in the event's own time zone. */
const written = (time: ICAL.Time, property: ICAL.Property | null): string => {
  if (time.isDate) return time.toString()
  const zone = property?.getFirstParameter("tzid") ?? (time.zone === ICAL.Timezone.utcTimezone ? "UTC" : "")
  return `${time.toString().slice(0, 16).replace("T", " ")}${zone === "" ? "" : ` (${zone})`}`
}

const momentOf = (entry: ICAL.Component, name: string): string => {
  const property = entry.getFirstProperty(name)
  const time = timeOf(property)
  return time === null ? "" : written(time, property)
}

/** An event of whole days ends before the day that it names. Others may have a duration instead. */
const endOf = (entry: ICAL.Component): string => {
  const [start, end] = [entry.getFirstProperty("dtstart"), entry.getFirstProperty("dtend")]
  const [from, until] = [timeOf(start), timeOf(end)]
  const [duration] = valuesOf(entry.getFirstProperty("duration"))
  if (until?.isDate === true) {
    const last = until.clone()
    last.adjust(-1, 0, 0, 0)
    return from !== null && last.compare(from) > 0 ? last.toString() : ""
  }
  if (until !== null) return written(until, end)
  if (from === null || !(duration instanceof ICAL.Duration)) return momentOf(entry, "due")
  const after = from.clone()
  after.addDuration(duration)
  return written(after, start)
}

/** Days on which a repeated event does not take place. */
const exceptions = (entry: ICAL.Component): string =>
  entry.getAllProperties("exdate").flatMap((property) => timesOf(property).map((time) => written(time, property)))
    .join(", ")

const categoriesOf = (entry: ICAL.Component): string =>
  entry.getAllProperties("categories").flatMap(valuesOf).join(", ")

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
    [momentOf(entry, "dtstart"), endOf(entry)].filter(Boolean).join(" to "),
    labelled("Instead of", momentOf(entry, "recurrence-id")),
    textOf(entry, "status") === "CANCELLED" ? "Cancelled" : "",
    labelled("Repeats", textOf(entry, "rrule")),
    labelled("Except", exceptions(entry)),
    labelled("Location", textOf(entry, "location")),
    labelled("Organizer", peopleOf(entry, "organizer")),
    labelled("Attendees", peopleOf(entry, "attendee")),
    labelled("Categories", categoriesOf(entry)),
    labelled("Link", textOf(entry, "url")),
    eventDescription(textOf(entry, "description"))
  ].filter((line) => line.trim() !== "").join("\n")

const ENTRIES = ["vevent", "vtodo", "vjournal"] as const

const DELIMITER = /^(?:BEGIN|END):/i

const isValid = (line: string): boolean => {
  try {
    return DELIMITER.test(line) || ICAL.Property.fromString(line) !== undefined
  } catch {
    return false
  }
}

/** Without the lines that make the parser refuse all others. What is no property continues the text before. */
const validLines = (text: string): string => {
  const lines: Array<Array<string>> = []
  for (const line of text.split(/\r?\n/)) {
    if (isContentLine(line)) lines.push([line])
    else if (line !== "" && !DELIMITER.test(lines.at(-1)?.[0] ?? "BEGIN:")) lines.at(-1)!.push(line)
  }
  return lines.map((parts) => parts.join("\\n")).filter(isValid).join("\r\n")
}

const parseLeniently = (text: string): ReturnType<typeof ICAL.parse> => {
  try {
    return ICAL.parse(text)
  } catch {
    return ICAL.parse(validLines(text))
  }
}

// A DTSTART is often a day without saying so.
ICAL.design.strict = false

/** For a file with several calendars, the parser returns a list. */
const parsed = (text: string): ReadonlyArray<ICAL.Component> => {
  const root = parseLeniently(text)
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
