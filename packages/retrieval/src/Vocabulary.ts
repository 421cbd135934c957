/** The terms of a segment that is being built, numbered as they come. */
import type { WordLog } from "./WordLog.ts"
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

/** So many words are gathered before they are looked up: the processor waits for the memory of all of them at once. */
const GATHERED = 128

/** Of a word whose number is not known yet. */
const UNKNOWN = -1

const hashOf = (last: number, middle: number, first: number): number => {
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
  readonly #log: WordLog
  /** Of the words that were gathered. */
  #text = ""
  /** Of each of them: what is kept of it, where it begins and ends, its hash, and what its slot holds. */
  readonly #gathered = new Int32Array(GATHERED * FIELDS)
  readonly #starts = new Int32Array(GATHERED)
  readonly #ends = new Int32Array(GATHERED)
  readonly #hashes = new Int32Array(GATHERED)
  readonly #found = new Int32Array(GATHERED)
  #count = 0

  /** Words are written to the log, as the numbers of their terms. */
  constructor(log: WordLog) {
    this.#log = log
  }

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

  /** Comes to the log with the next words, at the latest when `flush` is called: before the words of another text. */
  addWord(text: string, start: number, end: number): void {
    if (this.#count === GATHERED) this.flush()
    let [first, middle, last, all] = [0, 0, 0, end - start > PACKED ? 128 : 0]
    for (let at = start; at < end && all < 128; at++) {
      const code = text.charCodeAt(at)
      first = first << 8 | middle >>> 24
      middle = middle << 8 | last >>> 24
      last = last << 8 | code
      all |= code
    }
    const gathered = this.#gathered
    const at = this.#count * FIELDS
    gathered[at] = last
    gathered[at + 1] = middle
    gathered[at + 2] = first
    gathered[at + 3] = all < 128 ? UNKNOWN : this.#numberOfOther(text.slice(start, end))
    this.#text = text
    this.#starts[this.#count] = start
    this.#ends[this.#count] = end
    this.#hashes[this.#count++] = hashOf(last, middle, first)
  }

  flush(): void {
    const found = this.#found
    const slots = this.#slots
    const most = this.#slotCount - 1
    for (let at = 0; at < this.#count; at++) found[at] = slots[this.#hashes[at]! & most]!
    for (let at = 0; at < this.#count; at++) this.#log.add(this.#numberOf(at))
    this.#count = 0
  }

  #numberOfOther(word: string): number {
    const known = this.#others.get(word)
    if (known !== undefined) return known
    const added = this.numberOfTerm(termOf(word))
    this.#others.set(word, added)
    return added
  }

  /** Of a word that was gathered, which is mostly what its slot holds. */
  #numberOf(at: number): number {
    const gathered = this.#gathered
    const words = this.#words
    const from = at * FIELDS
    if (gathered[from + 3] !== UNKNOWN) return gathered[from + 3]!
    const [last, middle, first] = [gathered[from]!, gathered[from + 1]!, gathered[from + 2]!]
    const found = this.#found[at]!
    const word = (found - 1) * FIELDS
    return found !== 0 && words[word] === last && words[word + 1] === middle && words[word + 2] === first
      ? words[word + 3]!
      : this.#lookUp(at, last, middle, first)
  }

  #lookUp(gathered: number, last: number, middle: number, first: number): number {
    const slots = this.#slots
    const words = this.#words
    const most = this.#slotCount - 1
    for (let slot = this.#hashes[gathered]! & most;; slot = (slot + 1) & most) {
      const word = slots[slot]!
      if (word === 0) {
        const term = termOf(this.#text.slice(this.#starts[gathered], this.#ends[gathered]))
        return this.#add(slot, last, middle, first, term)
      }
      const at = (word - 1) * FIELDS
      if (words[at] === last && words[at + 1] === middle && words[at + 2] === first) return words[at + 3]!
    }
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
      let slot = hashOf(before[at]!, before[at + 1]!, before[at + 2]!) & most
      while (this.#slots[slot] !== 0) slot = (slot + 1) & most
      this.#slots[slot] = word + 1
    }
  }
}
