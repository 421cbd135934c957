/**
 * How much the best hits resemble each other in words that the query does not contain (pseudo-relevance feedback): what
 * several of them are about is probably what was asked for.
 */
import type { ViewPart } from "../segment/Mask.ts"
import { COMPARED, HitWords, MODELS } from "./HitWords.ts"
import type { Scoring } from "./scoring.ts"
import type { Scored } from "./TopHits.ts"

/** How much less a hit counts than one with a higher score. */
const POWER = 6

/** Weights are multiples of its inverse, so that their sums do not depend on the order. */
const PRECISION = 1_024

const words = new HitWords()

/** Products of each hit with the models before it. */
const products = new Float64Array(COMPARED * MODELS)

/** Products of each hit with itself. */
const squares = new Float64Array(COMPARED)

const multiply = (parts: ReadonlyArray<ViewPart>, scoring: Scoring, hits: ReadonlyArray<Scored>): void => {
  const norms = hits.map(({ chunk, part }) => scoring.norms[parts[part]!.segment.chunkLengths[chunk]!]!)
  const rarest = scoring.idfOf(1)
  const weigh = (idf: number, times: number, hit: number): number =>
    times === 0 ? 0 : Math.round((PRECISION * idf * times) / (times + norms[hit]!))
  const ofModels = new Float64Array(MODELS)
  products.fill(0)
  // A word that no other hit shares only makes a hit less like the others, whether it is rare or not.
  for (let hit = 0; hit < hits.length; hit++) squares[hit] = words.others[hit]! * weigh(rarest, 1, hit) ** 2
  for (let word = 0; word < words.count; word++) {
    const holder = words.onlyHolder(word)
    if (holder !== -1) {
      squares[holder]! += weigh(rarest, words.times(word, holder), holder) ** 2
      continue
    }
    const idf = scoring.idfOf(words.frequencyOf(parts, word))
    for (let hit = 0; hit < hits.length; hit++) {
      const weight = weigh(idf, words.times(word, hit), hit)
      if (hit < MODELS) ofModels[hit] = weight
      if (weight === 0) continue
      squares[hit]! += weight ** 2
      for (let model = 0; model < Math.min(hit, MODELS); model++) {
        products[hit * MODELS + model]! += weight * ofModels[model]!
      }
    }
  }
}

const cosine = (one: number, other: number): number =>
  products[Math.max(one, other) * MODELS + Math.min(one, other)]! / Math.sqrt(squares[one]! * squares[other]! || 1)

/** From 0 to 1 for each of the hits, which are at most `COMPARED` and sorted. */
export const resemblanceOf = (
  parts: ReadonlyArray<ViewPart>,
  scoring: Scoring,
  hits: ReadonlyArray<Scored>
): ReadonlyArray<number> => {
  try {
    words.open(parts, scoring, hits)
    multiply(parts, scoring, hits)
  } finally {
    words.close()
  }
  const shares = hits.slice(0, MODELS).map(({ score }) => (score / hits[0]!.score) ** POWER)
  const sums = hits.map((_, one) =>
    shares.reduce((sum, share, other) => other === one ? sum : sum + share * cosine(one, other), 0)
  )
  const most = Math.max(...sums)
  return sums.map((sum) => most === 0 ? 0 : sum / most)
}
