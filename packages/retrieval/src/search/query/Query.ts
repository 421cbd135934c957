/** A parsed query. */
import { isCapitalized } from "../../text/names/capitalized.ts"
import { type ExactName, exactNames } from "../../text/names/exactNames.ts"
import { IdentifierFinder, identifierTerm } from "../../text/names/identifiers.ts"
import { ENGLISH, ENGLISH_ALONE, type Language, languageOfWords, languagesIn } from "../../text/languages.ts"
import { isProse } from "../../text/names/prose.ts"
import { isScriptStopWord } from "../../text/scripts.ts"
import { american, british } from "../../text/spelling.ts"
import { significantWords } from "../../text/stopWords.ts"
import { termIn, termOf, visitWords } from "../../text/words.ts"

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

export interface Query {
  /** The original text. */
  readonly text: string
  /** Its words in order, without stop words; all words if all are stop words. */
  readonly words: ReadonlyArray<string>
  /** Whether any word is not a stop word. */
  readonly hasSignificant: boolean
  /** The set of languages in which it is read. */
  readonly languages: number
  /** One for each language and English spelling that yields other terms. All have their words in the same order. */
  readonly readings: ReadonlyArray<Reading>
  /** Each distinct term, and its number of occurrences; less for the parts and pairs of characters of one word. */
  readonly weights: ReadonlyMap<string, number>
  /** For each term, the other readings of the same word. */
  readonly others: ReadonlyMap<string, ReadonlyArray<string>>
  /** Terms that are exact identifiers. */
  readonly identifiers: ReadonlyArray<string>
  /** Names that a text must contain literally to match exactly. */
  readonly names: ReadonlyArray<ExactName>
  /** Words with capitals that no sentence explains, also stop words; none if all of several words have them. */
  readonly capitalized: ReadonlyArray<string>
}

/** Further distinct words are ignored: no question has this many. */
const MAX_TERMS = 64

const wordsOf = (text: string): ReadonlyArray<string> => {
  const words: Array<string> = []
  visitWords(text, (start, end) => words.push(text.slice(start, end)))
  return words
}

const IS_ASCII = /^[\x00-\x7f]*$/

/**
 * For each pair of characters of a longer word, what it counts: all of a word's pairs together as the root of their
 * number. They mostly occur together, so with the weight of words a long one would outweigh the rest of the query.
 */
const pairsIn = (text: string): ReadonlyMap<string, number> => {
  const pairs = new Map<string, number>()
  if (IS_ASCII.test(text)) return pairs
  let word: Array<string> = []
  let last = 0
  const close = () => {
    if (word.length > 1) { for (const pair of word) pairs.set(pair, 1 / Math.sqrt(word.length)) }
    word = []
  }
  visitWords(text, (start, end) => {
    if (start >= last) close()
    word.push(text.slice(start, end))
    last = end
  })
  close()
  return pairs
}

const QUOTED = /"([^"]+)"|\u201c([^\u201c\u201d]+)\u201d/gu

const phrasesOf = (text: string, language: Language): Reading["phrases"] =>
  [...text.matchAll(QUOTED)]
    .map(([, straight, curly]) => wordsOf(straight ?? curly ?? "").map((word) => termIn(language, word)))
    .filter((phrase) => phrase.length > 1)

const namesIn = (names: ReadonlyArray<ExactName>, language: Language): Reading["names"] =>
  names.map(({ cased }) => wordsOf(cased).map((word) => termIn(language, word)))

const IS_WORD = /^[\p{L}\p{M}\p{N}]+$/u

/** A quick check: plain lower-case letters are never a name, and most queries are nothing else. */
const IS_PLAIN = /^[a-z ]*$/

type Named = Pick<Query, "capitalized" | "identifiers" | "names">

const NOTHING: Named = { capitalized: [], identifiers: [], names: [] }

/** `How To Install It`, `WHAT IS IT`: capitals that say nothing. */
const isTitle = (words: ReadonlyArray<string>): boolean =>
  words.length > 1 && !words.some((word) => /^[\p{Ll}\p{Lo}]/u.test(word))

