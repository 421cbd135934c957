/** Writes a segment from its content. */
import { ByteWriter } from "./bytes/ByteWriter.ts"
import type { DocumentColumns } from "./DocumentColumns.ts"
import { writeSections } from "./format.ts"
import { type Postings, writePostings } from "./postings.ts"
import { TermDictionaryWriter } from "./terms/TermDictionaryWriter.ts"
import { numberLimit, TermNumbers, writeTermNumbers } from "./terms/termNumbers.ts"
import { WordWriter } from "./forwardIndex.ts"

export interface TermColumns extends Postings {
  /** In the order of `compareStrings`. */
  readonly names: ReadonlyArray<string>
  /** The first posting of each term, and one past the last. */
  readonly offsets: Uint32Array
}

const termColumns = ({ names, offsets, ...columns }: TermColumns, chunkLengths: Uint8Array) => {
  const table = new TermDictionaryWriter()
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

const codesOf = (termNumbers: Uint8Array, count: number): Uint32Array => {
  const numbers = new TermNumbers(termNumbers)
  const codes = new Uint32Array(count)
  for (let place = 0; place < count; place++) codes[place] = numbers.at(place)
  return codes
}

/** Each term with its postings. `writeWords` writes every text with the codes of the terms. */
export const writeSegment = (
  documents: DocumentColumns,
  columns: TermColumns,
  writeWords: (writer: WordWriter, codes: Uint32Array) => void
): Uint8Array => {
  const termNumbers = writeTermNumbers(columns.offsets)
  const { termCount, ...dictionary } = termColumns(columns, documents.chunkLengths)
  const words = new WordWriter(numberLimit(termCount))
  writeWords(words, codesOf(termNumbers, termCount))
  return writeSections({ ...documents.totals, termCount }, {
    ...documents.sections(),
    ...dictionary,
    termNumbers,
    ...words.columns()
  })
}
