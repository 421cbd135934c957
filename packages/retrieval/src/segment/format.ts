/**
 * The binary format of a segment: a header and a body of sections.
 *
 * The header has versions, totals, the position of each section, and a checksum for each page of the body. It has its
 * own checksum, which is verified when the segment is opened. Numbers are little-endian on every machine.
 */
import { checksum, PAGE, pageChecksums, Pages, viewOf } from "./bytes/Pages.ts"
import { type SegmentBytes, segmentBytes, type SegmentSource } from "./SegmentSource.ts"
import { SegmentUnreadable } from "./SegmentUnreadable.ts"

const MAGIC = 0x42525431
export const FORMAT_VERSION = 5
/** Increases whenever the same document would produce other terms. */
export const ANALYZER_VERSION = 13

const SECTIONS = [
  "terms",
  "termIndex",
  "termNumbers",
  "postings",
  "forwardIndex",
  "forwardIndexEnds",
  "chunkLengths",
  "chunkCounts",
  "ids",
  "idOrder",
  "versions",
  "froms",
  "spans",
  "documentLanguages",
  "tags",
  "tagIndex",
  "tagPostings"
] as const
type SectionName = typeof SECTIONS[number]

const TOTALS = [
  "chunkCount",
  "documentCount",
  "totalLength",
  "earliest",
  "latest",
  "latestEnd",
  "termCount",
  "tagCount",
  "languages"
] as const
export type Totals = Readonly<Record<typeof TOTALS[number], number>>

// The first words are the magic number, the versions of format and analyzer, the size, the header length, and its
// checksum.
const CHECKSUM = 20
const TOTALS_AT = 32
const SECTIONS_AT = TOTALS_AT + TOTALS.length * 8
const PAGES_AT = SECTIONS_AT + SECTIONS.length * 8

const aligned = (size: number): number => (size + 15) & ~15

const headChecksum = (bytes: Uint8Array, size: number): number => {
  // A copy; `slice` does not copy for every kind of byte array.
  const head = new Uint8Array(bytes.subarray(0, size))
  head.fill(0, CHECKSUM, CHECKSUM + 4)
  return checksum(head, 0, size)
}

const placesOf = (sections: Readonly<Record<SectionName, Uint8Array>>) => {
  let size = 0
  const places = SECTIONS.map((name) => {
    const at = size
    size = aligned(size + sections[name].length)
    return { at, length: sections[name].length }
  })
  return { size, places }
}

export const writeSections = (totals: Totals, sections: Readonly<Record<SectionName, Uint8Array>>): Uint8Array => {
  const { places, size } = placesOf(sections)
  const head = aligned(PAGES_AT + Math.ceil(size / PAGE) * 4)
  const bytes = new Uint8Array(head + size)
  const view = new DataView(bytes.buffer)
  ;[MAGIC, FORMAT_VERSION, ANALYZER_VERSION, bytes.length, head].forEach((word, index) =>
    view.setUint32(index * 4, word, true)
  )
  TOTALS.forEach((name, index) => view.setFloat64(TOTALS_AT + index * 8, totals[name], true))
  places.forEach(({ at, length }, index) => {
    view.setUint32(SECTIONS_AT + index * 8, at, true)
    view.setUint32(SECTIONS_AT + index * 8 + 4, length, true)
    bytes.set(sections[SECTIONS[index]!], head + at)
  })
  pageChecksums(bytes.subarray(head)).forEach((sum, page) => view.setUint32(PAGES_AT + page * 4, sum, true))
  view.setUint32(CHECKSUM, headChecksum(bytes, head), true)
  return bytes
}

/** A range of the body. It must be verified before it is read. */
export class Section {
  /** Not yet verified. */
  readonly bytes: Uint8Array
  readonly #pages: Pages
  readonly #at: number
  constructor(pages: Pages, body: Uint8Array, at: number, length: number) {
    this.bytes = body.subarray(at, at + length)
    this.#pages = pages
    this.#at = at
  }

  /** Throws `SegmentUnreadable`. */
  check(from: number, to: number): void {
    this.#pages.check(this.#at + from, this.#at + to)
  }

  /** All of it, verified. */
  whole(): Uint8Array {
    this.check(0, this.bytes.length)
    return this.bytes
  }
}

interface Sections {
  /** Not yet verified. */
  readonly bytes: Uint8Array
  readonly totals: Totals
  readonly section: (name: SectionName) => Section
  /** Throws `SegmentUnreadable`. */
  readonly check: (from: number, to: number) => void
}

/** Throws `SegmentUnreadable`. */
const checkHead = ({ bytes, fetch }: SegmentBytes, view: DataView): number => {
  if (bytes.length < PAGES_AT) throw new SegmentUnreadable("damaged")
  fetch?.(0, PAGES_AT)
  if (view.getUint32(0, true) !== MAGIC) throw new SegmentUnreadable("damaged")
  const [format, analyzer] = [view.getUint32(4, true), view.getUint32(8, true)]
  if (format > FORMAT_VERSION || analyzer > ANALYZER_VERSION) throw new SegmentUnreadable("newer")
  if (format < FORMAT_VERSION || analyzer < ANALYZER_VERSION) throw new SegmentUnreadable("older")
  const [size, head] = [view.getUint32(12, true), view.getUint32(16, true)]
  const fits = size === bytes.length && head >= PAGES_AT && head <= size && head % 16 === 0 && size % 16 === 0 &&
    head === aligned(PAGES_AT + Math.ceil((size - head) / PAGE) * 4)
  if (fits) fetch?.(PAGES_AT, head)
  if (!fits || headChecksum(bytes, head) !== view.getUint32(CHECKSUM, true)) throw new SegmentUnreadable("damaged")
  return head
}

/** Throws `SegmentUnreadable`. */
export const readSections = (source: Uint8Array | SegmentSource): Sections => {
  const all = segmentBytes(source)
  const { bytes, fetch } = all
  const view = viewOf(bytes)
  const head = checkHead(all, view)
  const body = bytes.subarray(head)
  const wanted = bytes.subarray(PAGES_AT, PAGES_AT + Math.ceil(body.length / PAGE) * 4)
  const pages = new Pages(body, wanted, fetch === null ? null : (from, to) => fetch(head + from, head + to))
  const total = (index: number) => view.getFloat64(TOTALS_AT + index * 8, true)
  return {
    bytes,
    totals: Object.fromEntries(TOTALS.map((name, index) => [name, total(index)])) as Record<
      typeof TOTALS[number],
      number
    >,
    check: (from, to) => pages.check(Math.max(0, from - head), to - head),
    section: (name) => {
      const at = SECTIONS_AT + SECTIONS.indexOf(name) * 8
      return new Section(pages, body, view.getUint32(at, true), view.getUint32(at + 4, true))
    }
  }
}
