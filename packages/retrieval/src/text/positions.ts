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
const [A, E, O, U, Y] = Array.from("aeouy", (letter) => letter.charCodeAt(0))
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

/** Letters at which the stem of a word may begin to differ: `Bäume` as `baeume`, Dutch `maan`, a `y` for an `i`. */
const isAltered = (letter: number, next: number): boolean =>
  next === Y || next === letter || (next === E && (letter === A || letter === O || letter === U))

/** Whether a word may stem to one of the terms, by its first three letters: beyond them, anything may be cut. */
const mayStemTo = (terms: ReadonlyArray<string>, text: string, start: number, end: number): boolean => {
  if (end - start < 3) return true
  const first = text.charCodeAt(start) | 32
  const second = text.charCodeAt(start + 1) | 32
  const third = text.charCodeAt(start + 2) | 32
  if ((first | second | third) >= 128 || isAltered(first, second) || isAltered(second, third)) return true
  for (const term of terms) {
    const letter = term.length === 3 ? 0 : term.charCodeAt(2)
    // The last letter of an English stem may differ. Otherwise it may be missing, or the mark of a language follows.
    if (term.charCodeAt(0) === first && ((letter | 32) === third || !(letter > SPACE && letter < 128))) return true
  }
  return false
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
    this.#terms = wanted.keys === undefined ? null : [...wanted.keys()]
    this.beginnings = this.#terms === null ? null : beginningsOf(this.#terms, languages)
  }

  /** The term of a word if it is wanted, else null. */
  termAt(text: string, start: number, end: number): string | null {
    if (this.#terms !== null && !mayStemTo(this.#terms, text, start, end)) return null
    const word = text.slice(start, end)
    const known = this.#known.get(word)
    if (known !== undefined) return known
    const terms = this.#languages.map((language) => termIn(language, word))
    const found = terms.find((term) => this.#wanted.has(term)) ?? null
    this.#known.set(word, found)
    return found
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
