/** Splits a calendar file into objects by UID, each with the time zones that it names. */
import { isContentLine } from "@tributary/core/contentLines"

export interface CalendarObject {
  readonly uid: string
  /** A calendar of its own. */
  readonly text: string
}

export class NoCalendar extends Error {}
export class UnfinishedCalendar extends Error {}

interface Found {
  readonly texts: Array<string>
  /** Time zone ids. */
  readonly zones: Set<string>
}

const OBJECTS: ReadonlySet<string> = new Set(["VEVENT", "VTODO", "VJOURNAL"])
const ZONE = "VTIMEZONE"

/** Each object includes its zones, so a small file with a few large zones could become huge. */
const MAX_ZONE = 65_536
const MAX_ZONES = 10

const DELIMITER = /^(BEGIN|END):([\w-]{1,64})[ \t]*$/i
const ID = /^(?:UID|TZID)(?:;[^:]*)?:(.*)$/i
const NAMED_ZONE = /;TZID=(?:"([^"]{1,1000})|([^":;,]{1,1000}))/gi

/** A component directly in the calendar. Alarms inside have UIDs of their own. */
interface Block {
  readonly kind: string
  /** The text in pieces: adding to a long string again and again would copy it each time. */
  readonly pieces: Array<string>
  readonly zones: Set<string>
  depth: number
  id: string
  /** Whether the last line is a property. */
  isProperty: boolean
}

/** Line by line: a regular expression across lines is slow if an END is missing. */
function* blocksOf(lines: Iterable<string>): Generator<Block> {
  let block: Block | undefined
  for (const line of lines) {
    const [, edge, name] = DELIMITER.exec(line) ?? []
    const kind = name?.toUpperCase() ?? ""
    const begins = edge?.toUpperCase() === "BEGIN"
    if (begins && (kind === ZONE || OBJECTS.has(kind))) {
      block = { kind, pieces: [], zones: new Set(), depth: 0, id: "", isProperty: false }
    }
    if (block === undefined) continue
    if (!isContentLine(line)) {
      if (line !== "" && block.isProperty) block.pieces.push("\\n", line)
      continue
    }
    block.pieces.push("\r\n", line)
    block.isProperty = edge === undefined
    if (edge !== undefined) block.depth += begins ? 1 : -1
    else if (block.depth === 1) block.id ||= ID.exec(line)?.[1]?.trim() ?? ""
    for (const [, quoted, plain] of line.matchAll(NAMED_ZONE)) block.zones.add(quoted ?? plain!)
    if (block.depth > 0) continue
    yield block
    block = undefined
  }
}

/** Throws `NoCalendar`, and `UnfinishedCalendar`, because later events would be taken for deleted. */
export function* splitCalendar(file: string): Generator<CalendarObject> {
  if (!/^\ufeff?\s*BEGIN:VCALENDAR/i.test(file)) throw new NoCalendar()
  if (!/END:VCALENDAR\s*$/i.test(file.slice(-1_000))) throw new UnfinishedCalendar()
  const zones = new Map<string, string>()
  const objects = new Map<string, Found>()
  for (const { id, kind, pieces, zones: named } of blocksOf(file.split(/\r?\n/))) {
    if (id === "") continue
    const text = pieces.slice(1).join("")
    if (kind === ZONE) {
      // A value escapes its commas, and a parameter quotes them.
      if (text.length <= MAX_ZONE) zones.set(id.replaceAll("\\,", ","), text)
      continue
    }
    const known = objects.get(id) ?? { texts: [], zones: new Set() }
    objects.set(id, known)
    known.texts.push(text)
    for (const zone of named) if (known.zones.size < MAX_ZONES) known.zones.add(zone)
  }
  const textOf = (object: Found): string => {
    const named = Array.from(object.zones, (zone) => zones.get(zone)).filter((text) => text !== undefined)
    return ["BEGIN:VCALENDAR", "VERSION:2.0", ...named, ...object.texts, "END:VCALENDAR", ""].join("\r\n")
  }
  for (const [uid, object] of objects) yield { uid, text: textOf(object) }
}
