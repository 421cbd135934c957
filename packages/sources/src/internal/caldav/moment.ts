/** Times of calendars as moments, with the offset that their owner sees. */
import ICAL from "ical.js"

export interface Moment {
  readonly date: Date
  /** RFC 3339; of whole days, the beginning in UTC. */
  readonly text: string
}

const MINUTE = 60_000

/** Minutes east of UTC at a local time, which `asIfUtc` gives as though it were UTC; 0 for zones that nobody knows. */
const minutesOf = (zone: string, asIfUtc: number): number => {
  try {
    const format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" })
    const at = (instant: number): number => {
      const name = format.formatToParts(instant).find(({ type }) => type === "timeZoneName")?.value ?? ""
      const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
      return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0))
    }
    // Once more near the answer, since the offset may change in between.
    return at(asIfUtc - at(asIfUtc) * MINUTE)
  } catch {
    return 0
  }
}

/** The name of a zone that its calendar does not describe. */
const foreignZone = (time: ICAL.Time): string | null => {
  const name: unknown = Reflect.get(time, "timezone")
  return typeof name === "string" && name !== "" ? name : null
}

const offsetMinutes = (time: ICAL.Time, neighbour: ICAL.Time, asIfUtc: number): number => {
  const { zone } = time
  if (zone === null || zone === undefined || zone === ICAL.Timezone.localTimezone || zone.tzid === "floating") {
    const name = foreignZone(time) ?? foreignZone(neighbour)
    return name === null ? 0 : minutesOf(name, asIfUtc)
  }
  return zone === ICAL.Timezone.utcTimezone ? 0 : zone.utcOffset(time) / 60
}

const padded = (value: number): string => `${Math.abs(Math.trunc(value))}`.padStart(2, "0")

/** Null for a time that there is not. One that was reckoned from its neighbour may have forgotten its zone. */
export const momentOf = (time: ICAL.Time, neighbour = time): Moment | null => {
  const { day, hour, minute, month, second, year } = time
  const asIfUtc = Date.UTC(
    year,
    month - 1,
    day,
    time.isDate ? 0 : hour,
    time.isDate ? 0 : minute,
    time.isDate ? 0 : second
  )
  if (!Number.isFinite(asIfUtc) || year < 1 || year > 9_999) return null
  const minutes = time.isDate ? 0 : Math.trunc(offsetMinutes(time, neighbour, asIfUtc))
  const local = new Date(asIfUtc).toISOString().slice(0, 19)
  const offset = minutes === 0 ? "Z" : `${minutes < 0 ? "-" : "+"}${padded(minutes / 60)}:${padded(minutes % 60)}`
  return { date: new Date(asIfUtc - minutes * MINUTE), text: `${local}${offset}` }
}
