/** Where the terms of a query stand in a text. */
import { termOf, visitWords } from "./words.ts"

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

const ASCII = 128

/** Letters in either case, and digits, from 0 up. */
const placeOf = (code: number): number => (code | 32) - 48

const SIZE = placeOf(ASCII)

/** In place of a second letter where there is none. */
const NONE = SIZE - 1

const Y = placeOf(121)

/**
 * Tells most words from the terms by how they begin, without folding them. A term begins with the two letters of the
 * word it comes from, save for a `y` that may have become an `i`; beyond ASCII anything may become anything.
 */
class TermFinder {
  readonly #wanted: Wanted
  readonly #beginnings = new Uint8Array(SIZE * SIZE)
  /** The terms of words that begin like one, where they are wanted. */
  readonly #known = new Map<string, string | null>()

  constructor(wanted: Wanted) {
    this.#wanted = wanted
    if (wanted.keys === undefined) this.#beginnings.fill(1)
    else for (const term of wanted.keys()) this.#admit(term)
  }

  /** The term of a word if it is wanted, else null. */
  termAt(text: string, start: number, end: number): string | null {
    const first = text.charCodeAt(start)
    const second = end - start > 1 ? text.charCodeAt(start + 1) : 0
    if (first < ASCII && second < ASCII) {
      const place = second === 0 ? NONE : placeOf(second)
      if (this.#beginnings[placeOf(first) * SIZE + place] === 0) return null
    }
    const word = text.slice(start, end)
    const known = this.#known.get(word)
    if (known !== undefined) return known
    const term = termOf(word)
    const found = this.#wanted.has(term) ? term : null
    this.#known.set(word, found)
    return found
  }

  #admit(term: string): void {
    const [first, second] = [term.charCodeAt(0), term.charCodeAt(1)]
    if (!(first < ASCII)) return
    const row = placeOf(first) * SIZE
    if (term.length === 1) this.#beginnings.fill(1, row, row + SIZE)
    else if (second < ASCII) this.#beginnings[row + placeOf(second)] = 1
    this.#beginnings[row + Y] = 1
  }
}

/** One query is looked for in many texts. */
const finders = new WeakMap<Wanted, TermFinder>()

const finderOf = (wanted: Wanted): TermFinder => {
  const known = finders.get(wanted)
  if (known !== undefined) return known
  const finder = new TermFinder(wanted)
  finders.set(wanted, finder)
  return finder
}

/** `wanted` is not to be changed afterwards. */
export const occurrences = (text: string, wanted: Wanted): ReadonlyArray<Occurrence> => {
  const found: Array<Occurrence> = []
  const finder = finderOf(wanted)
  let position = 0
  visitWords(text, (start, end) => {
    const term = finder.termAt(text, start, end)
    if (term !== null) found.push({ term, start, end, position })
    position++
  })
  return found
}
