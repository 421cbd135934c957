/**
 * Pseudo-relevance feedback: how similar the best hits are to each other in words that the query does not contain. What
 * several of them are about is probably what was asked for.
 */
import type { ViewPart } from "../../segment/Mask.ts"
import type { Query } from "../query/Query.ts"
import type { Scoring } from "../scoring.ts"
import { byRank, type Hit, type Scored } from "../TopHits.ts"
import { hasOnlyWords, type HitFeatures, maxOf, withProximity, wordScore } from "./HitFeatures.ts"
import { COMPARED_HITS, FEEDBACK_HITS, TermVectors } from "./TermVectors.ts"

/** How much less a hit counts than one with a higher score. */
const POWER = 6

/** Weights are multiples of its inverse, so that their sums do not depend on the order. */
const PRECISION = 1_024

const vectors = new TermVectors()

/** Products of each hit with the feedback hits before it. */
const products = new Float64Array(COMPARED_HITS * FEEDBACK_HITS)

/** Products of each hit with itself. */
const squares = new Float64Array(COMPARED_HITS)

const multiply = (parts: ReadonlyArray<ViewPart>, scoring: Scoring, hits: ReadonlyArray<Scored>): void => {
  const norms = hits.map(({ chunk, part }) => scoring.norms[parts[part]!.segment.chunkLengths[chunk]!]!)
  const rarest = scoring.idfOf(1)
  const weigh = (idf: number, times: number, hit: number): number =>
    times === 0 ? 0 : Math.round((PRECISION * idf * times) / (times + norms[hit]!))
  const feedbackWeights = new Float64Array(FEEDBACK_HITS)
  products.fill(0)
  // A word that no other hit shares only makes a hit less like the others, whether it is rare or not.
  for (let hit = 0; hit < hits.length; hit++) squares[hit] = vectors.others[hit]! * weigh(rarest, 1, hit) ** 2
  for (let word = 0; word < vectors.count; word++) {
    const holder = vectors.onlyHolder(word)
    if (holder !== -1) {
      squares[holder]! += weigh(rarest, vectors.times(word, holder), holder) ** 2
      continue
    }
    const idf = scoring.idfOf(vectors.frequencyOf(parts, word))
    for (let hit = 0; hit < hits.length; hit++) {
      const weight = weigh(idf, vectors.times(word, hit), hit)
      if (hit < FEEDBACK_HITS) feedbackWeights[hit] = weight
      if (weight === 0) continue
      squares[hit]! += weight ** 2
      for (let other = 0; other < Math.min(hit, FEEDBACK_HITS); other++) {
        products[hit * FEEDBACK_HITS + other]! += weight * feedbackWeights[other]!
      }
    }
  }
}

const cosine = (one: number, other: number): number =>
  products[Math.max(one, other) * FEEDBACK_HITS + Math.min(one, other)]! /
  Math.sqrt(squares[one]! * squares[other]! || 1)

/** From 0 to 1 for each of the hits, which are at most `COMPARED_HITS` and sorted. */
const similarityOf = (
  parts: ReadonlyArray<ViewPart>,
  scoring: Scoring,
  hits: ReadonlyArray<Scored>
): ReadonlyArray<number> => {
  try {
    vectors.open(parts, scoring, hits)
    multiply(parts, scoring, hits)
  } finally {
    vectors.close()
  }
  const shares = hits.slice(0, FEEDBACK_HITS).map(({ score }) => (score / hits[0]!.score) ** POWER)
  const sums = hits.map((_, one) =>
    shares.reduce((sum, share, other) => other === one ? sum : sum + share * cosine(one, other), 0)
  )
  const most = Math.max(...sums)
  return sums.map((sum) => most === 0 ? 0 : sum / most)
}

/** The first of the best hits resemble the others most, because they are right more often than what resembles them. */
const LEADING = 2

/** Adds the similarity of the best hits, if only words matter. `parts` and `hits` must be all. */
export const withFeedback = (
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  scoring: Scoring,
  hits: ReadonlyArray<HitFeatures<Hit>>
): ReadonlyArray<HitFeatures<Hit>> => {
  if (!hasOnlyWords(query) || scoring.feedback === 0 || hits.length <= LEADING) return hits
  const wordScores = hits.map(({ hit, documentScore }) => wordScore(hit, documentScore, scoring))
  const best = maxOf(wordScores)
  const compared = hits
    .map(({ hit, proximity }, at) => ({ ...hit, at, score: withProximity(wordScores[at]!, best, proximity, scoring) }))
    .sort(byRank)
    .slice(0, COMPARED_HITS)
  const similarities = new Map<number, number>()
  similarityOf(parts, scoring, compared).forEach((value, rank) =>
    similarities.set(compared[rank]!.at, rank < LEADING ? 1 : value)
  )
  return hits.map((one, at) => ({ ...one, similarity: similarities.get(at) ?? 0 }))
}
