/** The occurrences of an event: those of a series within a window, and which of them are named. */
import { DAY } from "@tributary/core/model/Day"
import ICAL from "ical.js"
import { asIfUtc } from "./KnownZone.ts"
import { type Moment, momentOf } from "./moment.ts"
import { instances } from "./recurrence.ts"

export interface Window {
  /** If there are too many occurrences, those around this time are named. */
  readonly now: Date
  readonly from: Date
  readonly to: Date
}

export interface Occurrence {
  readonly start: Moment
  readonly end: Moment
  /** The days of one that has no times, from the first to the last; the end is a day later. Null for others. */
  readonly days: readonly [first: string, last: string] | null
}

/** The most occurrences of a series within the window. */
const MAX_NAMED = 200
/** The most of these that are past. */
const MAX_PAST = 50
/** The most times of a rule within the window. */
const MAX_FOUND = 10_000

const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10)

const daysOf = (from: ICAL.Time | null, { date: start }: Moment, { date: end }: Moment): Occurrence["days"] =>
  from?.isDate === true ? [dayOf(start.getTime()), dayOf(Math.max(start.getTime(), end.getTime() - DAY))] : null

export const occurrenceOf = (from: ICAL.Time | null, to: ICAL.Time | null): Occurrence | null => {
  const start = from === null ? null : momentOf(from)
  if (start === null) return null
  const end = from === null || to === null ? start : momentOf(to) ?? start
  if (end.date < start.date) return { start, end: start, days: daysOf(from, start, start) }
  return { start, end, days: daysOf(from, start, end) }
}

const isCancelled = (component: ICAL.Component): boolean => component.getFirstPropertyValue("status") === "CANCELLED"

/** Whether one of the times is meant: EXDATEs and RECURRENCE-IDs may be in another zone, or name only the day. */
const oneOf = (times: ReadonlyArray<ICAL.Time>): (time: ICAL.Time) => boolean => {
  const texts = new Set(times.filter(({ isDate, zone }) => isDate || zone === ICAL.Timezone.localTimezone).map(String))
  const moments = new Set(times.filter(({ isDate }) => !isDate).map((time) => time.toUnixTime()))
  return (time) =>
    texts.has(time.toString().slice(0, 10)) || texts.has(time.toString()) ||
    (!time.isDate && moments.has(time.toUnixTime()))
}

const timesOf = (component: ICAL.Component, name: string): ReadonlyArray<ICAL.Time> =>
  component.getAllProperties(name).flatMap((property) => property.getValues()).filter((time) =>
    time instanceof ICAL.Time
  )

/** A rule that ends with a day includes it. */
const isOver = (until: ICAL.Time | null, time: ICAL.Time): boolean => {
  if (until === null) return false
  if (until.isDate) return asIfUtc(time) >= asIfUtc(until) + DAY
  if (until.zone === ICAL.Timezone.localTimezone) return asIfUtc(time) > asIfUtc(until)
  return (momentOf(time)?.date.getTime() ?? 0) > until.toUnixTime() * 1_000
}

/** A local time in the zone of another one. */
const timeAt = (local: number, { isDate, zone }: ICAL.Time): ICAL.Time => {
  const date = new Date(local)
  const day = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
  const time = { hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: date.getUTCSeconds() }
  return new ICAL.Time(isDate ? { ...day, isDate } : { ...day, ...time }, zone)
}

/** More than the offset of any zone. */
const MARGIN = 2 * DAY

/** The times of a series before any are left out or moved, each once. */
const timesWithin = (event: ICAL.Event, { from, to }: Window): ReadonlyArray<ICAL.Time> => {
  const { component, startDate } = event
  const rules = component.getAllProperties("rrule").map((property) => property.getFirstValue())
  // Later occurrences may be moved by any time.
  const earliest = event.rangeExceptions.length > 0
    ? -Infinity
    : from.getTime() - Math.max(0, event.duration.toSeconds()) * 1_000 - MARGIN
  const times = new Map<string, ICAL.Time>()
  const add = (time: ICAL.Time) => times.set(time.isDate ? time.toString() : `${time.toUnixTime()}`, time)
  // RDATEs are added to the first occurrence.
  for (const time of [...rules.length === 0 ? [startDate] : [], ...timesOf(component, "rdate")]) add(time)
  for (const rule of rules) {
    if (!(rule instanceof ICAL.Recur)) continue
    let found = 0
    for (const local of instances(rule, startDate, earliest, to.getTime() + MARGIN)) {
      const time = timeAt(local, startDate)
      if (isOver(rule.until, time) || ++found > MAX_FOUND) break
      add(time)
    }
  }
  return [...times.values()]
}

/** Sorted by start. */
const series = (event: ICAL.Event, window: Window): ReadonlyArray<Occurrence> => {
  // By their RECURRENCE-ID: the last version counts.
  const exceptions = Object.values(event.exceptions)
  const isLeftOut = oneOf(timesOf(event.component, "exdate"))
  const isReplaced = oneOf(exceptions.map(({ recurrenceId }) => recurrenceId))
  const regular = timesWithin(event, window).filter((time) => !isLeftOut(time) && !isReplaced(time))
    .map((time) => event.getOccurrenceDetails(time))
  // Also those that the rule does not have (any more).
  const moved = exceptions.filter(({ recurrenceId }) => !isLeftOut(recurrenceId))
    .map((item) => ({ item, startDate: item.startDate, endDate: item.endDate }))
  return [...regular, ...moved].filter(({ item }) => !isCancelled(item.component))
    .map(({ endDate, startDate }) => occurrenceOf(startDate, endDate))
    .filter((occurrence) => occurrence !== null)
    .filter(({ end, start }) => end.date >= window.from && start.date <= window.to)
    .sort((a, b) => a.start.date.getTime() - b.start.date.getTime())
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
