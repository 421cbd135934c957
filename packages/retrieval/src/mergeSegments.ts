/** Merging segments from their postings: the texts are not needed. */
import type { ViewPart } from "./Mask.ts"
import { MAX_SEGMENT_CHUNKS } from "./SegmentBuilder.ts"
import { sortStrings } from "./StringTable.ts"
import { type SegmentDocument, type TermColumns, writeSegment } from "./writeSegment.ts"

const GONE = -1

/** What the chunks of a part are called in the merged segment. */
const renumber = ({ mask, segment }: ViewPart, first: number): Int32Array => {
  const numbers = new Int32Array(segment.chunkCount)
  let next = first
  for (let chunk = 0; chunk < segment.chunkCount; chunk++) {
    numbers[chunk] = mask.hides(segment.chunkDocuments[chunk]!) ? GONE : next++
  }
  return numbers
}

const tagsByDocument = ({ segment }: ViewPart): ReadonlyArray<ReadonlyArray<string>> => {
  const tags = Array.from({ length: segment.documentCount }, (): Array<string> => [])
  for (let index = 0; index < segment.tags.size; index++) {
    const tag = segment.tags.at(index)
    for (let at = segment.tagPostingOffsets[index]!; at < segment.tagPostingOffsets[index + 1]!; at++) {
      tags[segment.tagPostings[at]!]!.push(tag)
    }
  }
  return tags
}

const documentsOf = (part: ViewPart): ReadonlyArray<SegmentDocument> => {
  const { mask, segment } = part
  const tags = tagsByDocument(part)
  return [...segment.documents()].filter(({ number }) => !mask.hides(number)).map(({ id, number, version }) => ({
    id,
    version,
    from: segment.froms[number]!,
    to: segment.tos[number]!,
    tags: tags[number]!,
    lengths: segment.chunkLengths.subarray(segment.firstChunks[number]!, segment.firstChunks[number + 1]!)
  }))
}

interface Source {
  readonly part: ViewPart
  readonly numbers: Int32Array
  readonly term: number
}

/** The postings of every term, those of hidden chunks left out, and with them the terms that stand nowhere else. */
const gather = (sources: ReadonlyMap<string, ReadonlyArray<Source>>, most: number): TermColumns => {
  const names: Array<string> = []
  const offsets = new Uint32Array(sources.size + 1)
  const chunks = new Uint16Array(most)
  const counts = new Uint8Array(most)
  let size = 0
  for (const name of sortStrings(sources.keys())) {
    const before = size
    for (const { numbers, part: { segment }, term } of sources.get(name)!) {
      const end = segment.postingOffsets[term + 1]!
      for (let at = segment.postingOffsets[term]!; at < end; at++) {
        const chunk = numbers[segment.postingChunks[at]!]!
        if (chunk === GONE) continue
        chunks[size] = chunk
        counts[size++] = segment.postingCounts[at]!
      }
    }
    if (size > before) offsets[names.push(name)] = size
  }
  return {
    names,
    offsets: offsets.subarray(0, names.length + 1),
    chunks: chunks.subarray(0, size),
    counts: counts.subarray(0, size)
  }
}

/**
 * One segment of what is not hidden, the same as one built from those documents in that order. Throws a `RangeError`
 * when it would be more than a segment holds.
 */
export const mergeSegments = (parts: ReadonlyArray<ViewPart>): Uint8Array => {
  const sources = new Map<string, Array<Source>>()
  let first = 0
  let postings = 0
  for (const part of parts) {
    const numbers = renumber(part, first)
    first += part.segment.chunkCount - part.mask.hiddenChunks
    postings += part.segment.postingChunks.length
    for (let term = 0; term < part.segment.terms.size; term++) {
      const name = part.segment.terms.at(term)
      const known = sources.get(name)
      if (known === undefined) sources.set(name, [{ part, numbers, term }])
      else known.push({ part, numbers, term })
    }
  }
  if (first > MAX_SEGMENT_CHUNKS) throw new RangeError("the parts do not fit one segment")
  return writeSegment(parts.flatMap(documentsOf), gather(sources, postings))
}
