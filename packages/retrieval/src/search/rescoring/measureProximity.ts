/** Measures how near the query's words are to each other in the best hits, which is too expensive for all. */
import type { ViewPart } from "../../segment/Mask.ts"
import { DocumentTermCounts } from "./DocumentTermCounts.ts"
import { MatchReader, NO_MATCH } from "./MatchReader.ts"
import { maxProximity, positionQueryOf } from "./proximity.ts"
import type { Query } from "../query/Query.ts"
import { hasOnlyWords, type HitFeatures, maxOf, withProximity, wordScore } from "./HitFeatures.ts"
import type { Scoring } from "../scoring.ts"
import type { Scored } from "../TopHits.ts"

// Measuring is synchronous, so these buffers are shared.
const counts = new DocumentTermCounts()
const reader = new MatchReader()

const insertDescending = (numbers: Array<number>, added: number): void => {
  let place = numbers.length
  for (; place > 0 && numbers[place - 1]! < added; place--) numbers[place] = numbers[place - 1]!
  numbers[place] = added
}

/**
 * With `exactHits`, the parts must be everything that is searched. Hits that cannot be among the first `exactHits` are
 * left out, and only as much is read as is needed to know that.
 */
export const measureProximity = <Item extends Scored>(
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  scoring: Scoring,
  found: ReadonlyArray<Item>,
  exactHits = Infinity
): ReadonlyArray<HitFeatures<Item>> => {
  counts.count(parts, scoring, found)
  const positionQuery = positionQueryOf(scoring)
  const wordScores = found.map((hit, at) => wordScore(hit, counts.score(at), scoring))
  const best = maxOf(wordScores)
  const enough = hasOnlyWords(query) && query.names.length === 0 ? exactHits : Infinity
  // The scores so far, descending, and the score that is needed to be among the first.
  const scores: Array<number> = []
  const least = () => scores[enough - 1] ?? 0
  const measured: Array<HitFeatures<Item>> = []
  reader.open(parts, positionQuery)
  try {
    found.forEach((hit, at) => {
      const nearest = maxProximity(positionQuery, counts, at)
      if (wordScores[at]! < best && withProximity(wordScores[at]!, best, nearest, scoring) < least()) return
      // If no pair has both words in the document, the proximity is zero.
      const quality = positionQuery.phrases.length > 0 || nearest > 0 ? reader.read(hit) : NO_MATCH
      insertDescending(scores, withProximity(wordScores[at]!, best, quality.proximity, scoring))
      measured.push({ hit, documentScore: counts.score(at), ...quality, similarity: 0 })
    })
  } finally {
    reader.close()
  }
  return measured
}
