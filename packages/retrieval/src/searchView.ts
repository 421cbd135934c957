/** Searching a view: every part is scored term by term, and the best hits of all are kept. */
import { type FilterOptions, passing } from "./filter.ts"
import type { ViewPart } from "./Mask.ts"
import type { Query } from "./Query.ts"
import { postingsOf, type Scoring, scoringOf } from "./scoring.ts"
import { MAX_SEGMENT_CHUNKS } from "./SegmentBuilder.ts"
import { type Hit, TopHits } from "./TopHits.ts"

export interface SearchOptions extends FilterOptions {
  /** How many hits at the most. */
  readonly limit: number
  /** One hit for each document, its best chunk; or one for each chunk. */
  readonly groupBy: "document" | "chunk"
}

// A search runs to its end without a pause, so all share these; they are zero in between.
const scores = new Float64Array(MAX_SEGMENT_CHUNKS)
const named = new Uint8Array(MAX_SEGMENT_CHUNKS)
const touched = new Uint16Array(MAX_SEGMENT_CHUNKS)

/** Fills `scores` and `named` for every chunk that has a term of the query; says how many are in `touched`. */
const scorePart = ({ segment }: ViewPart, pass: Uint8Array | null, scoring: Scoring): number => {
  const { chunkDocuments, chunkLengths, postingChunks, postingCounts } = segment
  let count = 0
  const score = (term: string, gain: (posting: number, chunk: number) => number, names: 0 | 1) => {
    const postings = postingsOf(segment, term)
    if (postings === undefined) return
    for (let at = postings[0]; at < postings[1]; at++) {
      const chunk = postingChunks[at]!
      if (pass !== null && pass[chunkDocuments[chunk]!] === 0) continue
      if (scores[chunk] === 0) touched[count++] = chunk
      scores[chunk]! += gain(at, chunk)
      named[chunk]! |= names
    }
  }
  for (const { term, weight } of scoring.terms) {
    score(term, (at, chunk) => {
      const times = postingCounts[at]!
      return (weight * times) / (times + scoring.norms[chunkLengths[chunk]!]!)
    }, 0)
  }
  for (const term of scoring.identifiers) score(term, () => scoring.identifierBonus, 1)
  return count
}

const hitOf = ({ segment }: ViewPart, part: number, chunk: number): Hit => {
  const document = segment.chunkDocuments[chunk]!
  return {
    part,
    chunk,
    documentId: segment.idOf(document),
    version: segment.versions[document]!,
    ordinal: chunk - segment.firstChunks[document]!,
    score: scores[chunk]!,
    identifier: named[chunk] === 1,
    from: segment.froms[document]!,
    to: segment.tos[document]!
  }
}

const offerChunks = (part: ViewPart, position: number, count: number, top: TopHits): void => {
  for (let index = 0; index < count; index++) {
    const chunk = touched[index]!
    if (scores[chunk]! >= top.threshold) top.offer(hitOf(part, position, chunk))
  }
}

/** The chunks of a document follow each other, so its best one is known when the next document begins. */
const offerDocuments = (part: ViewPart, position: number, count: number, top: TopHits): void => {
  const { chunkDocuments } = part.segment
  const inOrder = touched.subarray(0, count).sort()
  for (let index = 0; index < count;) {
    const document = chunkDocuments[inOrder[index]!]!
    let best = inOrder[index++]!
    for (; index < count && chunkDocuments[inOrder[index]!] === document; index++) {
      if (scores[inOrder[index]!]! > scores[best]!) best = inOrder[index]!
    }
    if (scores[best]! >= top.threshold) top.offer(hitOf(part, position, best))
  }
}

export const searchView = (
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  options: SearchOptions
): ReadonlyArray<Hit> => {
  const scoring = scoringOf(parts, query)
  const top = new TopHits(options.limit)
  parts.forEach((part, position) => {
    const count = scorePart(part, passing(part, options), scoring)
    if (options.groupBy === "chunk") offerChunks(part, position, count, top)
    else offerDocuments(part, position, count, top)
    for (let index = 0; index < count; index++) {
      scores[touched[index]!] = 0
      named[touched[index]!] = 0
    }
  })
  return top.best()
}
