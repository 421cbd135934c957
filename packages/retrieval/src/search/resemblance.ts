/**
 * How much the best hits resemble each other in words that the query does not contain (pseudo-relevance feedback): what
 * several of them are about is probably what was asked for.
 */
import type { ViewPart } from "../segment/Mask.ts"
import { COMPARED, HitWords } from "./HitWords.ts"
import type { Scoring } from "./scoring.ts"
import type { Scored } from "./TopHits.ts"

/** How much less a hit counts than one with a higher score. */
const POWER = 6

/** Weights are multiples of its inverse, so that their sums do not depend on the order. */
const PRECISION = 1_024

const words = new HitWords()

/** Products of hits, those of a hit with itself included. */
const products = new Float64Array(COMPARED * COMPARED)

/** Multiplies all hits with each other. */
const multiply = (parts: ReadonlyArray<ViewPart>, scoring: Scoring, hits: ReadonlyArray<Scored>): void => {
  const norms = hits.map(({ chunk, part }) => scoring.norms[parts[part]!.segment.chunkLengths[chunk]!]!)
  const weights = new Float64Array(hits.length)
  const rarest = scoring.idfOf(1)
  const weigh = (idf: number, word: number, hit: number): number => {
    const times = words.times(word, hit)
    return times === 0 ? 0 : Math.round((PRECISION * idf * times) / (times + norms[hit]!))
  }
  products.fill(0)
  for (let word = 0; word < words.count; word++) {
    const holder = words.onlyHolder(word)
    if (holder !== -1) {
      // It only makes the hit less like the others, whether it is rare or not.
      products[holder * COMPARED + holder]! += weigh(rarest, word, holder) ** 2
      continue
    }
    const idf = scoring.idfOf(words.frequencyOf(parts, word))
    for (let one = 0; one < hits.length; one++) {
      const weight = weights[one] = weigh(idf, word, one)
      if (weight === 0) continue
      for (let other = 0; other <= one; other++) products[one * COMPARED + other]! += weight * weights[other]!
    }
  }
}

const cosine = (one: number, other: number): number =>
  products[Math.max(one, other) * COMPARED + Math.min(one, other)]! /
  Math.sqrt(products[one * COMPARED + one]! * products[other * COMPARED + other]! || 1)

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
  const shares = hits.map(({ score }) => (score / hits[0]!.score) ** POWER)
  const sums = hits.map((_, one) =>
    shares.reduce((sum, share, other) => other === one ? sum : sum + share * cosine(one, other), 0)
  )
  const most = Math.max(...sums)
  return sums.map((sum) => most === 0 ? 0 : sum / most)
}
