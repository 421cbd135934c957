/**
 * BM25 of whole documents, for those that a search found by a chunk.
 *
 * A chunk shows how closely one place is about the query, its document how much the whole is; the two together rank
 * better than either.
 */
import type { ViewPart } from "./Mask.ts"
import type { Scoring } from "./scoring.ts"
import type { Hit } from "./TopHits.ts"

/** Adds the scores of the documents in one part, which `places` names by the places of their hits, by document. */
const addScores = (
  { segment }: ViewPart,
  { documentNorm, terms }: Scoring,
  hits: ReadonlyArray<Hit>,
  places: ReadonlyArray<number>,
  scores: Float64Array
): void => {
  const { chunkDocuments, firstChunks } = segment
  const documents = places.map((place) => chunkDocuments[hits[place]!.chunk]!)
  const below = documents.map((document) => documentNorm(segment.lengthOf(document)))
  for (const { term, weight } of terms) {
    const stretch = segment.terms.find(term)
    if (stretch === null) continue
    const reader = segment.timesOf(stretch)
    let times = 0
    for (let at = 0; at < places.length; at++) {
      const document = documents[at]!
      // The hits of one document follow each other.
      if (document !== documents[at - 1]) times = reader.timesIn(firstChunks[document]!, firstChunks[document + 1]!)
      scores[places[at]!]! += (weight * times) / (times + below[at]!)
    }
  }
}

/** For each hit. */
export const documentScores = (
  parts: ReadonlyArray<ViewPart>,
  scoring: Scoring,
  hits: ReadonlyArray<Hit>
): Float64Array => {
  const scores = new Float64Array(hits.length)
  parts.forEach((part, position) => {
    const places = [...hits.keys()].filter((place) => hits[place]!.part === position)
      .sort((left, right) => hits[left]!.chunk - hits[right]!.chunk)
    if (places.length > 0) addScores(part, scoring, hits, places, scores)
  })
  return scores
}
