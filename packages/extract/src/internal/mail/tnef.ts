/**
 * `winmail.dat`: the text and the files of a mail in Outlook's own format (TNEF), which other programs cannot show.
 *
 * Layout: MS-OXTNEF, with properties as in MS-OXPROPS.
 */
import { rtfText } from "../formats/rtf/rtfText.ts"
import type { Attached } from "./Attached.ts"
import { shownText } from "./charsets.ts"
import { decompressedRtf } from "./decompressedRtf.ts"

const SIGNATURE = 0x223e9f78

const isTnef = (bytes: Buffer): boolean => bytes.length > 6 && bytes.readUInt32LE(0) === SIGNATURE

/** Attributes, by their level and id. */
const BODY = 0x1_0002800c
const PROPERTIES = 0x1_00069003
const CODE_PAGE = 0x1_00069007
const ATTACHMENT_STARTS = 0x2_00069002
const ATTACHMENT_TITLE = 0x2_00018010
const ATTACHMENT_DATA = 0x2_0006800f
const ATTACHMENT_PROPERTIES = 0x2_00069005

const PR_SUBJECT = 0x37
const PR_BODY = 0x1000
const PR_RTF = 0x1009
const PR_HTML = 0x1013
const PR_ATTACH_DATA = 0x3701
const PR_ATTACH_FILENAME = 0x3704
const PR_ATTACH_LONG_FILENAME = 0x3707
const PR_ATTACH_TYPE = 0x370e

const UNICODE = 0x1f
const OBJECT = 0x0d
const BINARY = 0x102
const HAS_MANY = 0x1000

/** Bytes of a value, with its padding. */
const SIZES: ReadonlyMap<number, number> = new Map([
  [1, 0],
  [2, 4],
  [3, 4],
  [4, 4],
  [5, 8],
  [6, 8],
  [7, 8],
  [0x0a, 4],
  [0x0b, 4],
  [0x14, 8],
  [0x40, 8],
  [0x48, 16]
])

/** Before the mail within an attachment. */
const INTERFACE_BYTES = 16

export interface Tnef {
  readonly subject: string
  /** In one format, or in none. */
  readonly text: string
  readonly html: string
  readonly files: ReadonlyArray<Attached>
}

interface Value {
  readonly type: number
  readonly bytes: Buffer
}

/** Throws a `RangeError` beyond the end. */
class Bytes {
  at = 0
  readonly #bytes: Buffer

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length
  }

  number(): number {
    const value = this.#bytes.readUInt32LE(this.at)
    this.at += 4
    return value
  }

  take(length: number): Buffer {
    if (length > this.#bytes.length - this.at) throw new RangeError("The file ends early.")
    const taken = this.#bytes.subarray(this.at, this.at + length)
    this.at += length
    return taken
  }

  padded(length: number): Buffer {
    const taken = this.take(length)
    this.at = Math.min(this.#bytes.length, this.at + (-length & 3))
    return taken
  }
}

/** The first value of each property. */
const propertiesOf = (attribute: Buffer): ReadonlyMap<number, Value> => {
  const bytes = new Bytes(attribute)
  const properties = new Map<number, Value>()
  for (let left = bytes.number(); left > 0 && !bytes.isAtEnd; left--) {
    const tag = bytes.number()
    const [id, type] = [tag >>> 16, tag & 0xffff & ~HAS_MANY]
    if (id >= 0x8000) {
      bytes.take(16)
      if (bytes.number() === 0) bytes.number()
      else bytes.padded(bytes.number())
    }
    const size = SIZES.get(type)
    // Values without a fixed size are counted, even if there is one.
    for (let more = (tag & HAS_MANY) !== 0 || size === undefined ? bytes.number() : 1; more > 0; more--) {
      const value = size === undefined ? bytes.padded(bytes.number()) : bytes.take(size)
      if (!properties.has(id)) properties.set(id, { type, bytes: value })
      if (size === 0) break
    }
  }
  return properties
}

const untilZero = (text: string): string => text.split("\0", 1)[0]!

const textOf = (value: Value | undefined, charset: string): string =>
  value === undefined
    ? ""
    : untilZero(value.type === UNICODE ? value.bytes.toString("utf16le") : shownText(value.bytes, charset))

const textOfRtf = (compressed: Buffer): string => {
  const rtf = decompressedRtf(compressed)
  return rtf === null ? "" : rtfText(rtf).text
}

interface Attributes {
  title: Buffer
  data: Buffer
  properties: ReadonlyMap<number, Value>
}

const emptyAttributes = (): Attributes => ({ title: Buffer.alloc(0), data: Buffer.alloc(0), properties: new Map() })

const fileOf = ({ data, properties, title }: Attributes, charset: string): Attached => {
  const value = properties.get(PR_ATTACH_DATA)
  const mail = value?.type === OBJECT ? value.bytes.subarray(INTERFACE_BYTES) : null
  const isMail = mail !== null && isTnef(mail)
  const bytes = isMail ? mail : value?.type === BINARY ? value.bytes : data
  return {
    name: textOf(properties.get(PR_ATTACH_LONG_FILENAME), charset) ||
      textOf(properties.get(PR_ATTACH_FILENAME), charset) || untilZero(shownText(title, charset)),
    type: isMail
      ? "application/ms-tnef"
      : textOf(properties.get(PR_ATTACH_TYPE), charset).toLowerCase() || "application/octet-stream",
    bytes: () => Uint8Array.from(bytes)
  }
}

/** Null if it is damaged. */
export const readTnef = (source: Buffer): Tnef | null => {
  const mail = emptyAttributes()
  const attached: Array<Attributes> = []
  let charset = "windows-1252"
  if (!isTnef(source)) return null
  try {
    const bytes = new Bytes(source)
    // The signature, and the key of this mail.
    bytes.take(6)
    while (!bytes.isAtEnd) {
      const [level = 0] = bytes.take(1)
      const key = level * 0x1_0000_0000 + bytes.number()
      const value = bytes.take(bytes.number())
      // Its checksum.
      bytes.take(2)
      if (key === ATTACHMENT_STARTS) attached.push(emptyAttributes())
      const part = level === 1 ? mail : attached.at(-1)
      if (part === undefined) continue
      if (key === BODY || key === ATTACHMENT_DATA) part.data = value
      else if (key === PROPERTIES || key === ATTACHMENT_PROPERTIES) part.properties = propertiesOf(value)
      else if (key === ATTACHMENT_TITLE) part.title = value
      else if (key === CODE_PAGE) charset = value.readUInt32LE(0) === 65_001 ? "utf-8" : `cp${value.readUInt32LE(0)}`
    }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
  const { data, properties } = mail
  const [body, html, rtf] = [PR_BODY, PR_HTML, PR_RTF].map((id) => properties.get(id))
  const plain = textOf(body, charset) || untilZero(shownText(data, charset))
  const markup = plain.trim() === "" ? textOf(html, charset) : ""
  return {
    subject: textOf(properties.get(PR_SUBJECT), charset),
    text: plain.trim() === "" && markup === "" && rtf !== undefined ? textOfRtf(rtf.bytes) : plain,
    html: markup,
    files: attached.map((file) => fileOf(file, charset))
  }
}
