/**
 * The bytes of a segment: a header, a table of sections, and the sections, each aligned to eight bytes.
 *
 * Little-endian. Sections are found by their number, so that a later version can add some without moving the others.
 */

const MAGIC = 0x42525431
export const FORMAT_VERSION = 1
/** Changes whenever the same text would be cut into other terms. */
export const ANALYZER_VERSION = 1

const HEADER = 64
/** Which word of the header holds the checksum of all others. */
const CHECKSUM = 5

export const SECTIONS = [
  "termBytes",
  "termOffsets",
  "postingOffsets",
  "postingChunks",
  "postingCounts",
  "chunkLengths",
  "chunkDocuments",
  "firstChunks",
  "ids",
  "idOrder",
  "versions",
  "froms",
  "tos",
  "tagBytes",
  "tagOffsets",
  "tagPostingOffsets",
  "tagPostings"
] as const
export type SectionName = typeof SECTIONS[number]
export type Sections = Readonly<Record<SectionName, Uint8Array | Uint16Array | Uint32Array | Float64Array>>

/** The bytes are no segment that can be read: something broke them, or a later release wrote them. */
export class SegmentUnreadable extends Error {
  override readonly name = "SegmentUnreadable"
  readonly reason: "damaged" | "newer"
  constructor(reason: "damaged" | "newer") {
    super(`The segment is ${reason === "damaged" ? "damaged" : "of a later format"}`)
    this.reason = reason
  }
}

const aligned = (offset: number): number => (offset + 7) & ~7

// Every step is a bijection of the sum so far, so a single changed word always changes the result.
const checksum = (words: Uint32Array): number => {
  let sum = 0x811c9dc5
  for (let at = 0; at < words.length; at++) {
    if (at === CHECKSUM) continue
    sum = Math.imul(sum ^ words[at]!, 0x01000193)
    sum ^= sum >>> 15
  }
  return sum >>> 0
}

export const writeSections = (sections: Sections): Uint8Array => {
  const table = HEADER + SECTIONS.length * 8
  const offsets: Array<number> = []
  let size = aligned(table)
  for (const name of SECTIONS) {
    offsets.push(size)
    size = aligned(size + sections[name].byteLength)
  }
  const bytes = new Uint8Array(size)
  const words = new Uint32Array(bytes.buffer)
  SECTIONS.forEach((name, index) => {
    const section = sections[name]
    words[HEADER / 4 + index * 2] = offsets[index]!
    words[HEADER / 4 + index * 2 + 1] = section.byteLength
    bytes.set(new Uint8Array(section.buffer, section.byteOffset, section.byteLength), offsets[index]!)
  })
  words.set([MAGIC, FORMAT_VERSION, ANALYZER_VERSION, size, SECTIONS.length])
  words[CHECKSUM] = checksum(words)
  return bytes
}

/** The bytes themselves when they are aligned, else a copy of them. */
const alignedBytes = (bytes: Uint8Array): Uint8Array => bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes)

export const readSections = (input: Uint8Array): (name: SectionName) => Uint8Array => {
  const bytes = alignedBytes(input)
  if (bytes.length < HEADER || bytes.length % 8 !== 0) throw new SegmentUnreadable("damaged")
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  const [magic, format, analyzer, size] = words
  if (magic !== MAGIC) throw new SegmentUnreadable("damaged")
  if (format! > FORMAT_VERSION || analyzer! > ANALYZER_VERSION) throw new SegmentUnreadable("newer")
  if (
    format !== FORMAT_VERSION || analyzer !== ANALYZER_VERSION || size !== bytes.length ||
    words[CHECKSUM] !== checksum(words)
  ) throw new SegmentUnreadable("damaged")
  return (name) => {
    const at = HEADER / 4 + SECTIONS.indexOf(name) * 2
    return bytes.subarray(words[at]!, words[at]! + words[at + 1]!)
  }
}
