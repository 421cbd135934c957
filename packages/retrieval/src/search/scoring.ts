/** BM25 over all parts of a view, as if they were one index. */
import { decodeLength } from "../segment/bytes/lengths.ts"
import type { ViewPart } from "../segment/Mask.ts"
import { capitalizedTerm } from "../text/names/capitalized.ts"
import { withParts } from "./query/compounds.ts"
import { withSpellings } from "./query/spellings.ts"
import { PARAMETERS, type Parameters } from "./parameters.ts"
import { type Query, readIn } from "./query/Query.ts"
import { type Statistics, statisticsOf } from "./statistics.ts"

/** An identifier in more documents than this is a word like any other. */
export const RARE = 3

/** A word that is repeated more often in a query counts no more. */
const MAX_TIMES = 10

export interface WeightedTerm {
  readonly term: string
  readonly weight: number
}

export interface Scoring {
  readonly terms: ReadonlyArray<WeightedTerm>
  /** Those that come before everything else. */
  readonly identifiers: ReadonlyArray<string>
  /** The query in the languages of the texts, with the parts of its compounds. */
  readonly query: Query
  /** The weight of each term; absent for words that do not occur. */
  readonly idf: ReadonlyMap<string, number>
  /**
   * More than all terms together can add in a chunk, its document, by proximity and as a name of several words, so that
   * exact matches come before similar texts.
   */
  readonly identifierBonus: number
  /** The most that proximity adds, as a share of the best score. */
  readonly proximity: number
  /** The most that resembling other good hits adds, as a share of the best score. */
  readonly feedback: number
  /** The weight of a word by the number of chunks that contain it. */
  readonly idfOf: (frequency: number) => number
  /** Like `norms`, for a document of this many words. */
  readonly documentNorm: (length: number) => number
  /** For each length code, the addend in the denominator of BM25. */
  readonly norms: Float64Array
}

/** Adding and subtracting it rounds to multiples of 2⁻³⁰; scores are always smaller. */
const ROUNDER = 1.5 * 2 ** 22

const STEP = 2 ** -30

/**
 * What a term adds to the score of a chunk. Addends are multiples of one step, so that their sum does not depend on the
 * order.
 */
export const termScore = (weight: number, count: number, norm: number): number =>
  (weight * count) / (count + norm) + ROUNDER - ROUNDER

/** An upper bound of the score for counts up to this one and lengths per occurrence from this one. */
export const maxTermScore = (weight: number, mostCount: number, leastLength: number, norms: Float64Array): number => {
  const ground = norms[0]!
  const share = 1 + ground / mostCount + (norms[leastLength]! - ground)
  // One step more, because the two formulas may round differently.
  return weight / share + ROUNDER - ROUNDER + STEP
}

/** Masked chunks still count in `frequency` until a merge, so the total must not be smaller. */
const idfOf = (chunks: number, frequency: number): number =>
  Math.log(1 + (Math.max(chunks, frequency) - frequency + 0.5) / (frequency + 0.5))

const normOf = ({ b, k1 }: Parameters, length: number, average: number): number =>
  k1 * (1 - b + (b * length) / Math.max(1, average))

/** Those of the last search, because the average rarely changes. */
let lastNorms = { parameters: PARAMETERS, average: NaN, norms: new Float64Array(256) }

/** For each length code. Do not modify. */
const normsFor = (parameters: Parameters, average: number): Float64Array => {
  if (lastNorms.average === average && lastNorms.parameters === parameters) return lastNorms.norms
  const norms = new Float64Array(256)
  for (let code = 0; code < 256; code++) norms[code] = normOf(parameters, decodeLength(code), average)
  lastNorms = { parameters, average, norms }
  return norms
}

/** From the statistics of all searched parts. */
export const scoringFor = (
  written: Query,
  statistics: Statistics,
  parameters: Parameters = PARAMETERS
): Scoring => {
  const { chunks, documents, frequencies, identified, languages, length } = statistics
  const { feedback = 0, proximity } = parameters
  const query = withParts(withSpellings(readIn(written, languages), frequencies), frequencies)
  const isRare = (identifier: string) => (identified.get(identifier) ?? 0) <= RARE
  const idf = new Map<string, number>()
  for (const term of [...query.weights.keys(), ...query.identifiers.filter((term) => !isRare(term))]) {
    // The idf of a word is computed over all its readings.
    const others = query.others.get(term) ?? []
    const frequency = others.reduce((sum, other) => sum + (frequencies.get(other) ?? 0), frequencies.get(term) ?? 0)
    if (frequency > 0) idf.set(term, idfOf(chunks, frequency))
  }
  query.capitalized.forEach((word, at) => {
    const term = capitalizedTerm(word)
    const own = frequencies.get(term) ?? 0
    const inAll = [...new Set(query.readings.map(({ capitalized }) => capitalized[at]!))]
      .reduce((sum, reading) => sum + (frequencies.get(reading) ?? 0), 0)
    // It counts as much as the capitals make the word rarer.
    const more = idfOf(chunks, own) - idfOf(chunks, Math.max(own, inAll))
    if (own > 0 && more > 0) idf.set(term, more)
  })
  const terms = [...idf].filter(([term]) => frequencies.has(term)).map(([term, value]) => ({
    term,
    weight: Math.min(query.weights.get(term) ?? 1, MAX_TIMES) * (parameters.k1 + 1) * value
  }))
  const average = (count: number) => length / Math.max(1, count)
  return {
    query,
    terms,
    identifiers: query.identifiers.filter(isRare),
    idf,
    identifierBonus: Math.ceil(
      1 + 4 * (1 + Math.max(1, proximity)) * terms.reduce((sum, { weight }) => sum + weight, 0)
    ),
    proximity,
    feedback,
    idfOf: (frequency) => idfOf(chunks, frequency),
    norms: normsFor(parameters, average(chunks)),
    documentNorm: (length) => normOf(parameters, length, average(documents))
  }
}

/** When all parts are loaded. */
export const scoringOf = (parts: ReadonlyArray<ViewPart>, query: Query): Scoring =>
  scoringFor(query, statisticsOf(parts, query))
