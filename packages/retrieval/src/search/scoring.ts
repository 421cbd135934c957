/** BM25 over all parts of a view, as if they were one. */
import { decodeLength } from "../segment/bytes/lengths.ts"
import type { ViewPart } from "../segment/Mask.ts"
import { PARAMETERS, type Parameters } from "./parameters.ts"
import { type Query, readIn } from "./Query.ts"
import { type Statistics, statisticsOf, type Totals, totalsOf } from "./statistics.ts"

/** A word that is written more often in a query counts no more. */
const MAX_TIMES = 10

export interface WeightedTerm {
  readonly term: string
  readonly weight: number
}

export interface Scoring {
  readonly terms: ReadonlyArray<WeightedTerm>
  readonly identifiers: ReadonlyArray<string>
  /** What the query was read as. */
  readonly query: Query
  /** How much each term tells; those of words that stand nowhere are absent. */
  readonly idf: ReadonlyMap<string, number>
  /**
   * More than all terms together can give, in a chunk, in its document and near each other: what names the thing comes
   * before what resembles it.
   */
  readonly identifierBonus: number
  /** How much words that stand together can add, as a share of the best score. */
  readonly proximity: number
  /** The same as `norms`, for a whole document of this many words. */
  readonly documentNorm: (length: number) => number
  /** For each length code, what is added to a count below the line. */
  readonly norms: Float64Array
}

/** Adding and taking away rounds to a step of 2⁻³⁰; no score comes near it. */
const ROUNDER = 1.5 * 2 ** 22

const STEP = 2 ** -30

/**
 * What a term gives to a chunk. All parts of a score are multiples of one step, so that their sum is the same in
 * whatever order they are added.
 */
export const partOfScore = (weight: number, count: number, norm: number): number =>
  (weight * count) / (count + norm) + ROUNDER - ROUNDER

/** No part of a score is greater whose count is at most this one, and whose length for each time at least that. */
export const boundOfScore = (weight: number, mostCount: number, leastLength: number, norms: Float64Array): number => {
  const ground = norms[0]!
  const share = 1 + ground / mostCount + (norms[leastLength]! - ground)
  // One step more, since the two ways to compute it may be rounded to different sides.
  return weight / share + ROUNDER - ROUNDER + STEP
}

/** Hidden chunks still count in `frequency` until a merge, so the total may have to make room for them. */
const rarityOf = (chunks: number, frequency: number): number =>
  Math.log(1 + (Math.max(chunks, frequency) - frequency + 0.5) / (frequency + 0.5))

const normOf = ({ b, k1 }: Parameters, length: number, average: number): number =>
  k1 * (1 - b + (b * length) / Math.max(1, average))

/** Those of the last search: the average hardly changes from one to the next. */
let lastNorms = { parameters: PARAMETERS, average: NaN, norms: new Float64Array(256) }

/** For each length code; not to be changed. */
const normsFor = (parameters: Parameters, average: number): Float64Array => {
  if (lastNorms.average === average && lastNorms.parameters === parameters) return lastNorms.norms
  const norms = new Float64Array(256)
  for (let code = 0; code < 256; code++) norms[code] = normOf(parameters, decodeLength(code), average)
  lastNorms = { parameters, average, norms }
  return norms
}

/** By what is known of all parts that are searched. */
export const scoringFor = (
  written: Query,
  statistics: Statistics,
  parameters: Parameters = PARAMETERS
): Scoring => {
  const { chunks, documents, frequencies, languages, length } = statistics
  const { proximity } = parameters
  const query = readIn(written, languages)
  const idf = new Map<string, number>()
  for (const term of query.weights.keys()) {
    // A word is as rare as it is in all languages together.
    const others = query.others.get(term) ?? []
    const frequency = others.reduce((sum, other) => sum + (frequencies.get(other) ?? 0), frequencies.get(term) ?? 0)
    if (frequency > 0) idf.set(term, rarityOf(chunks, frequency))
  }
  const terms = [...idf].filter(([term]) => frequencies.has(term)).map(([term, rarity]) => ({
    term,
    weight: Math.min(query.weights.get(term)!, MAX_TIMES) * (parameters.k1 + 1) * rarity
  }))
  const average = (count: number) => length / Math.max(1, count)
  return {
    query,
    terms,
    identifiers: query.identifiers,
    idf,
    identifierBonus: Math.ceil(
      1 + 2 * (1 + Math.max(1, proximity)) * terms.reduce((sum, { weight }) => sum + weight, 0)
    ),
    proximity,
    norms: normsFor(parameters, average(chunks)),
    documentNorm: (length) => normOf(parameters, length, average(documents))
  }
}

interface Known {
  readonly parts: ReadonlyArray<ViewPart>
  readonly totals: Totals
  readonly scoring: Scoring
}

/** What a query was last searched with: its hits are ranked again right after. */
const known = new WeakMap<Query, Known>()

/** Where all parts are at hand. */
export const scoringOf = (parts: ReadonlyArray<ViewPart>, query: Query): Scoring => {
  const totals = totalsOf(parts)
  const last = known.get(query)
  const { chunks, documents, length } = last?.totals ?? {}
  if (last?.parts === parts && chunks === totals.chunks && documents === totals.documents && length === totals.length) {
    return last.scoring
  }
  const scoring = scoringFor(query, statisticsOf(parts, query))
  known.set(query, { parts, totals, scoring })
  return scoring
}
