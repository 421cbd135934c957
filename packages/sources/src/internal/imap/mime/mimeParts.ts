/**
 * Splits a mail at its MIME boundaries, without decoding.
 *
 * This handles only common mails, and is fast. Null for anything else, which is left to a complete parser.
 */
import { undeclaredText } from "./undeclaredText.ts"

interface Structured {
  /** In lower case. */
  readonly value: string
  readonly parameters: ReadonlyMap<string, string>
}

export interface MimePart {
  /** The values of each field, by its name in lower case. */
  readonly fields: ReadonlyMap<string, ReadonlyArray<string>>
  readonly type: Structured
  readonly disposition: Structured
  readonly body: Buffer
  readonly parts: ReadonlyArray<MimePart>
}

const MAX_HEAD_BYTES = 262_144
const MAX_DEPTH = 10

const NEWLINE = 0x0a
const RETURN = 0x0d

/** A value without comments, escapes or continuations. */
const STRUCTURED = /^([\w.+/-]+)((?:[ \t]*;[ \t]*[\w-]+=(?:"[^"\\]*"|[^\s"();\\]+))*)[ \t]*;?$/
const PARAMETER = /;[ \t]*([\w-]+)=(?:"([^"\\]*)"|([^\s"();\\]+))/g

/** These are mails themselves, or are transformed when they are read. */
const LEFT_TO_PARSER = /^(message\/.*|multipart\/digest|text\/calendar|application\/ics)$/

/** Whether a type can be read here. */
export const hasWords = (type: string): boolean => !/^(image|audio|video|font)\//.test(type)

const structured = (field: string): Structured | null => {
  const [, value, written = ""] = STRUCTURED.exec(field) ?? []
  if (value === undefined) return null
  const parameters = new Map<string, string>()
  for (const [, name = "", quoted, plain = ""] of written.matchAll(PARAMETER)) {
    // Of two contradicting fields, the first one counts.
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), quoted ?? plain)
  }
  return { value: value.toLowerCase(), parameters }
}

/** Where the body starts; -1 if the head does not end. */
const bodyAt = (bytes: Buffer): number => {
  if (bytes[0] === NEWLINE) return 1
  if (bytes[0] === RETURN && bytes[1] === NEWLINE) return 2
  const end = bytes.indexOf("\n\r\n")
  const bare = bytes.subarray(0, end === -1 ? bytes.length : end + 1).indexOf("\n\n")
  return bare !== -1 ? bare + 2 : end === -1 ? -1 : end + 3
}

const fieldsOf = (head: string): MimePart["fields"] | null => {
  const written = head.replaceAll("\r\n", "\n")
  if (written.includes("\r")) return null
  const fields = new Map<string, Array<string>>()
  for (const line of written.replace(/\n(?=[ \t])/g, "").split("\n")) {
    const colon = line.indexOf(":")
    const name = line.slice(0, Math.max(0, colon)).toLowerCase()
    if (name !== name.trim()) return null
    const values = fields.get(name)
    const value = line.slice(colon + 1).trim()
    if (values === undefined) fields.set(name, [value])
    else values.push(value)
  }
  return fields
}

/** The parts between boundary lines. */
const between = (body: Buffer, boundary: string): ReadonlyArray<Buffer> => {
  const mark = Buffer.from(`--${boundary}`)
  const found: Array<Buffer> = []
  let start = -1
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + mark.length)) {
    if (at > 0 && body[at - 1] !== NEWLINE) continue
    const end = body.indexOf(NEWLINE, at)
    const rest = body.toString("latin1", at + mark.length, end === -1 ? body.length : end)
    if (!/^(--)?[ \t]*\r*$/.test(rest)) continue
    if (start !== -1) found.push(body.subarray(start, at))
    if (rest.startsWith("--")) return found
    start = end === -1 ? body.length : end + 1
  }
  return start === -1 ? found : [...found, body.subarray(start)]
}

/** A field without a type or subtype is that of a text. */
const typed = (field: string): string =>
  field === "" ? "text/plain" : field.replace(/^text(?=[ \t]*(?:;|$))/i, "text/plain")

export const mimeParts = (bytes: Buffer, outer: ReadonlyArray<string> = []): MimePart | null => {
  const at = bodyAt(bytes)
  if (at === -1 || at > MAX_HEAD_BYTES || outer.length > MAX_DEPTH) return null
  const fields = fieldsOf(undeclaredText(bytes.subarray(0, at)))
  const type = structured(typed(fields?.get("content-type")?.[0] ?? ""))
  const disposition = structured(fields?.get("content-disposition")?.[0] ?? "inline")
  if (fields === null || type === null || disposition === null || LEFT_TO_PARSER.test(type.value)) return null
  const body = bytes.subarray(at)
  if (!type.value.startsWith("multipart/")) return { fields, type, disposition, body, parts: [] }
  const boundary = type.parameters.get("boundary") ?? ""
  if (boundary === "" || outer.includes(boundary)) return null
  const parts: Array<MimePart> = []
  for (const inner of between(body, boundary)) {
    const part = mimeParts(inner, [...outer, boundary])
    if (part === null) return null
    parts.push(part)
  }
  return { fields, type, disposition, body, parts }
}
