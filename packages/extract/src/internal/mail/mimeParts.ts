/** Splits a mail at its MIME boundaries, without decoding its parts (RFC 2045, RFC 2046). */
import { undeclaredText } from "./charsets.ts"
import { type StructuredField, structuredField } from "./structuredField.ts"

export interface MimePart {
  /** The values of each field, by its name in lower case. */
  readonly fields: ReadonlyMap<string, ReadonlyArray<string>>
  readonly type: StructuredField
  readonly disposition: StructuredField
  /** Of a multipart, what precedes its parts. */
  readonly body: Buffer
  readonly parts: ReadonlyArray<MimePart>
}

/** More than any list of recipients has. */
const MAX_HEAD_BYTES = 2_097_152
const MAX_DEPTH = 50
/** With the spaces that may follow one. */
const MAX_BOUNDARY_BYTES = 1_000

const NEWLINE = 0x0a
const RETURN = 0x0d
const MINUS = 0x2d

const fieldsOf = (head: string): MimePart["fields"] => {
  const fields = new Map<string, Array<string>>()
  for (const line of head.replace(/\r?\n(?=[ \t])/g, "").split("\n")) {
    const colon = line.indexOf(":")
    const name = line.slice(0, Math.max(0, colon)).trimEnd().toLowerCase()
    const values = fields.get(name)
    const value = line.slice(colon + 1).trim()
    if (values === undefined) fields.set(name, [value])
    else values.push(value)
  }
  return fields
}

/** A line between two parts, or after the last one. */
interface Delimiter {
  readonly start: number
  readonly next: number
  /** The number of the boundary, from the outermost. */
  readonly level: number
  readonly isLast: boolean
}

type Boundaries = ReadonlyArray<string>

/** The line that starts here; null if it is no delimiter. Several levels may have the same boundary. */
const delimiterAt = (bytes: Buffer, start: number, boundaries: Boundaries): Delimiter | null => {
  const feed = bytes.indexOf(NEWLINE, start)
  const next = feed === -1 ? bytes.length : feed + 1
  if (next - start > MAX_BOUNDARY_BYTES) return null
  const line = bytes.toString("latin1", start + 2, next).trimEnd()
  const level = boundaries.findLastIndex((boundary) => line === boundary || line === `${boundary}--`)
  return level === -1 ? null : { start, next, level, isLast: line !== boundaries[level] }
}

const nextDelimiter = (bytes: Buffer, from: number, boundaries: Boundaries): Delimiter | null => {
  if (boundaries.length === 0) return null
  for (let at = bytes.indexOf("\n--", from - 1); at !== -1; at = bytes.indexOf("\n--", at + 1)) {
    const delimiter = delimiterAt(bytes, at + 1, boundaries)
    if (delimiter !== null) return delimiter
  }
  return null
}

/** Where the body of a part starts; where the part ends if it has none. */
const bodyAt = (bytes: Buffer, start: number, boundaries: Boundaries): number => {
  for (let at = start; at < bytes.length; at = bytes.indexOf(NEWLINE, at) + 1 || bytes.length) {
    if (bytes[at] === NEWLINE) return at + 1
    if (bytes[at] === RETURN && bytes[at + 1] === NEWLINE) return at + 2
    if (bytes[at] === MINUS && delimiterAt(bytes, at, boundaries) !== null) return at
  }
  return bytes.length
}

const TEXT: StructuredField = { value: "text/plain", parameters: new Map() }
const MAIL: StructuredField = { value: "message/rfc822", parameters: new Map() }

/** What is no whole type is that of a text. */
const typeOf = (field: string | undefined, fallback: StructuredField): StructuredField => {
  if (field === undefined) return fallback
  const type = structuredField(field)
  return /^[^/]+\/[^/]+$/.test(type.value) ? type : { ...type, value: "text/plain" }
}

const latin1 = (text: string): string => Buffer.from(text).toString("latin1")

/** A part, and what ends it. */
type Ended = readonly [part: MimePart, end: Delimiter | null]

const partAt = (bytes: Buffer, start: number, fallback: StructuredField, outer: Boundaries): Ended => {
  const at = bodyAt(bytes, start, outer)
  const fields = fieldsOf(undeclaredText(bytes.subarray(start, Math.min(at, start + MAX_HEAD_BYTES))))
  const type = typeOf(fields.get("content-type")?.[0], fallback)
  const disposition = structuredField(fields.get("content-disposition")?.[0] ?? "inline")
  const boundary = type.value.startsWith("multipart/") ? type.parameters.get("boundary")?.trimEnd() ?? "" : ""
  const own = boundary === "" || outer.length === MAX_DEPTH ? outer : [...outer, latin1(boundary)]
  const parts: Array<MimePart> = []
  let end = nextDelimiter(bytes, at, own)
  const body = bytes.subarray(at, end?.start)
  const within = type.value === "multipart/digest" ? MAIL : TEXT
  while (end?.level === outer.length) {
    if (end.isLast) {
      end = nextDelimiter(bytes, end.next, outer)
      break
    }
    const [part, next] = partAt(bytes, end.next, within, own)
    parts.push(part)
    end = next
  }
  // Without its boundaries, it is shown as it is.
  const isShown = type.value.startsWith("multipart/") && parts.length === 0
  return [{ fields, type: isShown ? TEXT : type, disposition, body, parts }, end]
}

export const mimeParts = (bytes: Buffer): MimePart => partAt(bytes, 0, TEXT, [])[0]
