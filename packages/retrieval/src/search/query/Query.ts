/** A parsed query. */
import { isCapitalized } from "../../text/names/capitalized.ts"
import { exactNames } from "../../text/names/exactNames.ts"
import { IdentifierFinder, identifierTerm } from "../../text/names/identifiers.ts"
import { ENGLISH_ALONE, languageOfWords } from "../../text/languages.ts"
import { isProse } from "../../text/names/prose.ts"
import { isScriptStopWord } from "../../text/scripts.ts"
import { significantWords } from "../../text/stopWords.ts"
import { termOf, visitWords, wordsOf } from "../../text/words.ts"
import { characterPairs } from "./characterPairs.ts"
import { MAX_TERMS, readAs, type Readings, type WrittenQuery } from "./readings.ts"

export interface Query extends WrittenQuery, Readings {
  /** Whether any word is not a stop word. */
  readonly hasSignificant: boolean
  /** Terms that are exact identifiers. */
  readonly identifiers: ReadonlyArray<string>
}

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

/** Short words of Hiragana alone: the particles, endings and question words of Japanese. Longer ones may be any word. */
const GRAMMAR = /^\p{Script=Hiragana}{1,2}$/u

const significantIn = (words: ReadonlyArray<string>, pairs: ReadonlyMap<string, number>): ReadonlyArray<string> => {
  const { stopWords } = languageOfWords(words.map((word) => word.toLowerCase()))
  const significant = significantWords(words, {
    has: (word) => stopWords.has(word) || (pairs.has(word) ? pairs.get(word) === 0 : isScriptStopWord(word))
  })
  const named = significant.filter((word) => pairs.has(word) || !GRAMMAR.test(word))
  return named.length > 0 ? named : significant
}

/** The query in English, and in scripts that identify their language. */
export const parseQuery = (text: string): Query => {
  const written = wordsOf(text)
  const pairs = characterPairs(text)
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
  const read = { ...query, ...readAs(query, all, characterPairs(query.text)) }
  known.set(query, read)
  return read
}
