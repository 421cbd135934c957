/**
 * Takes the bodies of a mail's parts out before it is parsed, and puts them back.
 *
 * The parser keeps to the standards, but goes through bodies line by line: what it then has to read is the head of each
 * part, with a name in place of the body. The runtime decodes those that are asked for, and pictures are none of them.
 */
import { randomUUID } from "node:crypto"

interface Body {
  readonly isHtml: boolean
  readonly charset: string
  readonly bytes: () => Buffer<ArrayBuffer>
}

export interface Bodies {
  /** The mail with names in place of the bodies that were taken. */
  readonly light: Uint8Array
  /** A text with the bodies that it names. Null when it names one of the other kind, which the parser would convert. */
  readonly restored: (text: string | undefined, isHtml: boolean) => string | null
  /** A content, or the body that it names. */
  readonly content: (own: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>
}

// No mail can know it, and so name a body a thousand times over.
const NAME = `body-${randomUUID()}-`
const NAMED = new RegExp(`${NAME}(\\d+)-`, "g")

const MIN_LENGTH = 200
const TYPE = /^content-type:[ \t]*([\w.+-]+\/[\w.+-]+)((?:[^\r\n]|\r?\n[ \t])*)/im
const ENCODING = /^(content-transfer-encoding:[ \t]*)(quoted-printable|base64)[ \t]*\r?$/im
const BOUNDARY = /;\s*boundary=(?:"([^"\\\r\n]+)"|([^\s";]+))/i
const CHARSET = /;\s*charset=(?:"([^"\\\r\n]+)"|([^\s";]+))/i
/** Others are left to the parser, which knows them by more names than the runtime does. */
const KNOWN_CHARSET = /^(utf-?8|us-ascii|iso-8859-\d+|windows-125\d)$/i

const parameter = (pattern: RegExp, parameters: string): string | undefined => {
  const [, quoted, plain] = pattern.exec(parameters) ?? []
  return quoted ?? plain
}

const isBase64 = (encoding: string): boolean => encoding.toLowerCase() === "base64"

const decoded = (body: Buffer, encoding: string): Buffer<ArrayBuffer> => {
  const text = body.toString("latin1")
  if (isBase64(encoding)) return Buffer.from(text, "base64")
  const plain = text.replaceAll("\r\n", "\n").replaceAll("=\n", "")
  const byteOf = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))
  return Buffer.from(plain.replace(/=([\da-f]{2})/gi, byteOf), "latin1")
}

/** Of a head, where its body begins; -1 where there is none. */
const bodyAfter = (mail: Buffer, head: number): number => {
  const end = mail.indexOf("\n\r\n", head)
  const bare = mail.subarray(head, end === -1 ? mail.length : end).indexOf("\n\n")
  return bare !== -1 ? head + bare + 2 : end === -1 ? -1 : end + 3
}

const NEWLINE = 0x0a
const RETURN = 0x0d

/** Where the line break before the next boundary begins. */
const nextBoundary = (mail: Buffer, from: number, boundaries: ReadonlyArray<Buffer>): number => {
  for (let at = mail.indexOf("\n--", from); at !== -1; at = mail.indexOf("\n--", at + 1)) {
    const follows = mail.subarray(at + 3)
    if (boundaries.some((boundary) => follows.subarray(0, boundary.length).equals(boundary))) return at
  }
  return mail.at(-1) === NEWLINE ? mail.length - 1 : mail.length
}

export const takeBodies = (source: Uint8Array): Bodies => {
  const mail = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  const bodies: Array<Body> = []
  const boundaries: Array<Buffer> = []
  const light: Array<Buffer> = []
  let taken = 0
  for (let head = 0, next = 0; head < mail.length; head = next) {
    const start = bodyAfter(mail, head)
    if (start === -1) break
    // A character for each byte.
    const written = mail.toString("latin1", head, start)
    const [, type = "", parameters = ""] = TYPE.exec(written) ?? []
    const boundary = parameter(BOUNDARY, parameters)
    if (boundary !== undefined) boundaries.push(Buffer.from(boundary, "latin1"))
    next = nextBoundary(mail, start - 1, boundaries)
    const encoded = ENCODING.exec(written)
    if (encoded === null || next - start < MIN_LENGTH || /^(multipart|message)\//i.test(type)) continue
    const charset = parameter(CHARSET, parameters) ?? "utf-8"
    if (/^text\//i.test(type) && (!KNOWN_CHARSET.test(charset) || /format=/i.test(parameters))) continue
    const [, field = "", encoding = ""] = encoded
    const at = head + encoded.index + field.length
    const name = `${NAME}${bodies.length}-`
    const [label, shown] = isBase64(encoding) ? [encoding, Buffer.from(name).toString("base64")] : ["8bit", name]
    light.push(
      mail.subarray(taken, at),
      Buffer.from(label),
      mail.subarray(at + encoding.length, start),
      Buffer.from(shown)
    )
    taken = mail[next - 1] === RETURN ? next - 1 : next
    const body = mail.subarray(start, taken)
    bodies.push({ isHtml: /^text\/html$/i.test(type), charset, bytes: () => decoded(body, encoding) })
  }
  return {
    light: taken === 0 ? source : Buffer.concat([...light, mail.subarray(taken)]),
    restored: (text = "", isHtml) => {
      const named = Array.from(text.matchAll(NAMED), ([, number]) => bodies[Number(number)]!)
      if (named.some((body) => body.isHtml !== isHtml)) return null
      return text.replace(NAMED, () => {
        const { bytes, charset } = named.shift()!
        return new TextDecoder(charset).decode(bytes())
      })
    },
    content: (own) => {
      const text = own.length < 2 * NAME.length ? new TextDecoder().decode(own) : ""
      const [, number] = new RegExp(NAMED).exec(text) ?? []
      return number === undefined ? own : new Uint8Array(bodies[Number(number)]!.bytes())
    }
  }
}
