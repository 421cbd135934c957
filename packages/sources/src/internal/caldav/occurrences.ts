/** The occurrences of an event: those of a series within a window, and which of them are named. */
import ICAL from "ical.js"
import { type Moment, momentOf } from "./moment.ts"

export interface Window {
  /** If there are too many occurrences, those around this time are named. */
  readonly now: Date
  readonly from: Date
  readonly to: Date
}

export interface Occurrence {
  readonly start: Moment
  readonly end: Moment
}

/** The most occurrences of a series within the window. */
const MAX_NAMED = 200
/** The most of these that are past. */
const MAX_PAST = 50
/** The most steps from the start of a series to the end of the window. */
const MAX_STEPS = 10_000

export const occurrenceOf = (from: ICAL.Time | null, to: ICAL.Time | null): Occurrence | null => {
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
export const occurrencesOf = (event: ICAL.Event, own: Occurrence | null, window: Window): ReadonlyArray<Occurrence> => {
  const found = series(event, window)
  const isBefore = own !== null && own.start.date < window.from
  return found.length === 0 && isBefore ? series(event, { ...window, from: own.start.date }) : found
}

/** As many as a person reads, future ones first. */
export const named = (occurrences: ReadonlyArray<Occurrence>, { now }: Window): ReadonlyArray<Occurrence> => {
  const coming = occurrences.findIndex(({ end }) => end.date >= now)
  const wanted = (coming === -1 ? occurrences.length : coming) - MAX_PAST
  const first = Math.max(0, Math.min(wanted, occurrences.length - MAX_NAMED))
  return occurrences.slice(first, first + MAX_NAMED)
}
