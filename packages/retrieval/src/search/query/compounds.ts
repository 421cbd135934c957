/**
 * The parts of a query's compound words: a query for `Speicherverwaltung` also finds texts about the `Verwaltung` of the
 * `Speicher`. A word is cut where both parts are words of the searched texts, so that no dictionary is needed.
 */
import { type Language, languagesIn } from "../../text/languages.ts"
import { termIn } from "../../text/words.ts"
import type { Query } from "./Query.ts"

/** In UTF-16 code units. Shorter parts are mostly endings and prefixes. */
const SHORTEST = 4

/** Longer words are not cut, and neither are more words than this, because each place of a cut is looked up. */
const MAX_LENGTH = 40
const MAX_WORDS = 16

/** What a part counts, as a share of the whole word. */
const WEIGHT = 0.5

const IS_OF_LETTERS = /^[\p{L}\p{M}]+$/u

/** The terms of both parts: the letters that join them, as in `Sicherheitshinweis`, are endings, which a stem lacks. */
type Cut = readonly [first: string, second: string]

const cutsOf = (word: string, language: Language): ReadonlyArray<Cut> => {
  const lower = word.toLowerCase()
  const cuts: Array<Cut> = []
  for (let at = SHORTEST; at <= lower.length - SHORTEST; at++) {
    const [first, second] = [lower.slice(0, at), lower.slice(at)]
    if (language.stopWords.has(first) || language.stopWords.has(second)) continue
    cuts.push([termIn(language, first), termIn(language, second)])
  }
  return cuts
}

interface Compound {
  readonly whole: string
  readonly cuts: ReadonlyArray<Cut>
}

const compoundsIn = ({ languages, words }: Query): ReadonlyArray<Compound> => {
  const compounding = languagesIn(languages).filter(({ joinsWords }) => joinsWords)
  if (compounding.length === 0) return []
  const long = [...new Set(words)].filter((word) =>
    word.length >= 2 * SHORTEST && word.length <= MAX_LENGTH && IS_OF_LETTERS.test(word)
  )
  return compounding.flatMap((language) =>
    long.slice(0, MAX_WORDS).map((word) => ({ whole: termIn(language, word), cuts: cutsOf(word, language) }))
  )
}

/** The terms that may be parts, for the statistics. */
export const possibleParts = (query: Query): ReadonlySet<string> =>
  new Set(compoundsIn(query).flatMap(({ cuts }) => cuts.flat()))

/** A part in one text may be a mistake. */
const MIN_FREQUENCY = 2

/** The parts that are the most frequent words, if they are more frequent than the whole. */
const partsOf = ({ cuts, whole }: Compound, frequencies: ReadonlyMap<string, number>): ReadonlyArray<string> => {
  const frequencyOf = (term: string) => frequencies.get(term) ?? 0
  let parts: ReadonlyArray<string> = []
  let most = frequencyOf(whole)
  for (const [first, second] of cuts) {
    if (Math.min(frequencyOf(first), frequencyOf(second)) < MIN_FREQUENCY) continue
    const mean = Math.sqrt(frequencyOf(first) * frequencyOf(second))
    if (mean > most) [parts, most] = [[first, second], mean]
  }
  return parts
}

/** `frequencies` has the number of chunks with each possible part. */
export const withParts = (query: Query, frequencies: ReadonlyMap<string, number>): Query => {
  const parts = compoundsIn(query).flatMap((compound) => partsOf(compound, frequencies))
  if (parts.length === 0) return query
  return { ...query, weights: new Map([...parts.map((term) => [term, WEIGHT] as const), ...query.weights]) }
}
