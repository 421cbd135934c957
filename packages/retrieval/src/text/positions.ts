/** Positions of the terms of a query in a text. */
import { ENGLISH_ALONE, type Language, languagesIn } from "./languages.ts"
import { Beginnings, termIn, visitWords } from "./words.ts"

export interface Occurrence {
  readonly term: string
  readonly start: number
  readonly end: number
  /** Which word of the text it is. */
  readonly position: number
}

/** The terms that are looked for: a set of them, or a map from them; without `keys`, any that it has. */
interface Wanted {
  has(term: string): boolean
  keys?(): Iterable<string>
}

const SPACE = " ".charCodeAt(0)
const [E, Y] = ["e".charCodeAt(0), "y".charCodeAt(0)]
const UMLAUTS = /^[aou]/

/**
 * The prefixes of words that may stem to one of the terms, so that most other words are skipped. A term starts with the
 * first two letters of its word, except that a `y` may become an `i`, a German `ae` an `a`, and the first of two equal
 * letters disappears in Finnish; non-ASCII letters may become any letter.
 */
const beginningsOf = (terms: Iterable<string>, languages: number): Beginnings => {
  const beginnings = new Beginnings()
  for (const term of terms) {
    const [first, second] = [term.charCodeAt(0), term.charCodeAt(1)]
    if (!(first < 128)) continue
    // The letter may be missing; the mark of the term's language may follow.
    if (second > SPACE && second < 128) beginnings.add(first, second)
    else beginnings.add(first)
    beginnings.add(first, Y)
    if (languages === ENGLISH_ALONE) continue
    beginnings.add(first, first)
    if (UMLAUTS.test(term)) beginnings.add(first, E)
  }
  return beginnings
}

/** A cache of the words seen so far. */
class TermFinder {
  readonly beginnings: Beginnings | null
  readonly #wanted: Wanted
  readonly #languages: ReadonlyArray<Language>
  readonly #terms: ReadonlyArray<string> | null
  readonly #known = new Map<string, string | null>()

  constructor(wanted: Wanted, languages: number) {
    this.#wanted = wanted
    this.#languages = languagesIn(languages)
    const terms = wanted.keys === undefined ? null : [...wanted.keys()]
    this.beginnings = terms === null ? null : beginningsOf(terms, languages)
    // In other languages, endings of any length are cut or replaced.
    this.#terms = languages === ENGLISH_ALONE ? terms : null
  }

  /** The term of a word if it is wanted, else null. */
  termAt(text: string, start: number, end: number): string | null {
    if (!this.#mayBeWanted(text, start, end)) return null
    const word = text.slice(start, end)
    const known = this.#known.get(word)
    if (known !== undefined) return known
    const terms = this.#languages.map((language) => termIn(language, word))
    const found = terms.find((term) => this.#wanted.has(term)) ?? null
    this.#known.set(word, found)
    return found
  }

  /** Folding an English word changes no more than what comes after its stem, and the last letter of that. */
  #mayBeWanted(text: string, start: number, end: number): boolean {
    if (this.#terms === null) return true
    for (const term of this.#terms) {
      const most = Math.min(term.length - 1, end - start)
      let same = 0
      for (; same < most; same++) {
        const code = text.charCodeAt(start + same)
        if (code >= 128 || (same === 1 && (code | 32) === Y)) return true
        if ((code | 32) !== term.charCodeAt(same)) break
      }
      if (same >= most) return true
    }
    return false
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
  visitWords(text, (start, end, position) => {
    const term = finder.termAt(text, start, end)
    if (term !== null) found.push({ term, start, end, position })
  }, finder.beginnings)
  return found
}
