/**
 * What an S/MIME mail contains that is signed in one piece (`application/pkcs7-mime`), as Outlook sends them.
 *
 * Signatures are not verified. The layout is that of CMS (RFC 5652), in BER.
 */
interface Element {
  readonly tag: number
  /** Of an element of elements, where they start and end. */
  readonly start: number
  readonly end: number
  readonly next: number
}

const OCTETS = 0x04
const OBJECT = 0x06
const HAS_ELEMENTS = 0x20
const SEQUENCE = 0x30
const TAGGED = 0xa0

/** Of the object that follows. */
const SIGNED = "2a864886f70d010702"
const DATA = "2a864886f70d010701"

const MAX_DEPTH = 20

const DAMAGED = new RangeError("The signed mail is damaged.")

const elementAt = (bytes: Buffer, at: number, depth = 0): Element => {
  const tag = bytes.readUInt8(at)
  const first = bytes.readUInt8(at + 1)
  if (depth > MAX_DEPTH || first > 0x84) throw DAMAGED
  if (first === 0x80) {
    // It ends with two zeros, wherever that is.
    let end = at + 2
    while (bytes.readUInt16BE(end) !== 0) end = elementAt(bytes, end, depth + 1).next
    return { tag, start: at + 2, end, next: end + 2 }
  }
  const lengthBytes = first & 0x80 ? first & 0x7f : 0
  const start = at + 2 + lengthBytes
  const end = start + (lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes))
  if (end > bytes.length) throw DAMAGED
  return { tag, start, end, next: end }
}

function* elementsOf(bytes: Buffer, { end, start }: Element): Generator<Element> {
  for (let at = start; at < end;) {
    const element = elementAt(bytes, at)
    yield element
    at = element.next
  }
}

/** Octets may come in pieces. */
const octetsOf = (bytes: Buffer, element: Element, depth = 0): ReadonlyArray<Buffer> => {
  if ((element.tag & ~HAS_ELEMENTS) !== OCTETS || depth > MAX_DEPTH) return []
  return element.tag === OCTETS
    ? [bytes.subarray(element.start, element.end)]
    : [...elementsOf(bytes, element)].flatMap((piece) => octetsOf(bytes, piece, depth + 1))
}

/** What an object of this type contains; undefined if it is of another one. */
const contentOf = (bytes: Buffer, object: Element | undefined, type: string): Element | undefined => {
  if (object?.tag !== SEQUENCE) return undefined
  const [id, content] = elementsOf(bytes, object)
  if (id?.tag !== OBJECT || bytes.toString("hex", id.start, id.end) !== type || content?.tag !== TAGGED) {
    return undefined
  }
  const [inner] = elementsOf(bytes, content)
  return inner
}

/** The signed part, with its fields. Null for a mail that is encrypted, and for a damaged one. */
export const signedPart = (bytes: Buffer): Buffer | null => {
  try {
    const signed = contentOf(bytes, elementAt(bytes, 0), SIGNED)
    if (signed === undefined) return null
    const object = [...elementsOf(bytes, signed)].find(({ tag }) => tag === SEQUENCE)
    const data = contentOf(bytes, object, DATA)
    return data === undefined ? null : Buffer.concat(octetsOf(bytes, data))
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
