/** The content of a MIME part: its bytes, or its text. Null for an unusual encoding. */
import iconv from "iconv-lite"
import { isUtf8 } from "node:buffer"
import type { MimePart } from "./mimeParts.ts"
import { undeclaredText } from "./undeclaredText.ts"

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
  const decoded = Buffer.allocUnsafe(body.length + 1)
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
      decoded[length++] = Number.isNaN(code) ? byte : code
      if (!Number.isNaN(code)) at += 2
    }
    if (!isBroken) decoded[length++] = NEWLINE
  }
  return decoded.subarray(0, length)
}

const MINUS = 0x2d
const UNDERSCORE = 0x5f

/** Not base64 in several padded units, nor the URL-safe alphabet, which the runtime accepts as well. */
const fromBase64 = (body: Buffer): Buffer<ArrayBuffer> | null => {
  if (body.includes(MINUS) || body.includes(UNDERSCORE)) return null
  const end = body.indexOf(EQUALS)
  return end === -1 || /^[=\s]*$/.test(body.toString("latin1", end))
    ? Buffer.from(body.toString("latin1"), "base64")
    : null
}

const bytesOf = ({ body, fields }: MimePart): Buffer<ArrayBuffer> | null => {
  switch ((fields.get("content-transfer-encoding")?.[0] ?? "8bit").toLowerCase()) {
    case "base64":
      return fromBase64(body)
    case "quoted-printable":
      return decodedLines(body, true)
    case "7bit":
    case "8bit":
    case "binary":
      return decodedLines(body, false)
    default:
      return null
  }
}

type Decode = (bytes: Uint8Array) => string

/** Null for an unknown charset. */
const newDecoder = (charset: string): Decode | null => {
  try {
    const decoder = new TextDecoder(charset)
    return (bytes) => decoder.decode(bytes)
  } catch {
    // What browsers do not know, as UTF-7 and code page 850. Encodings such as base64 are no charsets.
    const isCharset = iconv.encodingExists(charset) && !Buffer.isEncoding(charset)
    return isCharset ? (bytes) => iconv.decode(bytes, charset) : null
  }
}

const decoders = new Map<string, Decode>()

const decoderOf = (charset: string): Decode | null => {
  const decoder = decoders.get(charset) ?? newDecoder(charset)
  if (decoder !== null) decoders.set(charset, decoder)
  return decoder
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

/** Mails that declare ASCII contain other characters as often as those that declare nothing. */
const ASCII = /^(us-ascii|ascii|ansi_x3\.4-1968|)$/

const decode = (bytes: Uint8Array, charset: string): string | null =>
  ASCII.test(charset) ? undeclaredText(bytes) : decoderOf(charset)?.(bytes) ?? null

const charsetOf = ({ type }: MimePart): string => (type.parameters.get("charset") ?? "").trim().toLowerCase()

/** The bytes of an attachment. A text in a declared charset is converted, because a file has no place to declare it. */
export const fileBytesOf = (part: MimePart): Buffer<ArrayBuffer> | null => {
  const bytes = bytesOf(part)
  const charset = charsetOf(part)
  // A page declares its own.
  const isText = /^text\/(?!html$)/.test(part.type.value)
  if (bytes === null || charset === "" || !isText || isUtf8(bytes)) return bytes
  const text = decode(bytes, charset)
  return text === null ? bytes : Buffer.from(text)
}

export const textOf = (part: MimePart): string | null => {
  const { parameters } = part.type
  const bytes = bytesOf(part)
  const text = bytes === null ? null : decode(bytes, charsetOf(part)) ?? undeclaredText(bytes)
  const isFlowed = /^flowed$/i.test(parameters.get("format") ?? "")
  return text !== null && isFlowed ? unflowed(text, /^yes$/i.test(parameters.get("delsp") ?? "")) : text
}
