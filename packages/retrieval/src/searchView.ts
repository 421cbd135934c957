/** Searching a view: every part is scored term by term, and the best hits of all are kept. */
import { type FilterOptions, passing } from "./filter.ts"
import type { ViewPart } from "./Mask.ts"
import type { Query } from "./Query.ts"
import { postingsOf, type Scoring, scoringOf } from "./scoring.ts"
import type { Segment } from "./Segment.ts"
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
let touchedCount = 0

const clear = (): void => {
  for (let index = 0; index < touchedCount; index++) {
    scores[touched[index]!] = 0
    named[touched[index]!] = 0
  }
  touchedCount = 0
}

const scoreTerm = (
  segment: Segment,
  pass: Uint8Array | null,
  term: string,
  weight: number,
  norms: Float64Array
): void => {
  const postings = postingsOf(segment, term)
  if (postings === undefined) return
  const { chunkDocuments, chunkLengths, postingChunks, postingCounts } = segment
  const [start, end] = postings
  let count = touchedCount
  for (let at = start; at < end; at++) {
    const chunk = postingChunks[at]!
    if (pass !== null && pass[chunkDocuments[chunk]!] === 0) continue
    const times = postingCounts[at]!
    const before = scores[chunk]!
    if (before === 0) touched[count++] = chunk
    scores[chunk] = before + (weight * times) / (times + norms[chunkLengths[chunk]!]!)
  }
  touchedCount = count
}

const scoreIdentifier = (segment: Segment, pass: Uint8Array | null, term: string, bonus: number): void => {
  const postings = postingsOf(segment, term)
  if (postings === undefined) return
  for (let at = postings[0]; at < postings[1]; at++) {
    const chunk = segment.postingChunks[at]!
    if (pass !== null && pass[segment.chunkDocuments[chunk]!] === 0) continue
    if (scores[chunk] === 0) touched[touchedCount++] = chunk
    scores[chunk]! += bonus
    named[chunk] = 1
  }
}

/** Fills `scores` and `named` for every chunk that has a term of the query; those chunks are `touched`. */
const scorePart = ({ segment }: ViewPart, pass: Uint8Array | null, scoring: Scoring): void => {
  for (const { term, weight } of scoring.terms) scoreTerm(segment, pass, term, weight, scoring.norms)
  for (const term of scoring.identifiers) scoreIdentifier(segment, pass, term, scoring.identifierBonus)
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

const offerChunks = (part: ViewPart, position: number, top: TopHits): void => {
  for (let index = 0; index < touchedCount; index++) {
    const chunk = touched[index]!
    if (scores[chunk]! >= top.threshold) top.offer(hitOf(part, position, chunk))
  }
}

// Each document's best chunk so far. Never cleared: what another search left counts only where it is true here, too.
const bestChunks = new Uint16Array(MAX_SEGMENT_CHUNKS)

const offerDocuments = (part: ViewPart, position: number, top: TopHits): void => {
  const { chunkDocuments } = part.segment
  const { threshold } = top
  for (let index = 0; index < touchedCount; index++) {
    const chunk = touched[index]!
    if (scores[chunk]! < threshold) continue
    const document = chunkDocuments[chunk]!
    const best = bestChunks[document]!
    // Of equals the first.
    const better = chunkDocuments[best] !== document || scores[chunk]! > scores[best]! ||
      (scores[chunk] === scores[best] && chunk < best)
    if (better) bestChunks[document] = chunk
  }
  for (let index = 0; index < touchedCount; index++) {
    const chunk = touched[index]!
    if (scores[chunk]! < top.threshold || bestChunks[chunkDocuments[chunk]!] !== chunk) continue
    top.offer(hitOf(part, position, chunk))
  }
}

export const searchView = (
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  options: SearchOptions
): ReadonlyArray<Hit> => {
  if (!(options.limit > 0)) return []
  const scoring = scoringOf(parts, query)
  const top = new TopHits(options.limit)
  const offer = options.groupBy === "chunk" ? offerChunks : offerDocuments
  try {
    parts.forEach((part, position) => {
      scorePart(part, passing(part, options), scoring)
      offer(part, position, top)
      clear()
    })
  } finally {
    clear()
  }
  return top.best()
}
