/** The terms of a segment that is being built, numbered as they come. */
import { termOf } from "./words.ts"

// Nobody who writes documents can know it, and so send all their words to one slot.
const SEED = Math.floor(Math.random() * 0x3fffffff)

/** What a slot holds: a word's hash, where its characters begin, how many there are, and one more than its term. */
const FIELDS = 4

/**
 * A word is found from its characters where they stand in the text, so that no string is made for one that is known.
 * Slot and characters lie in two plain arrays: most of the time goes into waiting for memory.
 */
export class Vocabulary {
  readonly #numbers = new Map<string, number>()
  /** A power of two, and never more than half full. */
  #slotCount = 1 << 12
  #slots = new Int32Array(this.#slotCount * FIELDS)
  #wordCount = 0
  #characters = new Uint16Array(1 << 14)
  #characterCount = 0

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
    let hash = SEED
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
    hash ^= hash >>> 15
    const slots = this.#slots
    const last = this.#slotCount - 1
    for (let slot = hash & last;; slot = (slot + 1) & last) {
      const at = slot * FIELDS
      const term = slots[at + 3]! - 1
      if (term === -1) return this.#add(text, start, end, hash, at)
      if (slots[at] === hash && slots[at + 2] === end - start && this.#isAt(slots[at + 1]!, text, start, end)) {
        return term
      }
    }
  }

  #isAt(place: number, text: string, start: number, end: number): boolean {
    const characters = this.#characters
    for (let at = start; at < end; at++) {
      if (text.charCodeAt(at) !== characters[place + at - start]) return false
    }
    return true
  }

  #add(text: string, start: number, end: number, hash: number, at: number): number {
    const term = this.numberOfTerm(termOf(text.slice(start, end)))
    this.#slots.set([hash, this.#characterCount, end - start, term + 1], at)
    if (this.#characterCount + end - start > this.#characters.length) {
      const characters = new Uint16Array(this.#characters.length * 2)
      characters.set(this.#characters)
      this.#characters = characters
    }
    for (let from = start; from < end; from++) this.#characters[this.#characterCount++] = text.charCodeAt(from)
    if (++this.#wordCount * 2 > this.#slotCount) this.#grow()
    return term
  }

  #grow(): void {
    const before = this.#slots
    this.#slotCount *= 2
    this.#slots = new Int32Array(this.#slotCount * FIELDS)
    const last = this.#slotCount - 1
    for (let from = 0; from < before.length; from += FIELDS) {
      if (before[from + 3] === 0) continue
      let slot = before[from]! & last
      while (this.#slots[slot * FIELDS + 3] !== 0) slot = (slot + 1) & last
      this.#slots.set(before.subarray(from, from + FIELDS), slot * FIELDS)
    }
  }
}
