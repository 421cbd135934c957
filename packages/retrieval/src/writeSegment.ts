/** Laying out a segment from what stands in it. */
import { writeSections } from "./format.ts"
import { packStrings, sortStrings } from "./StringTable.ts"
import { compareUuids, writeUuid } from "./uuidBytes.ts"

export interface TermColumns {
  /** In the order of `compareStrings`. */
  readonly names: ReadonlyArray<string>
  /** Each term's first posting, and one past the last. */
  readonly offsets: Uint32Array
  /** For each term the chunks that hold it, in rising order. */
  readonly chunks: Uint16Array
  /** And how often. */
  readonly counts: Uint8Array
}

export interface SegmentDocument {
  readonly id: string
  readonly version: number
  readonly from: number
  readonly to: number
  readonly tags: ReadonlyArray<string>
  /** One code of `lengths.ts` for each chunk. */
  readonly lengths: ArrayLike<number>
}

const offsetsOf = (sizes: ReadonlyArray<number>): Uint32Array => {
  const offsets = new Uint32Array(sizes.length + 1)
  sizes.forEach((size, index) => (offsets[index + 1] = offsets[index]! + size))
  return offsets
}

const documentColumns = (documents: ReadonlyArray<SegmentDocument>) => {
  const firstChunks = offsetsOf(documents.map(({ lengths }) => lengths.length))
  const chunkCount = firstChunks.at(-1)!
  const chunkLengths = new Uint8Array(chunkCount)
  const chunkDocuments = new Uint16Array(chunkCount)
  const ids = new Uint8Array(documents.length * 16)
  documents.forEach(({ id, lengths }, number) => {
    writeUuid(id, ids, number * 16)
    chunkLengths.set(lengths, firstChunks[number]!)
    chunkDocuments.fill(number, firstChunks[number]!, firstChunks[number + 1]!)
  })
  const idOrder = Uint16Array.from(documents.keys()).sort((left, right) =>
    compareUuids(ids, left * 16, ids, right * 16)
  )
  return {
    firstChunks,
    chunkLengths,
    chunkDocuments,
    ids,
    idOrder,
    versions: Float64Array.from(documents, ({ version }) => version),
    froms: Float64Array.from(documents, ({ from }) => from),
    tos: Float64Array.from(documents, ({ to }) => to)
  }
}

const tagColumns = (documents: ReadonlyArray<SegmentDocument>) => {
  const byTag = new Map<string, Array<number>>()
  documents.forEach(({ tags }, number) => {
    // What is no text in UTF-8 is compared as it will be looked for.
    for (const tag of new Set(tags.map((tag) => tag.toWellFormed()))) {
      const numbers = byTag.get(tag)
      if (numbers === undefined) byTag.set(tag, [number])
      else numbers.push(number)
    }
  })
  const names = sortStrings(byTag.keys())
  const sorted = names.map((tag) => byTag.get(tag)!)
  const { bytes, offsets } = packStrings(names)
  return {
    tagBytes: bytes,
    tagOffsets: offsets,
    tagPostingOffsets: offsetsOf(sorted.map((numbers) => numbers.length)),
    tagPostings: Uint16Array.from(sorted.flat())
  }
}

/** Each document once, each term with its postings. */
export const writeSegment = (documents: ReadonlyArray<SegmentDocument>, terms: TermColumns): Uint8Array => {
  const { bytes, offsets } = packStrings(terms.names)
  return writeSections({
    ...documentColumns(documents),
    ...tagColumns(documents),
    termBytes: bytes,
    termOffsets: offsets,
    postingOffsets: terms.offsets,
    postingChunks: terms.chunks,
    postingCounts: terms.counts
  })
}
