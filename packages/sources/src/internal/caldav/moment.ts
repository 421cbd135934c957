/** Calendar times as instants, with the offset of their time zone. */
import { DAY } from "@tributary/core/model/Day"
import ICAL from "ical.js"

export interface Moment {
  readonly date: Date
  /** RFC 3339. All-day events start at midnight UTC. */
  readonly text: string
}

const MINUTE = 60_000

const asIfUtc = ({ day, hour, isDate, minute, month, second, year }: ICAL.Time): number =>
  isDate ? Date.UTC(year, month - 1, day) : Date.UTC(year, month - 1, day, hour, minute, second)

/** A time zone of the runtime, for calendars that name a zone without describing it. */
class KnownZone extends ICAL.Timezone {
  readonly #format: Intl.DateTimeFormat

  constructor(tzid: string) {
    super({ tzid })
    this.#format = new Intl.DateTimeFormat("en", { timeZone: tzid, timeZoneName: "longOffset" })
  }

  /** Seconds east of UTC. */
  #at(instant: number): number {
    const name = this.#format.formatToParts(instant).find(({ type }) => type === "timeZoneName")?.value ?? ""
    const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
    return (sign === "-" ? -60 : 60) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0))
  }

  override utcOffset(time: ICAL.Time): number {
    const local = asIfUtc(time)
    if (!Number.isFinite(local)) return 0
    const before = this.#at(local - DAY)
    const after = this.#at(local + DAY)
    // In the hours that a change of the clock skips or repeats, the earlier offset counts (RFC 5545).
    const isAfter = before !== after && this.#at(local - before * 1_000) !== before &&
      this.#at(local - after * 1_000) === after
    return isAfter ? after : before
  }
}

const NAMED_ZONE = /;TZID="?([^":;,\r\n]{1,64})/gi

const knownZone = (name: string): ICAL.Timezone | null => {
  try {
    return new KnownZone(name)
  } catch {
    return null
  }
}

/** Registers the time zones that a calendar names. Zones that it describes itself take precedence. */
export const introduceZones = (calendar: string): void => {
  for (const [, name] of calendar.matchAll(NAMED_ZONE)) {
    if (ICAL.TimezoneService.has(name!)) continue
    const zone = knownZone(name!)
    if (zone !== null) ICAL.TimezoneService.register(zone, name!)
  }
}

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
