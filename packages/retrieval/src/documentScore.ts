/**
 * BM25 of whole documents, for those that a search found by a chunk.
 *
 * A chunk shows how closely one place is about the query, its document how much the whole is; the two together rank
 * better than either.
 */
import type { ViewPart } from "./Mask.ts"
import type { Scoring } from "./scoring.ts"
import type { Hit } from "./TopHits.ts"

export const documentScore = (parts: ReadonlyArray<ViewPart>, { documentNorm, terms }: Scoring, hit: Hit): number => {
  const { segment } = parts[hit.part]!
  const document = segment.chunkDocuments[hit.chunk]!
  const [first, end] = [segment.firstChunks[document]!, segment.firstChunks[document + 1]!]
  const below = documentNorm(segment.lengthOf(document))
  return terms.reduce((sum, { term, weight }) => {
    const times = segment.timesIn(term, first, end)
    return sum + (weight * times) / (times + below)
  }, 0)
}
