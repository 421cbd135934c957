/** The content of a MIME part: its bytes, or its text. */
import { decoded, isPlainUtf8, shownText } from "./charsets.ts"
import type { MimePart } from "./mimeParts.ts"

const NEWLINE = 0x0a
const RETURN = 0x0d
const EQUALS = 0x3d

/** The value of a hexadecimal digit; NaN for anything else. */
const digit = (byte: number | undefined): number =>
  byte === undefined
    ? NaN
    : byte >= 0x30 && byte <= 0x39
    ? byte - 0x30
    : (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66
    ? (byte | 0x20) - 0x57
    : NaN

/** Lines, each with one line feed at its end. */
const decodedLines = (body: Buffer, isQuoted: boolean): Buffer<ArrayBuffer> => {
  const lines = Buffer.allocUnsafe(body.length + 1)
  let length = 0
  for (let start = 0, next = 0; start < body.length; start = next) {
    const feed = body.indexOf(NEWLINE, start)
    next = feed === -1 ? body.length : feed + 1
    let end = feed === -1 ? body.length : feed
    while (end > start && body[end - 1] === RETURN) end--
    const isBroken = isQuoted && end > start && body[end - 1] === EQUALS
    if (isBroken) end--
    for (let at = start; at < end; at++) {
      const byte = body[at]!
      const code = isQuoted && byte === EQUALS && at + 2 < end ? 16 * digit(body[at + 1]) + digit(body[at + 2]) : NaN
      lines[length++] = Number.isNaN(code) ? byte : code
      if (!Number.isNaN(code)) at += 2
    }
    if (!isBroken) lines[length++] = NEWLINE
  }
  return lines.subarray(0, length)
}

const MINUS = 0x2d
const UNDERSCORE = 0x5f

/** Some programs pad every line. The runtime reads the URL-safe alphabet as well, which is not that of mails. */
const fromBase64 = (body: Buffer): Buffer<ArrayBuffer> => {
  const written = body.toString("latin1")
  const padding = body.indexOf(EQUALS)
  const isCommon = !body.includes(MINUS) && !body.includes(UNDERSCORE) &&
    (padding === -1 || /^[=\s]*$/.test(written.slice(padding)))
  if (isCommon) return Buffer.from(written, "base64")
  return Buffer.concat(written.replace(/[-_]+/g, "").split(/=[=\s]*/).map((unit) => Buffer.from(unit, "base64")))
}

/** Without the line break before the next boundary, which is not the file's. */
const unencoded = (body: Buffer): Buffer<ArrayBuffer> => {
  const feed = body.at(-1) === NEWLINE ? body.at(-2) === RETURN ? 2 : 1 : 0
  return Buffer.concat([body.subarray(0, body.length - feed)])
}

const bytesOf = ({ body, fields, type }: MimePart): Buffer<ArrayBuffer> => {
  const [encoding = ""] = fields.get("content-transfer-encoding") ?? []
  if (/base64/i.test(encoding)) return fromBase64(body)
  const isQuoted = /quoted-printable/i.test(encoding)
  // What looks like the end of a line in a file of another type may be anything.
  return isQuoted || /^(?:text|message)\//.test(type.value) ? decodedLines(body, isQuoted) : unencoded(body)
}

interface FlowedLine {
  /** Those of a quotation. */
  readonly marks: string
  readonly text: string
}

const flowedLine = (line: string): FlowedLine => {
  const text = line.replace(/^>+/, "")
  return { marks: line.slice(0, line.length - text.length), text: text.startsWith(" ") ? text.slice(1) : text }
}

/** Joins the lines of flowed text (RFC 3676) into paragraphs, each with the marks of its quotation once. */
const unflowed = (text: string, dropsSpace: boolean): string => {
  const paragraphs: Array<string> = []
  let marks = ""
  let paragraph: Array<string> = []
  const end = () => {
    const text = paragraph.join("")
    paragraphs.push(marks === "" || text === "" ? `${marks}${text}` : `${marks} ${text}`)
  }
  for (const line of text.split(/\r?\n/).map(flowedLine)) {
    const last = paragraph.at(-1)
    const isSignature = line.text === "-- " || (paragraph.length === 1 && last === "-- ")
    if (last?.endsWith(" ") && line.marks === marks && !isSignature) {
      if (dropsSpace) paragraph.splice(-1, 1, last.slice(0, -1))
      if (line.text !== "") paragraph.push(line.text)
    } else {
      if (last !== undefined) end()
      marks = line.marks
      paragraph = [line.text]
    }
  }
  end()
  return paragraphs.join("\n")
}

const charsetOf = ({ type }: MimePart): string => (type.parameters.get("charset") ?? "").trim().toLowerCase()

/** The bytes of an attachment. A text in a declared charset is converted, because a file has no place to declare it. */
export const fileBytesOf = (part: MimePart): Buffer<ArrayBuffer> => {
  const bytes = bytesOf(part)
  const charset = charsetOf(part)
  if (charset === "" || !part.type.value.startsWith("text/") || isPlainUtf8(bytes, charset)) return bytes
  const text = decoded(bytes, charset)
  return text === null ? bytes : Buffer.from(text)
}

export const textOf = (part: MimePart): string => {
  const { parameters } = part.type
  const text = shownText(bytesOf(part), charsetOf(part))
  const isFlowed = /^flowed$/i.test(parameters.get("format") ?? "")
  return isFlowed ? unflowed(text, /^yes$/i.test(parameters.get("delsp") ?? "")) : text
}
