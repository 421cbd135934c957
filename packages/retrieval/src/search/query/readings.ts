/** The terms of a query in each language that it may be written in. */
import { ENGLISH, type Language, languagesIn } from "../../text/languages.ts"
import type { ExactName } from "../../text/names/exactNames.ts"
import { american, british } from "../../text/spelling.ts"
import { termIn, wordsOf } from "../../text/words.ts"

/** The query in one language. */
export interface Reading {
  /** In query order; a repeated word appears again. */
  readonly terms: ReadonlyArray<string>
  /** The terms of each quoted phrase, in order. */
  readonly phrases: ReadonlyArray<ReadonlyArray<string>>
  /** The terms of each name, in order. */
  readonly names: ReadonlyArray<ReadonlyArray<string>>
  /** The term of each word with capitals. */
  readonly capitalized: ReadonlyArray<string>
}

export interface WrittenQuery {
  readonly text: string
  /** Its words in order, without stop words; all words if all are stop words. */
  readonly words: ReadonlyArray<string>
  /** Names that a text must contain literally to match exactly. */
  readonly names: ReadonlyArray<ExactName>
  /** Words with capitals that no sentence explains, also stop words; none if all of several words have them. */
  readonly capitalized: ReadonlyArray<string>
}

export interface Readings {
  /** The set of languages in which it is read. */
  readonly languages: number
  /** One for each language and English spelling that yields other terms. All have their words in the same order. */
  readonly readings: ReadonlyArray<Reading>
  /** Each distinct term, and its number of occurrences; less for the parts and pairs of characters of one word. */
  readonly weights: ReadonlyMap<string, number>
  /** For each term, the other readings of the same word. */
  readonly others: ReadonlyMap<string, ReadonlyArray<string>>
}

/** Further distinct words are ignored: no question has this many. */
export const MAX_TERMS = 64

/** The most terms to look up, whatever the number of languages. */
const MAX_READ = 2 * MAX_TERMS

const QUOTED = /"([^"]+)"|\u201c([^\u201c\u201d]+)\u201d/gu

const phrasesOf = (text: string, language: Language): Reading["phrases"] =>
  [...text.matchAll(QUOTED)]
    .map(([, straight, curly]) => wordsOf(straight ?? curly ?? "").map((word) => termIn(language, word)))
    .filter((phrase) => phrase.length > 1)

const namesIn = (names: ReadonlyArray<ExactName>, language: Language): Reading["names"] =>
  names.map(({ cased }) => wordsOf(cased).map((word) => termIn(language, word)))

const isSame = (one: Reading, other: Reading): boolean =>
  one.terms.every((term, at) => term === other.terms[at]) &&
  one.phrases.every((phrase, at) => phrase.every((term, place) => term === other.phrases[at]![place]))

const readingsOf = (
  { capitalized, names, text, words }: WrittenQuery,
  languages: number
): ReadonlyArray<Reading> => {
  const readings: Array<Reading> = []
  const add = (language: Language, words: ReadonlyArray<string>) => {
    const reading = {
      terms: words.map((word) => termIn(language, word)),
      phrases: phrasesOf(text, language),
      names: namesIn(names, language),
      capitalized: capitalized.map((word) => termIn(language, word))
    }
    if (!readings.some((other) => isSame(other, reading))) readings.push(reading)
  }
  for (const language of languagesIn(languages)) add(language, words)
  for (const spelling of [british, american]) add(ENGLISH, words.map((word) => spelling(word.toLowerCase())))
  return readings
}

const weightsOf = (
  readings: ReadonlyArray<Reading>,
  words: ReadonlyArray<string>,
  pairs: ReadonlyMap<string, number>
): Readings["weights"] => {
  const weights = new Map<string, number>()
  readings.forEach(({ terms }, reading) => {
    const most = reading === 0 ? MAX_TERMS : MAX_READ
    const own = new Map<string, number>()
    terms.forEach((term, at) => own.set(term, (own.get(term) ?? 0) + (pairs.get(words[at]!) || 1)))
    for (const [term, times] of own) if (weights.size < most && !weights.has(term)) weights.set(term, times)
  })
  return weights
}

const othersOf = (readings: ReadonlyArray<Reading>): Readings["others"] => {
  const others = new Map<string, Set<string>>()
  if (readings.length === 1) return new Map()
  readings[0]!.terms.forEach((_, at) => {
    const terms = new Set(readings.map(({ terms }) => terms[at]!))
    for (const term of terms) {
      const known = others.get(term) ?? new Set()
      for (const other of terms) if (other !== term) known.add(other)
      others.set(term, known)
    }
  })
  return new Map([...others].map(([term, set]) => [term, [...set]]))
}

/** `pairs` are the query's pairs of characters. */
export const readAs = (query: WrittenQuery, languages: number, pairs: ReadonlyMap<string, number>): Readings => {
  const readings = readingsOf(query, languages)
  return { languages, readings, weights: weightsOf(readings, query.words, pairs), others: othersOf(readings) }
}
