/** Time zones that calendars name without describing them. */
import { DAY } from "@tributary/core/model/Day"
import ICAL from "ical.js"
import { findIana } from "windows-iana"

/** The local time as if it were UTC, in milliseconds. */
export const asIfUtc = ({ day, hour, isDate, minute, month, second, year }: ICAL.Time): number =>
  isDate ? Date.UTC(year, month - 1, day) : Date.UTC(year, month - 1, day, hour, minute, second)

const MAX_DAYS = 10_000

/** A time zone of the runtime. */
export class KnownZone extends ICAL.Timezone {
  readonly #format: Intl.DateTimeFormat
  /** Around the days that were asked for: the format is slow, and a series names thousands of times. */
  readonly #offsets = new Map<number, readonly [before: number, after: number]>()

  constructor(format: Intl.DateTimeFormat) {
    super({ tzid: format.resolvedOptions().timeZone })
    this.#format = format
  }

  /** Seconds east of UTC. */
  #at(instant: number): number {
    const name = this.#format.formatToParts(instant).find(({ type }) => type === "timeZoneName")?.value ?? ""
    const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
    return (sign === "-" ? -60 : 60) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0))
  }

  /** Some days before and after a day. */
  #around(day: number): readonly [before: number, after: number] {
    const known = this.#offsets.get(day)
    if (known !== undefined) return known
    if (this.#offsets.size > MAX_DAYS) this.#offsets.clear()
    const offsets = [this.#at((day - 1) * DAY), this.#at((day + 2) * DAY)] as const
    this.#offsets.set(day, offsets)
    return offsets
  }

  override utcOffset(time: ICAL.Time): number {
    const local = asIfUtc(time)
    if (!Number.isFinite(local)) return 0
    const [before, after] = this.#around(Math.floor(local / DAY))
    // In the hours that a change of the clock skips or repeats, the earlier offset counts (RFC 5545).
    const isAfter = before !== after && this.#at(local - before * 1_000) !== before &&
      this.#at(local - after * 1_000) === after
    return isAfter ? after : before
  }
}

/** By the runtime's own name of each: a format takes much memory, and calendars may call a zone anything. */
const zones = new Map<string, KnownZone>()

/** Throws if the runtime does not know the name. */
const zoneOf = (name: string): KnownZone => {
  const zone = new KnownZone(new Intl.DateTimeFormat("en", { timeZone: name, timeZoneName: "longOffset" }))
  const existing = zones.get(zone.tzid)
  if (existing === undefined) zones.set(zone.tzid, zone)
  return existing ?? zone
}

/** By the name of Windows. */
const windowsZone = (name: string): string | undefined => findIana(name)[0]

/** "Europe/Amsterdam" by "Amsterdam". */
const CITIES: ReadonlyMap<string, string> = new Map(
  Intl.supportedValuesOf("timeZone").map((zone) => [zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " "), zone])
)

/** What Outlook shows for a zone: "(UTC+01:00) Amsterdam, Berlin" or "(UTC-08:00) Pacific Time (US & Canada)". */
const SHOWN = /^\((?:UTC|GMT)([+-]\d\d:\d\d)?\) (.*)$/

/** Some programs name where they have a zone from: "/mozilla.org/20070129_1/Europe/Paris". The longest first. */
const endsOf = (name: string): ReadonlyArray<string> => name.split("/").map((_, at, parts) => parts.slice(at).join("/"))

/** What the runtime may call the zone, the most exact first. The offset is that of the winter. */
const runtimeNames = (name: string): ReadonlyArray<string | undefined> => {
  const [, offset = "+00:00", places] = SHOWN.exec(name) ?? []
  if (places === undefined) return [...endsOf(name), windowsZone(name)]
  const american = windowsZone(places.replace(/ Time \(.*/, " Standard Time"))
  return [american, ...places.split(", ").map((city) => CITIES.get(city)), offset]
}

const knownZone = (name: string): KnownZone | null => {
  for (const known of runtimeNames(name)) {
    try {
      if (known !== undefined) return zoneOf(known)
    } catch {
      // Unknown: the next one may be known.
    }
  }
  return null
}

/** Names of zones that are remembered, and their characters: those that calendars make up are without end. */
const MAX_REMEMBERED = 500
const MAX_NAME = 200

const remembered = new Map<string, KnownZone | null>()

const rememberedZone = (name: string): KnownZone | null => {
  if (name.length > MAX_NAME) return null
  const before = remembered.get(name)
  if (before !== undefined) return before
  if (remembered.size === MAX_REMEMBERED) remembered.clear()
  const zone = knownZone(name)
  remembered.set(name, zone)
  return zone
}

/** Registers only the time zones that the properties of components name. Zones of their calendar take precedence. */
export const introduceZones = (components: ReadonlyArray<ICAL.Component>): void => {
  ICAL.TimezoneService.reset()
  const properties = components.flatMap((component) => component.getAllProperties())
  for (const name of new Set(properties.map((property) => property.getFirstParameter("tzid")))) {
    if (name === undefined || ICAL.TimezoneService.has(name)) continue
    const zone = rememberedZone(name)
    if (zone !== null) ICAL.TimezoneService.register(zone, name)
  }
}
