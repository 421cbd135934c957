/** Merges segments from their postings, without the texts. */
import type { ViewPart } from "./Mask.ts"
import { MAX_SEGMENT_CHUNKS } from "./SegmentBuilder.ts"
import { compareStrings } from "./bytes/stringOrder.ts"
import { UUID } from "./bytes/uuidBytes.ts"
import { DocumentColumns } from "./DocumentColumns.ts"
import type { Segment } from "./Segment.ts"
import type { ByteRange, TableEntry } from "./terms/TermDictionary.ts"
import { numberLimit } from "./terms/termNumbers.ts"
import { readWords, type WordWriter } from "./forwardIndex.ts"
import { type TermColumns, writeSegment } from "./writeSegment.ts"

const GONE = -1

/** The chunk numbers of a part in the merged segment. */
const renumber = ({ mask, segment }: ViewPart, first: number): Int32Array => {
  const { chunkDocuments } = segment
  const numbers = new Int32Array(segment.chunkCount)
  let next = first
  for (let chunk = 0; chunk < segment.chunkCount; chunk++) {
    numbers[chunk] = mask.hides(chunkDocuments[chunk]!) ? GONE : next++
  }
  return numbers
}

/** Adds the documents of a part that are not masked. */
const copyDocuments = (documents: DocumentColumns, { mask, segment }: ViewPart): void => {
  const { chunkLengths, documentCount, firstChunks } = segment
  const numbers = new Int32Array(documentCount).fill(GONE)
  for (let document = 0; document < documentCount; document++) {
    if (mask.hides(document)) continue
    numbers[document] = documents.add(segment.idBytes(document), document * UUID, {
      version: segment.versionOf(document),
      from: segment.fromOf(document),
      to: segment.toOf(document),
      language: segment.languageOf(document)
    })
    const end = firstChunks[document + 1]!
    for (let chunk = firstChunks[document]!; chunk < end; chunk++) documents.addChunk(chunkLengths[chunk]!)
  }
  for (const entry of segment.tags.entries()) {
    for (const document of segment.tagged(entry)) {
      if (numbers[document] !== GONE) documents.addTag(entry.string, numbers[document]!)
    }
  }
}

/** The current term of a part, and the new numbers of its chunks. */
interface Source {
  readonly part: ViewPart
  readonly numbers: Int32Array
  /** For each term number, its index among the names of the merged segment. */
  readonly places: Uint32Array
  readonly terms: Iterator<TableEntry>
  /** Null at the end. */
  term: TableEntry | null
}

const advance = (source: Source): Source => {
  const { done, value } = source.terms.next()
  source.term = done === true ? null : value
  return source
}

const leastTerm = (sources: ReadonlyArray<Source>): string | null =>
  sources.reduce<string | null>((least, { term }) => {
    if (term === null) return least
    return least === null || compareStrings(term.string, least) < 0 ? term.string : least
  }, null)

/** A sequence of postings. */
class Columns {
  readonly chunks: Uint16Array
  readonly counts: Uint8Array
  size = 0

  constructor(most: number) {
    this.chunks = new Uint16Array(most)
    this.counts = new Uint8Array(most)
  }

  append({ numbers, part: { segment } }: Source, term: TableEntry): void {
    const { chunks, counts } = this
    const end = this.size + segment.readPostings(term, this, this.size)
    for (let at = this.size; at < end; at++) {
      const chunk = numbers[chunks[at]!]!
      if (chunk === GONE) continue
      chunks[this.size] = chunk
      counts[this.size++] = counts[at]!
    }
  }
}

/** The postings of every term without masked chunks, and without terms that occur in no other chunk. */
const gather = (sources: ReadonlyArray<Source>): TermColumns => {
  const names: Array<string> = []
  const offsets = [0]
  const columns = new Columns(sources.reduce((sum, { part }) => sum + part.segment.mostPostings, 0))
  for (let name = leastTerm(sources); name !== null; name = leastTerm(sources)) {
    const before = columns.size
    for (const source of sources) {
      if (source.term?.string !== name) continue
      columns.append(source, source.term)
      source.places[source.part.segment.numberAt(source.term.place)] = names.length
      advance(source)
    }
    if (columns.size === before) continue
    names.push(name)
    offsets.push(columns.size)
  }
  const { chunks, counts } = columns
  return { names, offsets: Uint32Array.from(offsets), chunks, counts }
}

/** The words of the text that was read last. */
let read = new Uint32Array(1 << 10)

/** Writes a text of a segment again; `codes` maps its codes to new ones. */
const copyText = (writer: WordWriter, segment: Segment, range: ByteRange, codes: Uint32Array): void => {
  const { end, start } = range
  if (read.length < end - start) read = new Uint32Array(2 * (end - start))
  writer.write(read, 0, readWords(segment.wordBytes(range), start, end, read), codes)
}

/** `codes` has the code of each name of the merged segment. */
const copyWords = (writer: WordWriter, { part: { mask, segment }, places }: Source, codes: Uint32Array): void => {
  const newCodes = places.map((place) => codes[place]!)
  for (let document = 0; document < segment.documentCount; document++) {
    if (mask.hides(document)) continue
    copyText(writer, segment, segment.titleWords(document), newCodes)
    const end = segment.firstChunks[document + 1]!
    for (let chunk = segment.firstChunks[document]!; chunk < end; chunk++) {
      copyText(writer, segment, segment.chunkWords(chunk), newCodes)
    }
  }
}

/**
 * Merges the documents that are not masked into one segment, equal byte for byte to one built from those documents in
 * that order. Throws a `RangeError` if they do not fit into a segment, and `SegmentUnreadable` if a part is damaged.
 */
export const mergeSegments = (parts: ReadonlyArray<ViewPart>): Uint8Array => {
  let first = 0
  const sources = parts.map((part) => {
    const numbers = renumber(part, first)
    first += part.segment.chunkCount - part.mask.hiddenChunks
    const { terms } = part.segment
    return advance({
      part,
      numbers,
      places: new Uint32Array(numberLimit(terms.size)),
      terms: terms.entries(),
      term: null
    })
  })
  if (first > MAX_SEGMENT_CHUNKS) throw new RangeError("the parts do not fit one segment")
  const documents = new DocumentColumns()
  for (const part of parts) copyDocuments(documents, part)
  return writeSegment(documents, gather(sources), (writer, codes) => {
    for (const source of sources) copyWords(writer, source, codes)
  })
}
