/** Writes a segment from its content. */
import { ByteWriter } from "./bytes/ByteWriter.ts"
import { writeColumn } from "./bytes/Column.ts"
import { writeSections } from "./format.ts"
import { decodeLength } from "./bytes/lengths.ts"
import { type Postings, writePostings } from "./postings.ts"
import { sortStrings } from "./bytes/stringOrder.ts"
import { StringTableWriter } from "./terms/TermDictionary.ts"
import { numberLimit, TermNumbers, writeTermNumbers } from "./terms/termNumbers.ts"
import { compareUuids, UUID, writeUuid } from "./bytes/uuidBytes.ts"
import { WordWriter } from "./wordOrder.ts"

export interface TermColumns extends Postings {
  /** In the order of `compareStrings`. */
  readonly names: ReadonlyArray<string>
  /** The first posting of each term, and one past the last. */
  readonly offsets: Uint32Array
}

export interface SegmentDocument {
  readonly id: string
  readonly version: number
  readonly from: number
  readonly to: number
  readonly tags: ReadonlyArray<string>
  /** The index of its language. */
  readonly language: number
  /** One code of `lengths.ts` for each chunk. */
  readonly lengths: ReadonlyArray<number>
}

const idColumns = (documents: ReadonlyArray<SegmentDocument>) => {
  const ids = new Uint8Array(documents.length * UUID)
  documents.forEach(({ id }, number) => writeUuid(id, ids, number * UUID))
  const order = [...documents.keys()].sort((left, right) => compareUuids(ids, left * UUID, ids, right * UUID))
  return { ids, idOrder: writeColumn(order) }
}

const chunkColumns = (documents: ReadonlyArray<SegmentDocument>) => {
  const counts = new ByteWriter()
  const lengths = new ByteWriter()
  for (const document of documents) {
    counts.number(document.lengths.length)
    for (let chunk = 0; chunk < document.lengths.length; chunk++) lengths.byte(document.lengths[chunk]!)
  }
  return { chunkCounts: counts.written(), chunkLengths: lengths.written() }
}

const tagColumns = (documents: ReadonlyArray<SegmentDocument>) => {
  const byTag = new Map<string, Array<number>>()
  documents.forEach(({ tags }, number) => {
    for (const given of tags) {
      // Invalid UTF-16 is replaced, as it is in lookups.
      const tag = given.toWellFormed()
      const numbers = byTag.get(tag)
      if (numbers === undefined) byTag.set(tag, [number])
      // Once for each document.
      else if (numbers.at(-1) !== number) numbers.push(number)
    }
  })
  const table = new StringTableWriter()
  const postings = new ByteWriter()
  for (const tag of sortStrings(byTag.keys())) {
    const before = postings.size
    let next = 0
    const numbers = byTag.get(tag)!
    for (const number of numbers) {
      postings.number(number - next)
      next = number + 1
    }
    table.add(tag, numbers.length, postings.size - before)
  }
  const { index, strings } = table.finish()
  return { tagCount: table.count, tags: strings, tagIndex: index, tagPostings: postings.written() }
}

const termColumns = ({ names, offsets, ...columns }: TermColumns, chunkLengths: Uint8Array) => {
  const table = new StringTableWriter()
  const postings = new ByteWriter()
  const run = new ByteWriter()
  names.forEach((name, term) => {
    const before = postings.size
    const [start, end] = [offsets[term]!, offsets[term + 1]!]
    writePostings(postings, run, columns, start, end, chunkLengths)
    table.add(name, end - start, postings.size - before)
  })
  const { index, strings } = table.finish()
  return { termCount: table.count, terms: strings, termIndex: index, postings: postings.written() }
}

/** The code of each term. */
const codesOf = (termNumbers: Uint8Array, count: number): Uint32Array => {
  const numbers = new TermNumbers(termNumbers)
  const codes = new Uint32Array(count)
  for (let place = 0; place < count; place++) codes[place] = numbers.at(place)
  return codes
}

/** Each document once, each term with its postings. `writeWords` writes every text with the codes of the terms. */
export const writeSegment = (
  documents: ReadonlyArray<SegmentDocument>,
  columns: TermColumns,
  writeWords: (writer: WordWriter, codes: Uint32Array) => void
): Uint8Array => {
  const chunks = chunkColumns(documents)
  const { tagCount, ...tags } = tagColumns(documents)
  const termNumbers = writeTermNumbers(columns.offsets)
  const { termCount, ...dictionary } = termColumns(columns, chunks.chunkLengths)
  const words = new WordWriter(numberLimit(termCount))
  writeWords(words, codesOf(termNumbers, termCount))
  const totals = {
    chunkCount: chunks.chunkLengths.length,
    documentCount: documents.length,
    totalLength: chunks.chunkLengths.reduce((sum, code) => sum + decodeLength(code), 0),
    earliest: documents.reduce((earliest, { from }) => Math.min(earliest, from), Infinity),
    latest: documents.reduce((latest, { from }) => Math.max(latest, from), -Infinity),
    latestEnd: documents.reduce((latest, { to }) => Math.max(latest, to), -Infinity),
    termCount,
    tagCount,
    languages: documents.reduce((all, { language }) => all | 1 << language, 0)
  }
  return writeSections(totals, {
    ...idColumns(documents),
    ...chunks,
    ...tags,
    ...dictionary,
    termNumbers,
    documentLanguages: Uint8Array.from(documents, ({ language }) => language),
    ...words.columns(),
    versions: writeColumn(documents.map(({ version }) => version)),
    froms: writeColumn(documents.map(({ from }) => from)),
    spans: writeColumn(documents.map(({ from, to }) => to - from))
  })
}
