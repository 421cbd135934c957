/**
 * Which words may stem to one of some terms, by their first letters, so that most other words need no stemming.
 *
 * A stem begins as its word, except that a `y` may become an `i`, a German `ae` an `a`, and that of two equal letters
 * one may disappear; other letters than ASCII may become any letter. In a language with prefixes, every word may stem to
 * any term.
 */
import { ENGLISH_ALONE, languagesIn } from "./languages.ts"

const SPACE = " ".charCodeAt(0)
const [A, E, O, U, Y] = Array.from("aeouy", (letter) => letter.charCodeAt(0))
const UMLAUTS = /^[aou]/

/** Letters from which on the stem of a word may differ: `Bäume` as `baeume`, Dutch `maan`. */
const isAltered = (letter: number, next: number): boolean =>
  next === Y || next === letter || (next === E && (letter === A || letter === O || letter === U))

/** Whether a term has no such letter: it is shorter, the mark of its language follows, or the letter is not ASCII. */
const isMissing = (letter: number): boolean => !(letter > SPACE && letter < 128)

export class StemFilter {
  /** For each first character, a bit for each second one, because the state of a query has to be small. */
  readonly #pairs = new Uint32Array(128 * 4)
  readonly #terms: ReadonlyArray<string>
  readonly #mayHavePrefix: boolean

  constructor(terms: ReadonlyArray<string>, languages: number) {
    this.#mayHavePrefix = languagesIn(languages).some(({ hasPrefixes }) => hasPrefixes)
    this.#terms = terms.filter((term) => term.charCodeAt(0) < 128)
    for (const term of this.#terms) {
      const [first, second] = [term.charCodeAt(0), term.charCodeAt(1)]
      // The last letter of a stem may be another one: Turkish `eder`, `et`.
      this.#add(first, isMissing(second) || isMissing(term.charCodeAt(2)) ? undefined : second)
      this.#add(first, Y)
      if (languages === ENGLISH_ALONE) continue
      this.#add(first, first)
      if (UMLAUTS.test(term)) this.#add(first, E)
    }
  }

  /** Whether a word of a text may stem to one of the terms. */
  mayStem(text: string, start: number, end: number): boolean {
    if (end - start === 1 || this.#mayHavePrefix) return true
    const [first, second] = [text.charCodeAt(start), text.charCodeAt(start + 1)]
    if ((first | second) >= 128) return true
    if ((this.#pairs[first * 4 + (second >> 5)]! >>> (second & 31) & 1) === 0) return false
    return end - start === 2 || this.#mayStemWithThird(first | 32, second | 32, text.charCodeAt(start + 2) | 32)
  }

  #mayStemWithThird(first: number, second: number, third: number): boolean {
    if (third >= 128 || isAltered(first, second) || isAltered(second, third)) return true
    for (const term of this.#terms) {
      const letter = term.charCodeAt(2)
      // The last letter of a stem may be another one.
      const isAny = isMissing(letter) || isMissing(term.charCodeAt(3))
      if (term.charCodeAt(0) === first && (isAny || (letter | 32) === third)) return true
    }
    return false
  }

  /** Also matches the same letters in the other case; without `second`, any second character. */
  #add(first: number, second?: number): void {
    for (const one of [first, first ^ 32]) {
      if (second === undefined) this.#pairs.fill(-1, one * 4, (one + 1) * 4)
      else for (const two of [second, second ^ 32]) this.#pairs[one * 4 + (two >> 5)]! |= 1 << (two & 31)
    }
  }
}
