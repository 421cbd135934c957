/** An opened segment. Its bytes are read on demand; reading damaged bytes throws `SegmentUnreadable`. */
import { ByteReader } from "./bytes/ByteReader.ts"
import { Column } from "./bytes/Column.ts"
import { type TimeBounds, TimeColumns } from "./bytes/TimeColumns.ts"
import { readSections, type Section, type Totals } from "./format.ts"
import { decodeLength } from "./bytes/lengths.ts"
import { once } from "../once.ts"
import { type List, type Postings, readPostings } from "./postings.ts"
import type { SegmentSource } from "./SegmentSource.ts"
import { type ByteRange, TermDictionary } from "./terms/TermDictionary.ts"
import { TermHashes } from "./terms/TermHashes.ts"
import { TermNumbers } from "./terms/termNumbers.ts"
import { TextEnds } from "./textEnds.ts"
import { compareUuids, readUuid, UUID, writeUuid } from "./bytes/uuidBytes.ts"

/** A document of a segment. `number` counts from 0. */
interface SegmentEntry {
  readonly number: number
  readonly id: string
  readonly version: number
}

/** Maps documents to chunks and back. */
interface Layout {
  /** The first chunk of each document, and one past the last chunk. */
  readonly firstChunks: Uint32Array
  /** The document of each chunk. */
  readonly chunkDocuments: Uint16Array
}

export class Segment implements TimeBounds {
  readonly byteLength: number
  readonly chunkCount: number
  readonly documentCount: number
  readonly earliest: number
  readonly latest: number
  readonly latestEnd: number
  /** The number of words in all chunks. */
  readonly totalLength: number
  /** The set of languages of its documents. */
  readonly languages: number
  /** Not yet verified. */
  readonly bytes: Uint8Array
  /** Verifies a range of bytes now instead of on first read. Throws `SegmentUnreadable`. */
  readonly check: (from: number, to: number) => void
  readonly terms: TermDictionary
  readonly tags: TermDictionary
  readonly #termNumbers: () => TermNumbers
  readonly #termHashes: () => TermHashes
  readonly #postings: Section
  readonly #forwardIndex: Section
  readonly #forwardIndexEnds: () => TextEnds
  readonly #tagPostings: Section
  readonly #ids: Section
  readonly #chunkLengths: () => Uint8Array
  readonly #layout: () => Layout
  readonly #idOrder: () => Column
  readonly #idBounds: () => readonly [least: string, greatest: string]
  readonly #versions: () => Column
  readonly #times: () => TimeColumns
  readonly #documentLanguages: () => Uint8Array

