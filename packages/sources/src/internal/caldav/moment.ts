/** Calendar times as instants, with the offset of their time zone. */
import type ICAL from "ical.js"
import { asIfUtc, KnownZone } from "./KnownZone.ts"

export interface Moment {
  readonly date: Date
  /** RFC 3339. All-day events start at midnight UTC. */
  readonly text: string
}

const MINUTE = 60_000

/** In seconds. The library takes the later offset in the hours that a change of the clock skips or repeats. */
const offsetOf = (time: ICAL.Time): number => {
  const offset = time.utcOffset()
  if (time.zone instanceof KnownZone) return offset
  const earlier = time.clone()
  earlier.adjust(0, -3, 0, 0)
  const before = earlier.utcOffset()
  if (before === offset) return offset
  const shortly = time.clone()
  shortly.adjust(0, 0, 0, -Math.abs(offset - before))
  return shortly.utcOffset() === before ? before : offset
}

const offsetMinutes = (time: ICAL.Time): number => time.isDate ? 0 : Math.trunc(offsetOf(time) / 60)

const padded = (value: number): string => `${Math.abs(Math.trunc(value))}`.padStart(2, "0")

/** Null for a time that does not exist. */
export const momentOf = (time: ICAL.Time): Moment | null => {
  const local = asIfUtc(time)
  if (!Number.isFinite(local) || time.year < 1 || time.year > 9_999) return null
  const minutes = offsetMinutes(time)
  const offset = minutes === 0 ? "Z" : `${minutes < 0 ? "-" : "+"}${padded(minutes / 60)}:${padded(minutes % 60)}`
  return { date: new Date(local - minutes * MINUTE), text: `${new Date(local).toISOString().slice(0, 19)}${offset}` }
}
