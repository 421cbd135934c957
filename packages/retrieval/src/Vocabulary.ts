/** The terms of a segment that is being built, numbered as they come. */
import { termOf } from "./words.ts"

// Nobody who writes documents can know them, and so send all their words to one slot.
const [FIRST_FACTOR, SECOND_FACTOR, THIRD_FACTOR] = [0, 0, 0].map(() => Math.floor(Math.random() * 2 ** 32) | 1) as [
  number,
  number,
  number
]

/** What is kept of a word: its characters, a byte each, and the number of its term. */
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
 *
 * Words are kept in the order in which they first came, so that the frequent ones lie together: memory is slow.
 */
export class Vocabulary {
  readonly #numbers = new Map<string, number>()
  readonly #others = new Map<string, number>()
  /** A power of two, and never more than half full. */
  #slotCount = 1 << 10
  /** One more than the index of a word; zero when empty. */
  #slots = new Int32Array(this.#slotCount)
  #words = new Int32Array(this.#slotCount / 2 * FIELDS)
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
    const words = this.#words
    const most = this.#slotCount - 1
    for (let slot = placeFor(last, middle, first) & most;; slot = (slot + 1) & most) {
      const word = slots[slot]!
      if (word === 0) return this.#add(slot, last, middle, first, termOf(text.slice(start, end)))
      const at = (word - 1) * FIELDS
      if (words[at] === last && words[at + 1] === middle && words[at + 2] === first) return words[at + 3]!
    }
  }

  #numberOfOther(word: string): number {
    const known = this.#others.get(word)
    if (known !== undefined) return known
    const added = this.numberOfTerm(termOf(word))
    this.#others.set(word, added)
    return added
  }

  #add(slot: number, last: number, middle: number, first: number, term: string): number {
    const number = this.numberOfTerm(term)
    this.#words.set([last, middle, first, number], this.#wordCount * FIELDS)
    this.#slots[slot] = ++this.#wordCount
    if (this.#wordCount * 2 === this.#slotCount) this.#grow()
    return number
  }

  #grow(): void {
    const before = this.#words
    this.#slotCount *= 2
    this.#slots = new Int32Array(this.#slotCount)
    this.#words = new Int32Array(before.length * 2)
    this.#words.set(before)
    const most = this.#slotCount - 1
    for (let word = 0; word < this.#wordCount; word++) {
      const at = word * FIELDS
      let slot = placeFor(before[at]!, before[at + 1]!, before[at + 2]!) & most
      while (this.#slots[slot] !== 0) slot = (slot + 1) & most
      this.#slots[slot] = word + 1
    }
  }
}
