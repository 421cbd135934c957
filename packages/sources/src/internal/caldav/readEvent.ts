/** Parses one calendar object into an event with its occurrences and exceptions. */
import ICAL from "ical.js"
import { filled } from "../storable.ts"
import { introduceZones } from "./KnownZone.ts"
import { type Moment, momentOf } from "./moment.ts"

export interface Window {
  /** If there are too many occurrences, those around this time are named. */
  readonly now: Date
  readonly from: Date
  readonly to: Date
}

export interface CalendarEvent {
  readonly uid: string
  readonly payload: Record<string, string | ReadonlyArray<string>>
  /** The start of the first and the end of the last occurrence that is named. */
  readonly start: Date
  readonly end: Date
}

interface Occurrence {
  readonly start: Moment
  readonly end: Moment
}

/** The most occurrences of a series within the window. */
const MAX_NAMED = 200
/** The most of these that are past. */
const MAX_PAST = 50
/** The most steps from the start of a series to the end of the window. */
const MAX_STEPS = 10_000

const occurrenceOf = (from: ICAL.Time | null, to: ICAL.Time | null): Occurrence | null => {
  const start = from === null ? null : momentOf(from)
  if (start === null) return null
  const end = from === null || to === null ? start : momentOf(to) ?? start
  return { start, end: end.date < start.date ? start : end }
}

const isCancelled = (component: ICAL.Component): boolean => component.getFirstPropertyValue("status") === "CANCELLED"

/** Seconds between occurrences, for frequencies with too many occurrences to step through. */
const SECONDS: Readonly<Record<string, number>> = {
  SECONDLY: 1,
  MINUTELY: 60,
  HOURLY: 3_600,
  DAILY: 86_400,
  WEEKLY: 604_800
}
const DAY_SECONDS = 86_400

/** Where to start looking for occurrences in the window. A rule with COUNT must be followed from its start. */
const beginningNear = (event: ICAL.Event, from: Date): ICAL.Time => {
  const rules = event.component.getAllProperties("rrule").map((property) => property.getFirstValue())
  const [rule] = rules
  if (rules.length !== 1 || !(rule instanceof ICAL.Recur) || rule.count !== null) return event.startDate
  const step = (SECONDS[rule.freq] ?? Infinity) * rule.interval
  const gap = from.getTime() / 1_000 - event.endDate.toUnixTime() - 2 * DAY_SECONDS
  const ahead = Math.floor(gap / step) * step
  if (!(ahead > 0)) return event.startDate
  const near = event.startDate.clone()
  near.adjust(Math.floor(ahead / DAY_SECONDS), 0, 0, ahead % DAY_SECONDS)
  return near
}

