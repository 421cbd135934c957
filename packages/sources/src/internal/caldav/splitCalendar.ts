/** The objects of a whole calendar file, each with the time zones that it names, by their ids. */
import { FatalFailure, RetryableFailure } from "@tributary/core/ports/Provider"

interface CalendarObject {
  readonly texts: Array<string>
  /** Ids of time zones. */
  readonly zones: Set<string>
}

const OBJECTS: ReadonlySet<string> = new Set(["VEVENT", "VTODO"])
const ZONE = "VTIMEZONE"

/** Each object carries its zones along, so that few large ones would make much of a small file. */
const MAX_ZONE = 65_536
const MAX_ZONES = 10

const DELIMITER = /^(BEGIN|END):([\w-]{1,64})[ \t]*$/i
const ID = /^(?:UID|TZID)(?:;[^:]*)?:(.*)$/i
const NAMED_ZONE = /;TZID="?([^":;,]{1,1000})/gi

/** A part that stands directly in a calendar, with its own id: alarms within it have others. */
interface Block {
  readonly kind: string
  readonly lines: Array<string>
  readonly zones: Set<string>
  depth: number
  id: string
}

/** Line by line: a pattern over many lines takes for ever where one of them is missing. */
function* blocksOf(lines: Iterable<string>): Generator<Block> {
  let block: Block | undefined
  for (const line of lines) {
    const [, edge, name] = DELIMITER.exec(line) ?? []
    const kind = name?.toUpperCase() ?? ""
    const begins = edge?.toUpperCase() === "BEGIN"
    if (begins && (kind === ZONE || OBJECTS.has(kind))) block = { kind, lines: [], zones: new Set(), depth: 0, id: "" }
    if (block === undefined) continue
    block.lines.push(line)
    if (edge !== undefined) block.depth += begins ? 1 : -1
    else if (block.depth === 1) block.id ||= ID.exec(line)?.[1]?.trim() ?? ""
    for (const [, zone] of line.matchAll(NAMED_ZONE)) block.zones.add(zone!)
    if (block.depth > 0) continue
    yield block
    block = undefined
  }
}

/** Texts are put together when they are asked for. Throws `SyncFailure`s. */
export const splitCalendar = (file: string, host: string): ReadonlyMap<string, () => string> => {
  if (!/^\ufeff?\s*BEGIN:VCALENDAR/i.test(file)) {
    throw new FatalFailure({ message: `What ${host} answers is no calendar.` })
  }
  // Events that were to come after it would be taken for deleted.
  if (!/END:VCALENDAR\s*$/i.test(file.slice(-1_000))) {
    throw new RetryableFailure({ message: `The calendar at ${host} ends in the middle.` })
  }
  const zones = new Map<string, string>()
  const objects = new Map<string, CalendarObject>()
  for (const { id, kind, lines, zones: named } of blocksOf(file.replace(/\r?\n[ \t]/g, "").split(/\r?\n/))) {
    if (id === "") continue
    const text = lines.join("\r\n")
    if (kind === ZONE) {
      if (text.length <= MAX_ZONE) zones.set(id, text)
      continue
    }
    const known = objects.get(id) ?? { texts: [], zones: new Set() }
    objects.set(id, known)
    known.texts.push(text)
    for (const zone of named) if (known.zones.size < MAX_ZONES) known.zones.add(zone)
  }
  const textOf = (object: CalendarObject): string => {
    const named = Array.from(object.zones, (zone) => zones.get(zone)).filter((text) => text !== undefined)
    return ["BEGIN:VCALENDAR", "VERSION:2.0", ...named, ...object.texts, "END:VCALENDAR", ""].join("\r\n")
  }
  return new Map(Array.from(objects, ([uid, object]) => [uid, () => textOf(object)]))
}
