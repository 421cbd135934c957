/**
 * BM25 of whole documents, for those that a search found by a chunk.
 *
 * A chunk shows how closely one place is about the query, its document how much the whole is; the two together rank
 * better than either.
 */
import type { ViewPart } from "./Mask.ts"
import { postingsOf, type Scoring } from "./scoring.ts"
import type { Segment } from "./Segment.ts"
import type { Hit } from "./TopHits.ts"

/** How often a term stands in the chunks from `first` up to `end`. */
const timesIn = (segment: Segment, term: string, first: number, end: number): number => {
  const postings = postingsOf(segment, term)
  if (postings === undefined) return 0
  const { postingChunks, postingCounts } = segment
  let [low, high] = postings
  while (low < high) {
    const middle = (low + high) >>> 1
    if (postingChunks[middle]! < first) low = middle + 1
    else high = middle
  }
  let times = 0
  for (let at = low; at < postings[1] && postingChunks[at]! < end; at++) times += postingCounts[at]!
  return times
}

export const documentScore = (parts: ReadonlyArray<ViewPart>, { documentNorm, terms }: Scoring, hit: Hit): number => {
  const { segment } = parts[hit.part]!
  const document = segment.chunkDocuments[hit.chunk]!
  const [first, end] = [segment.firstChunks[document]!, segment.firstChunks[document + 1]!]
  const below = documentNorm(segment.lengthOf(document))
  return terms.reduce((sum, { term, weight }) => {
    const times = timesIn(segment, term, first, end)
    return sum + (weight * times) / (times + below)
  }, 0)
}