/** EXDATEs. The library ignores some of them. */
const leftOut = (event: ICAL.Event): (time: ICAL.Time) => boolean => {
  const times = event.component.getAllProperties("exdate").flatMap((property) => property.getValues())
    .filter((time) => time instanceof ICAL.Time)
  const days = new Set(times.filter(({ isDate }) => isDate).map(String))
  const moments = new Set(times.filter(({ isDate }) => !isDate).map((time) => time.toUnixTime()))
  return (time) => days.has(time.toString().slice(0, 10)) || (!time.isDate && moments.has(time.toUnixTime()))
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

/** Sorted by start. */
const series = (event: ICAL.Event, { from, to }: Window): ReadonlyArray<Occurrence> => {
  const found: Array<Occurrence> = []
  const isLeftOut = leftOut(event)
  /** Whether later occurrences may overlap the window. */
  const take = (time: ICAL.Time): boolean => {
    const { endDate, item, startDate } = event.getOccurrenceDetails(time)
    const occurrence = occurrenceOf(startDate, endDate)
    if (occurrence === null || isLeftOut(time) || isCancelled(item.component)) return true
    if (occurrence.end.date >= from && occurrence.start.date <= to) found.push(occurrence)
    // An occurrence that was moved may come before the next one.
    return occurrence.start.date <= to || item !== event
  }
  // RDATEs are added to the first occurrence.
  if (!event.component.hasProperty("rrule")) take(event.startDate)
  const iterator = event.iterator(beginningNear(event, from))
  for (let step = 0; step < MAX_STEPS; step++) {
    const next = iterator.next()
    if (!next || !take(next)) break
  }
  return found.sort((a, b) => a.start.date.getTime() - b.start.date.getTime())
}

/** Those of the window; all of a series that was over before it. */
const occurrencesOf = (event: ICAL.Event, own: Occurrence | null, window: Window): ReadonlyArray<Occurrence> => {
  const found = series(event, window)
  const isBefore = own !== null && own.start.date < window.from
  return found.length === 0 && isBefore ? series(event, { ...window, from: own.start.date }) : found
}

/** As many as a person reads, future ones first. */
const named = (occurrences: ReadonlyArray<Occurrence>, { now }: Window): ReadonlyArray<Occurrence> => {
  const coming = occurrences.findIndex(({ end }) => end.date >= now)
  const wanted = (coming === -1 ? occurrences.length : coming) - MAX_PAST
  const first = Math.max(0, Math.min(wanted, occurrences.length - MAX_NAMED))
  return occurrences.slice(first, first + MAX_NAMED)
}

const textOf = (component: ICAL.Component, name: string): string => String(component.getFirstPropertyValue(name) ?? "")

const personOf = (property: ICAL.Property): string => {
  const name = property.getFirstParameter("cn") ?? ""
  const address = String(property.getFirstValue()).replace(/^mailto:/i, "")
  return name === "" || name === address ? address : `${name} <${address}>`
}

const differing = (other: ICAL.Component, main: ICAL.Component): string =>
  ["summary", "location", "description"].filter((name) => textOf(other, name) !== textOf(main, name))
    .map((name) => textOf(other, name)).filter((text) => text !== "").join("\n")

const ENTRIES = ["vevent", "vtodo"] as const

const entriesOf = (text: string): ReadonlyArray<ICAL.Component> => {
  const calendar = new ICAL.Component(ICAL.parse(text))
  // A zone without rules would count as UTC.
  for (const zone of calendar.getAllSubcomponents("vtimezone")) {
    if (zone.getAllSubcomponents().length === 0) calendar.removeSubcomponent(zone)
  }
  const entries = ENTRIES.flatMap((name) => calendar.getAllSubcomponents(name))
  introduceZones(entries)
  return entries
}

const timeOf = (component: ICAL.Component, name: string): ICAL.Time | null => {
  const value = component.getFirstPropertyValue(name)
  return value instanceof ICAL.Time ? value : null
}

/** The event's own times. A task may have only a due date. */
const single = (component: ICAL.Component): Occurrence | null => {
  const due = timeOf(component, "due")
  if (component.name === "vtodo") return occurrenceOf(timeOf(component, "dtstart") ?? due, due)
  const event = new ICAL.Event(component)
  return occurrenceOf(event.startDate, event.endDate)
}

const dated = ({ end, start }: Occurrence): string =>
  start.text === end.text ? start.text : `${start.text} to ${end.text}`

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
  const first = occurrences[0] ?? own
  if (first === undefined || first === null) return null
  const last = occurrences.reduce((last, one) => one.end.date > last.end.date ? one : last, first)
  const repeats = textOf(main, "rrule")
  return {
    uid: textOf(main, "uid"),
    start: first.start.date,
    end: last.end.date,
    payload: filled({
      title: textOf(main, "summary"),
      description: textOf(main, "description"),
      location: textOf(main, "location"),
      start: first.start.text,
      end: last.end.text,
      organizer: main.getAllProperties("organizer").map(personOf)[0],
      attendees: main.getAllProperties("attendee").map(personOf),
      status: textOf(main, "status"),
      repeats,
      occurrences: occurrences.length > 1 || repeats !== "" ? named(occurrences, window).map(dated) : [],
      // What an occurrence overrides.
      exceptions: others.map((other) => differing(other, main)).filter((text) => text !== "")
    })
  }
}
