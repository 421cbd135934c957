/** Merging segments from their postings: the texts are not needed. */
import type { ViewPart } from "./Mask.ts"
import { MAX_SEGMENT_CHUNKS } from "./SegmentBuilder.ts"
import { compareStrings } from "./StringTable.ts"
import { type Postings, type SegmentDocument, writeSegment } from "./writeSegment.ts"

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

const gather = (sources: ReadonlyArray<Source>): Postings => {
  const most = sources.reduce((sum, { part: { segment }, term }) =>
    sum + segment.postingOffsets[term + 1]! - segment.postingOffsets[term]!, 0)
  const chunks = new Uint16Array(most)
  const counts = new Uint8Array(most)
  let size = 0
  for (const { numbers, part: { segment }, term } of sources) {
    for (let at = segment.postingOffsets[term]!; at < segment.postingOffsets[term + 1]!; at++) {
      const chunk = numbers[segment.postingChunks[at]!]!
      if (chunk === GONE) continue
      chunks[size] = chunk
      counts[size++] = segment.postingCounts[at]!
    }
  }
  return { chunks: chunks.subarray(0, size), counts: counts.subarray(0, size) }
}

/**
 * One segment of what is not hidden, the same as one built from those documents in that order. Throws a `RangeError`
 * when it would be more than a segment holds.
 */
export const mergeSegments = (parts: ReadonlyArray<ViewPart>): Uint8Array => {
  const sources = new Map<string, Array<Source>>()
  let first = 0
  for (const part of parts) {
    const numbers = renumber(part, first)
    first += part.segment.chunkCount - part.mask.hiddenChunks
    for (let term = 0; term < part.segment.terms.size; term++) {
      const name = part.segment.terms.at(term)
      const known = sources.get(name)
      if (known === undefined) sources.set(name, [{ part, numbers, term }])
      else known.push({ part, numbers, term })
    }
  }
  if (first > MAX_SEGMENT_CHUNKS) throw new RangeError("the parts do not fit one segment")
  const terms = [...sources].sort(([left], [right]) => compareStrings(left, right))
    .map(([name, found]) => [name, gather(found)] as const)
    .filter(([, { chunks }]) => chunks.length > 0)
  return writeSegment(parts.flatMap(documentsOf), terms)
}
