/** Parses one calendar object into an event with its occurrences and exceptions. */
import { eventDescription } from "@tributary/extract/EventDescription"
import ICAL from "ical.js"
import { filled } from "../storable.ts"
import { introduceZones } from "./KnownZone.ts"
import { type Moment, momentOf } from "./moment.ts"
import { named, type Occurrence, occurrenceOf, occurrencesOf, type Window } from "./occurrences.ts"

export interface CalendarEvent {
  readonly uid: string
  readonly payload: Record<string, string | ReadonlyArray<string>>
  /** The start of the first and the end of the last occurrence that is named. */
  readonly start: Date
  readonly end: Date
}

/** The library does not support PERIOD values of RDATE; only their start matters. */
const withoutPeriods = (main: ICAL.Component): void => {
  for (const property of main.getAllProperties("rdate")) {
    if (property.type !== "period") continue
    const starts = property.getValues().map((period) => period instanceof ICAL.Period ? period.start : period)
    property.resetType("date-time")
    property.setValues(starts)
  }
}

const textOf = (component: ICAL.Component, name: string): string => String(component.getFirstPropertyValue(name) ?? "")

const personOf = (property: ICAL.Property): string => {
  const name = property.getFirstParameter("cn") ?? ""
  const address = String(property.getFirstValue()).replace(/^mailto:/i, "")
  return name === "" || name === address ? address : `${name} <${address}>`
}

const differing = (other: ICAL.Component, main: ICAL.Component): string =>
  ["summary", "location", "description"].filter((name) => textOf(other, name) !== textOf(main, name))
    .map((name) => eventDescription(textOf(other, name))).filter((text) => text !== "").join("\n")

// A DTSTART is often a day without saying so.
ICAL.design.strict = false

/** One invalid value does not make an event unreadable, unless it is its start. */
const withoutInvalid = (entry: ICAL.Component): void => {
  // A copy, because the list loses those that are removed.
  for (const property of entry.getAllProperties().slice()) {
    try {
      if (property.name !== "dtstart") property.getValues()
    } catch {
      entry.removeProperty(property)
    }
  }
}

const ENTRIES = ["vevent", "vtodo", "vjournal"] as const

const entriesOf = (text: string): ReadonlyArray<ICAL.Component> => {
  const calendar = new ICAL.Component(ICAL.parse(text))
  // A zone without rules would count as UTC.
  for (const zone of calendar.getAllSubcomponents("vtimezone")) {
    if (zone.getAllSubcomponents().length === 0) calendar.removeSubcomponent(zone)
  }
  const entries = ENTRIES.flatMap((name) => calendar.getAllSubcomponents(name))
  // First, because values are kept as they are read.
  introduceZones(entries)
  for (const entry of entries) withoutInvalid(entry)
  return entries
}

const timeOf = (component: ICAL.Component, name: string): ICAL.Time | null => {
  const value = component.getFirstPropertyValue(name)
  return value instanceof ICAL.Time ? value : null
}

/** The event's own times. A task may have only a due date. */
const single = (component: ICAL.Component): Occurrence | null => {
  const due = timeOf(component, "due")
  if (component.name !== "vevent") {
    const own = occurrenceOf(timeOf(component, "dtstart") ?? due, due)
    // Whether the day on which a task is due belongs to it is not said.
    return own === null ? null : { ...own, days: null }
  }
  const event = new ICAL.Event(component)
  return occurrenceOf(event.startDate, event.endDate)
}

const spanned = (first: string, last: string): string => first === last ? first : `${first} to ${last}`

const dated = ({ days, end, start }: Occurrence): string =>
  days === null ? spanned(start.text, end.text) : spanned(...days)

/** Of a task or a note without a time of its own. */
const lastChange = (component: ICAL.Component): Moment | null => {
  const times = ["last-modified", "completed", "created", "dtstamp"].map((name) => timeOf(component, name))
  const moments = times.map((time) => time === null ? null : momentOf(time)).filter((moment) => moment !== null)
  return component.name === "vevent" || moments.length === 0
    ? null
    : moments.reduce((last, one) => one.date > last.date ? one : last)
}

/** Null if no component has a time. Throws if it is not a calendar. */
export const readEvent = (text: string, window: Window): CalendarEvent | null => {
  const entries = entriesOf(text)
  const main = entries.find((entry) => !entry.hasProperty("recurrence-id")) ?? entries[0]
  if (main === undefined) return null
  const others = entries.filter((entry) => entry !== main && entry.hasProperty("recurrence-id"))
  withoutPeriods(main)
  // A guest of single occurrences receives only these, without their series.
  const exceptions = main.hasProperty("recurrence-id") ? [] : others
  const event = new ICAL.Event(main, { exceptions, strictExceptions: true })
  const own = single(main)
  const isSeries = main.name === "vevent" && event.isRecurring()
  const lone = [own, ...others.map(single)].filter((occurrence) => occurrence !== null)
  const occurrences = isSeries ? occurrencesOf(event, own, window) : lone
  const first: Occurrence | null = occurrences[0] ?? own
  const last = occurrences.reduce((last, one) => last !== null && last.end.date >= one.end.date ? last : one, first)
  const changed = lastChange(main)
  const [start, end] = [first?.start ?? changed, last?.end ?? changed]
  if (start === null || end === null) return null
  const days = first?.days ?? null
  const repeats = textOf(main, "rrule")
  return {
    uid: textOf(main, "uid"),
    start: start.date,
    end: end.date,
    payload: filled({
      title: textOf(main, "summary"),
      description: eventDescription(textOf(main, "description")),
      location: textOf(main, "location"),
      start: first?.start.text,
      end: last?.end.text,
      organizer: main.getAllProperties("organizer").map(personOf)[0],
      attendees: main.getAllProperties("attendee").map(personOf),
      days: days === null || repeats !== "" ? null : spanned(...days),
      categories: main.getAllProperties("categories").flatMap((property) => property.getValues().map(String)),
      url: textOf(main, "url"),
      status: textOf(main, "status"),
      repeats,
      occurrences: occurrences.length > 1 || repeats !== "" ? named(occurrences, window).map(dated) : [],
      // What an occurrence overrides.
      exceptions: others.map((other) => differing(other, main)).filter((text) => text !== "")
    })
  }
}
