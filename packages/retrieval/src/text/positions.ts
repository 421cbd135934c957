/** Positions of the terms of a query in a text. */
import { StemFilter } from "./StemFilter.ts"
import { hyphenatedTerm, visitHyphenated } from "./joined/hyphenated.ts"
import { ENGLISH_ALONE, type Language, languagesIn } from "./languages.ts"
import { termIn, visitWords } from "./words.ts"

export interface Occurrence {
  readonly term: string
  readonly start: number
  readonly end: number
}

/** The terms that are looked for: a set of them, or a map from them; without `keys`, any that it has. */
interface Wanted {
  has(term: string): boolean
  keys?(): Iterable<string>
}

/** A cache of the words seen so far. */
class TermFinder {
  readonly stemFilter: StemFilter | null
  readonly #wanted: Wanted
  readonly #languages: ReadonlyArray<Language>
  readonly #known = new Map<string, string | null>()

  constructor(wanted: Wanted, languages: number) {
    this.#wanted = wanted
    this.#languages = languagesIn(languages)
    this.stemFilter = wanted.keys === undefined ? null : new StemFilter([...wanted.keys()], languages)
  }

  /** The term of a word if it is wanted, else null. */
  termAt(text: string, start: number, end: number): string | null {
    const word = text.slice(start, end)
    const known = this.#known.get(word)
    if (known !== undefined) return known
    const found = this.#wantedOf(word, (term) => term)
    this.#known.set(word, found)
    return found
  }

  /** The same for two words with a hyphen. */
  hyphenated(joined: string): string | null {
    return this.#wantedOf(joined, hyphenatedTerm)
  }

  #wantedOf(word: string, termOf: (term: string) => string): string | null {
    const terms = this.#languages.map((language) => termOf(termIn(language, word)))
    return terms.find((term) => this.#wanted.has(term)) ?? null
  }
}

/** One query is matched against many texts. */
const finders = new WeakMap<Wanted, TermFinder>()

const finderOf = (wanted: Wanted, languages: number): TermFinder => {
  const known = finders.get(wanted)
  if (known !== undefined) return known
  const finder = new TermFinder(wanted, languages)
  finders.set(wanted, finder)
  return finder
}

/** Words count that are wanted in one of the languages. `wanted` is not to be changed afterwards. */
export const occurrences = (
  text: string,
  wanted: Wanted,
  languages: number = ENGLISH_ALONE
): ReadonlyArray<Occurrence> => {
  const found: Array<Occurrence> = []
  const finder = finderOf(wanted, languages)
  visitWords(text, (start, end) => {
    const term = finder.termAt(text, start, end)
    if (term !== null) found.push({ term, start, end })
  }, finder.stemFilter)
  const words = found.length
  visitHyphenated(text, (start, end, joined) => {
    const term = finder.hyphenated(joined)
    if (term !== null) found.push({ term, start, end })
  })
  return found.length === words ? found : found.sort((one, other) => one.start - other.start)
}