const namedIn = (text: string, words: ReadonlyArray<string>): Named => {
  if (IS_PLAIN.test(text)) return NOTHING
  const found = new Set<string>()
  const capitalized = new Set<string>()
  const add = (name: string) => {
    found.add(identifierTerm(name))
    // A phone number may be written in groups or as a single word, which is a term.
    if (IS_WORD.test(name)) found.add(termOf(name))
  }
  const finder = new IdentifierFinder(text, add)
  visitWords(text, (start, end) => {
    finder.word(start, end)
    if (isCapitalized(text, start, end)) capitalized.add(text.slice(start, end))
  })
  finder.finish()
  for (const word of words) if (!isProse(word)) add(word)
  return {
    capitalized: isTitle(words) ? [] : [...capitalized].slice(0, MAX_TERMS),
    identifiers: [...found].slice(0, MAX_TERMS),
    names: exactNames(text)
  }
}

/** The most terms to look up, whatever the number of languages. */
const MAX_READ = 2 * MAX_TERMS

const weightsOf = (
  readings: ReadonlyArray<Reading>,
  words: ReadonlyArray<string>,
  pairs: ReadonlyMap<string, number>
): Query["weights"] => {
  const weights = new Map<string, number>()
  readings.forEach(({ terms }, reading) => {
    const most = reading === 0 ? MAX_TERMS : MAX_READ
    const own = new Map<string, number>()
    terms.forEach((term, at) => own.set(term, (own.get(term) ?? 0) + (pairs.get(words[at]!) ?? 1)))
    for (const [term, times] of own) if (weights.size < most && !weights.has(term)) weights.set(term, times)
  })
  return weights
}

const othersOf = (readings: ReadonlyArray<Reading>): Query["others"] => {
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

const isSame = (one: Reading, other: Reading): boolean =>
  one.terms.every((term, at) => term === other.terms[at]) &&
  one.phrases.every((phrase, at) => phrase.every((term, place) => term === other.phrases[at]![place]))

/** Short words of Hiragana alone: the particles, endings and question words of Japanese. Longer ones may be any word. */
const GRAMMAR = /^\p{Script=Hiragana}{1,2}$/u

const significantIn = (words: ReadonlyArray<string>, pairs: ReadonlyMap<string, number>): ReadonlyArray<string> => {
  const { stopWords } = languageOfWords(words.map((word) => word.toLowerCase()))
  const significant = significantWords(words, {
    has: (word) => stopWords.has(word) || isScriptStopWord(word)
  })
  const named = significant.filter((word) => pairs.has(word) || !GRAMMAR.test(word))
  return named.length > 0 ? named : significant
}

type Written = Pick<Query, "capitalized" | "names" | "text" | "words">

const readingsOf = (
  { capitalized, names, text, words }: Written,
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

const readAs = (
  query: Written,
  languages: number,
  pairs = pairsIn(query.text)
) => {
  const readings = readingsOf(query, languages)
  return { languages, readings, weights: weightsOf(readings, query.words, pairs), others: othersOf(readings) }
}

/** The query in English, and in scripts that identify their language. */
export const parseQuery = (text: string): Query => {
  const written = wordsOf(text)
  const pairs = pairsIn(text)
  const significant = significantIn(written, pairs)
  const hasSignificant = significant.length > 0
  const words = hasSignificant ? significant : written
  const named = namedIn(text, written)
  const query = { text, words, hasSignificant, ...named }
  return { ...query, ...readAs(query, ENGLISH_ALONE, pairs) }
}

/** Queries are cached, because each is read again for every search of the same languages. */
const known = new WeakMap<Query, Query>()

/** Parses the query in the languages of the searched documents as well. */
export const readIn = (query: Query, languages: number): Query => {
  const all = query.languages | languages
  if (all === query.languages) return query
  const last = known.get(query)
  if (last?.languages === all) return last
  const read = { ...query, ...readAs(query, all) }
  known.set(query, read)
  return read
}
