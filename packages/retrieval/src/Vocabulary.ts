/** The terms of a segment that is being built, numbered as they come. */
import { termOf } from "./words.ts"

// Nobody who writes documents can know them, and so send all their words to one slot.
const [FIRST_FACTOR, SECOND_FACTOR, THIRD_FACTOR] = [0, 0, 0].map(() => Math.floor(Math.random() * 2 ** 32) | 1) as [
  number,
  number,
  number
]

/** What a slot holds: a word's characters, a byte each, and one more than the number of its term. */
const FIELDS = 4

/** Words of more characters, or of others than ASCII, are few and kept as strings. */
const PACKED = 12

const placeFor = (last: number, middle: number, first: number): number => {
  const hash = Math.imul(last, FIRST_FACTOR) ^ Math.imul(middle, SECOND_FACTOR) ^ Math.imul(first, THIRD_FACTOR)
  return hash ^ hash >>> 15
}

/**
 * A word is found from its characters where they stand in the text, so that no string is made for one that is known,
 * and most words are three numbers: comparing them is all it takes to know one again.
 */
export class Vocabulary {
  readonly #numbers = new Map<string, number>()
  readonly #others = new Map<string, number>()
  /** A power of two, and never more than half full. */
  #slotCount = 1 << 10
  #slots = new Int32Array(this.#slotCount * FIELDS)
  #wordCount = 0

  get terms(): ReadonlyMap<string, number> {
    return this.#numbers
  }

  numberOfTerm(term: string): number {
    const known = this.#numbers.get(term)
    if (known !== undefined) return known
    const number = this.#numbers.size
    this.#numbers.set(term, number)
    return number
  }

  /** The number of the term of a word. */
  numberOf(text: string, start: number, end: number): number {
    if (end - start > PACKED) return this.#numberOfOther(text.slice(start, end))
    let [first, middle, last, all] = [0, 0, 0, 0]
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at)
      first = first << 8 | middle >>> 24
      middle = middle << 8 | last >>> 24
      last = last << 8 | code
      all |= code
    }
    if (all >= 128) return this.#numberOfOther(text.slice(start, end))
    const slots = this.#slots
    const most = this.#slotCount - 1
    for (let slot = placeFor(last, middle, first) & most;; slot = (slot + 1) & most) {
      const at = slot * FIELDS
      const term = slots[at + 3]!
      if (slots[at] === last && slots[at + 1] === middle && slots[at + 2] === first && term !== 0) return term - 1
      if (term !== 0) continue
      const added = this.numberOfTerm(termOf(text.slice(start, end)))
      this.#put(at, last, middle, first, added + 1)
      if (++this.#wordCount * 2 > this.#slotCount) this.#grow()
      return added
    }
  }

  #numberOfOther(word: string): number {
    const known = this.#others.get(word)
    if (known !== undefined) return known
    const added = this.numberOfTerm(termOf(word))
    this.#others.set(word, added)
    return added
  }

  #put(at: number, last: number, middle: number, first: number, term: number): void {
    const slots = this.#slots
    slots[at] = last
    slots[at + 1] = middle
    slots[at + 2] = first
    slots[at + 3] = term
  }

  #grow(): void {
    const before = this.#slots
    this.#slotCount *= 2
    this.#slots = new Int32Array(this.#slotCount * FIELDS)
    const most = this.#slotCount - 1
    for (let from = 0; from < before.length; from += FIELDS) {
      const [last, middle, first, term] = [before[from]!, before[from + 1]!, before[from + 2]!, before[from + 3]!]
      if (term === 0) continue
      let slot = placeFor(last, middle, first) & most
      while (this.#slots[slot * FIELDS + 3] !== 0) slot = (slot + 1) & most
      this.#put(slot * FIELDS, last, middle, first, term)
    }
  }
}