  /** Throws `SegmentUnreadable`. */
  constructor(source: Uint8Array | SegmentSource) {
    const { bytes, check, section, totals } = readSections(source)
    this.bytes = bytes
    this.check = check
    this.byteLength = bytes.length
    this.chunkCount = totals.chunkCount
    this.documentCount = totals.documentCount
    this.earliest = totals.earliest
    this.latest = totals.latest
    this.latestEnd = totals.latestEnd
    this.totalLength = totals.totalLength
    this.languages = totals.languages
    this.terms = new TermDictionary(section("terms"), section("termIndex"), totals.termCount)
    this.tags = new TermDictionary(section("tags"), section("tagIndex"), totals.tagCount)
    this.#termNumbers = once(() => new TermNumbers(section("termNumbers").whole()))
    this.#termHashes = once(() => new TermHashes(this.terms, this.#termNumbers()))
    this.#postings = section("postings")
    this.#forwardIndex = section("forwardIndex")
    this.#forwardIndexEnds = once(() => {
      const texts = totals.documentCount + totals.chunkCount
      return new TextEnds(section("forwardIndexEnds").whole(), texts, this.#forwardIndex.bytes.length)
    })
    this.#tagPostings = section("tagPostings")
    this.#ids = section("ids")
    this.#chunkLengths = once(() => section("chunkLengths").whole())
    this.#layout = once(() => layoutOf(section("chunkCounts").whole(), totals))
    this.#idOrder = once(() => new Column(section("idOrder").whole()))
    this.#idBounds = once(() => [this.#idAt(0), this.#idAt(totals.documentCount - 1)])
    this.#versions = once(() => new Column(section("versions").whole()))
    this.#documentLanguages = once(() => section("documentLanguages").whole())
    this.#times = once(() =>
      new TimeColumns(new Column(section("froms").whole()), new Column(section("spans").whole()), totals.documentCount)
    )
  }

  /** A code of `lengths.ts` for each chunk. */
  get chunkLengths(): Uint8Array {
    return this.#chunkLengths()
  }

  get firstChunks(): Uint32Array {
    return this.#layout().firstChunks
  }

  get chunkDocuments(): Uint16Array {
    return this.#layout().chunkDocuments
  }

  /** The bytes of `postings.ts`. Only the range that `terms` names is verified. */
  postingBytes({ end, start }: ByteRange): Uint8Array {
    this.#postings.check(start, end)
    return this.#postings.bytes
  }

  /** The number of a term in the forward index; null if the segment does not contain it. */
  numberOf(term: string): number | null {
    const entry = this.terms.find(term)
    return entry === null ? null : this.numberAt(entry.place)
  }

  /** The number in the forward index of the term at an index of the dictionary. */
  numberAt(place: number): number {
    return this.#termNumbers().at(place)
  }

  /** The index in the dictionary of a number in the forward index. */
  placeOf(number: number): number {
    return this.#termNumbers().placeOf(number)
  }

  /** For terms of several segments. */
  get termHashes(): TermHashes {
    return this.#termHashes()
  }

  /** The range of a document's title in the forward index. */
  titleWords(document: number): ByteRange {
    return this.#textAt(this.firstChunks[document]! + document)
  }

  /** The range of a chunk. */
  chunkWords(chunk: number): ByteRange {
    return this.#textAt(chunk + this.chunkDocuments[chunk]! + 1)
  }

  /** The bytes of the forward index, of which a range is verified. */
  wordBytes({ end, start }: ByteRange): Uint8Array {
    this.#forwardIndex.check(start, end)
    return this.#forwardIndex.bytes
  }

  /** An upper bound for the number of all postings: each takes a byte or more. */
  get mostPostings(): number {
    return this.#postings.bytes.length
  }

  /** Decodes the postings of an entry of `terms` from `to` on. Returns their number. */
  readPostings(list: List, into: Postings, to = 0): number {
    return readPostings(this.postingBytes(list), list, this.chunkCount, into, to)
  }

  /** The documents with a tag, ascending, from an entry of `tags`. */
  tagged({ count, end, start }: List): Uint32Array {
    this.#tagPostings.check(start, end)
    const reader = new ByteReader(this.#tagPostings.bytes, start)
    const documents = new Uint32Array(count)
    for (let at = 0, next = 0; at < count; at++) {
      next += reader.number()
      documents[at] = next++
    }
    return documents
  }

  idOf(document: number): string {
    return readUuid(this.idBytes(document), document * UUID)
  }

  /** The bytes of all ids, of which that of one document is verified. */
  idBytes(document: number): Uint8Array {
    this.#ids.check(document * UUID, (document + 1) * UUID)
    return this.#ids.bytes
  }

  versionOf(document: number): number {
    return this.#versions().at(document)
  }

  fromOf(document: number): number {
    return this.#times().fromOf(document)
  }

  toOf(document: number): number {
    return this.#times().toOf(document)
  }

  /** The bounds of each `TIME_BLOCK` documents. */
  get timeBlocks(): ReadonlyArray<TimeBounds> {
    return this.#times().blocks()
  }

  /** The index of a document's language. */
  languageOf(document: number): number {
    return this.#documentLanguages()[document]!
  }

  *documents(): Iterable<SegmentEntry> {
    for (let number = 0; number < this.documentCount; number++) yield this.#entry(number)
  }

  /** The version of a document in this segment, if any. */
  find(id: string): SegmentEntry | undefined {
    if (this.documentCount === 0) return undefined
    // Ids grow with time, so nearly all that is added is beyond the bounds of every segment before it.
    const [least, greatest] = this.#idBounds()
    if (id < least || id > greatest) return undefined
    const wanted = new Uint8Array(UUID)
    writeUuid(id, wanted, 0)
    const order = this.#idOrder()
    let low = 0
    let high = this.documentCount - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const number = order.at(middle)
      const difference = compareUuids(this.idBytes(number), number * UUID, wanted, 0)
      if (difference === 0) return this.#entry(number)
      if (difference < 0) low = middle + 1
      else high = middle - 1
    }
    return undefined
  }

  /** The number of words in all chunks of a document. */
  lengthOf(document: number): number {
    const { chunkLengths, firstChunks } = this
    let length = 0
    for (let chunk = firstChunks[document]!; chunk < firstChunks[document + 1]!; chunk++) {
      length += decodeLength(chunkLengths[chunk]!)
    }
    return length
  }

  /** By its place in the order of ids. */
  #idAt(place: number): string {
    return this.idOf(this.#idOrder().at(place))
  }

  #textAt(text: number): ByteRange {
    const ends = this.#forwardIndexEnds()
    return { start: text === 0 ? 0 : ends.at(text - 1), end: ends.at(text) }
  }

  #entry(number: number): SegmentEntry {
    return { number, id: this.idOf(number), version: this.versionOf(number) }
  }
}

const layoutOf = (chunkCounts: Uint8Array, { chunkCount, documentCount }: Totals): Layout => {
  const reader = new ByteReader(chunkCounts)
  const firstChunks = new Uint32Array(documentCount + 1)
  const chunkDocuments = new Uint16Array(chunkCount)
  for (let document = 0, chunk = 0; document < documentCount; document++) {
    const end = chunk + reader.number()
    while (chunk < end) chunkDocuments[chunk++] = document
    firstChunks[document + 1] = end
  }
  return { firstChunks, chunkDocuments }
}

/** Opens a segment. Throws `SegmentUnreadable` if its header is damaged or of another format. */
export const openSegment = (source: Uint8Array | SegmentSource): Segment => new Segment(source)

/** The first terms with a prefix, in code point order, exact identifiers included. */
export const termsWithPrefix = (segment: Segment, prefix: string, limit: number): ReadonlyArray<string> => {
  const found: Array<string> = []
  if (limit <= 0) return found
  for (const { string } of segment.terms.entries(prefix)) {
    if (!string.startsWith(prefix)) break
    found.push(string)
    if (found.length === limit) break
  }
  return found
}
