/** A query as the engine reads it. */
import { exactNames } from "../text/exactNames.ts"
import { IdentifierFinder, identifierTerm, isCode } from "../text/identifiers.ts"
import { tellingWords } from "../text/stopWords.ts"
import { termOf, visitWords } from "../text/words.ts"

export interface Query {
  /** In the order written; a word that is repeated stands here again. */
  readonly terms: ReadonlyArray<string>
  /** Each distinct term, and how often it was written. */
  readonly weights: ReadonlyMap<string, number>
  /** Terms of which each names one thing exactly. */
  readonly identifiers: ReadonlyArray<string>
  /** What a text must hold just as it is written to be what the query names, in the form of `plainName`. */
  readonly names: ReadonlyArray<string>
  /** The terms of each part in quotes, in order. */
  readonly phrases: ReadonlyArray<ReadonlyArray<string>>
}

/** More distinct words than this are not looked at: no question has so many. */
const MAX_TERMS = 64

const wordsOf = (text: string): ReadonlyArray<string> => {
  const words: Array<string> = []
  visitWords(text, (start, end) => words.push(text.slice(start, end)))
  return words
}

const QUOTED = /"([^"]+)"|\u201c([^\u201c\u201d]+)\u201d/gu

const phrasesOf = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  [...text.matchAll(QUOTED)].map(([, straight, curly]) => wordsOf(straight ?? curly ?? "").map(termOf))
    .filter((phrase) => phrase.length > 1)

const IS_NUMBER = /^[0-9]+$/

/** Small letters alone name nothing, and most queries are made of nothing else. */
const IS_PLAIN = /^[a-z ]*$/

interface Named {
  readonly identifiers: ReadonlyArray<string>
  readonly names: ReadonlyArray<string>
}

const namedIn = (text: string, words: ReadonlyArray<string>): Named => {
  if (IS_PLAIN.test(text)) return { identifiers: [], names: [] }
  const found = new Set<string>()
  const numbers: Array<string> = []
  const finder = new IdentifierFinder(text, (identifier) => {
    found.add(identifierTerm(identifier))
    if (IS_NUMBER.test(identifier)) numbers.push(identifier)
  })
  visitWords(text, finder.word)
  finder.finish()
  // A group of digits of a phone number names nothing by itself.
  const isGroup = (name: string) => numbers.some((number) => number !== name && number.includes(name))
  for (const word of [...words.filter(isCode), ...numbers].filter((word) => !isGroup(word))) {
    found.add(termOf(word))
    // Where it stands in groups, as a phone number does, it is an identifier.
    if (IS_NUMBER.test(word)) found.add(identifierTerm(word))
  }
  return {
    identifiers: [...found].slice(0, MAX_TERMS),
    names: exactNames(text).filter((name) => !isGroup(name))
  }
}

export const parseQuery = (text: string): Query => {
  const words = wordsOf(text)
  const terms = tellingWords(words).map(termOf)
  const weights = new Map<string, number>()
  for (const term of terms) {
    if (weights.size < MAX_TERMS || weights.has(term)) weights.set(term, (weights.get(term) ?? 0) + 1)
  }
  return { terms, weights, ...namedIn(text, words), phrases: phrasesOf(text) }
}
