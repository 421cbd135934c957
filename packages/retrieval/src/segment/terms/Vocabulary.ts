/** The words of one language in a segment under construction, and their terms. */
import { ascii, readAscii } from "../../text/asciiText.ts"
import type { WordLog } from "../WordLog.ts"
import type { Language } from "../../text/languages.ts"
import { termIn } from "../../text/words.ts"
import type { TermList } from "./TermList.ts"

// Random, so that authors of documents cannot choose words that collide in the hash table.
const [FIRST_FACTOR, SECOND_FACTOR, THIRD_FACTOR] = [0, 0, 0].map(() => Math.floor(Math.random() * 2 ** 32) | 1) as [
  number,
  number,
  number
]

/** A word as three numbers: its characters, one byte each, and its term. */
const FIELDS = 4

/** Longer words, and words with other characters, are rare and kept as strings. */
const PACKED = 12

/** For each word length, a mask of the bytes that belong to it, in fields of four bytes. */
const OWN = Int32Array.from({ length: (PACKED + 1) * 4 }, (_, at) => {
  const own = (at >>> 2) - (at & 3) * 4
  return own <= 0 ? 0 : own >= 4 ? -1 : (1 << own * 8) - 1
})

/** The number of words that are looked up together, so that their cache misses overlap. */
const GATHERED = 128

/** The term number is not known yet. */
const UNKNOWN = -1

// Batches are synchronous, so all vocabularies share these buffers.
/** For each word: its key, start, end, hash, and the content of its slot. */
const gathered = new Int32Array(GATHERED * FIELDS)
const starts = new Int32Array(GATHERED)
const ends = new Int32Array(GATHERED)
const hashes = new Int32Array(GATHERED)
const found = new Int32Array(GATHERED)

const hashOf = (first: number, second: number, third: number): number => {
  const hash = Math.imul(first, FIRST_FACTOR) ^ Math.imul(second, SECOND_FACTOR) ^ Math.imul(third, THIRD_FACTOR)
  return hash ^ hash >>> 15
}

/**
 * Looks up words by their characters in the text, without creating strings for known words. Most words are three
 * numbers, which are compared directly.
 *
 * Words are stored in order of first appearance, so frequent ones are close together in memory.
 */
export class Vocabulary {
  readonly #language: Language
  readonly #terms: TermList
  readonly #others = new Map<string, number>()
  /** The size is a power of two, at most half full. */
  #slotCount = 1 << 10
  /** The index of a word plus one; zero when empty. */
  #slots = new Int32Array(this.#slotCount)
  #words = new Int32Array(this.#slotCount / 2 * FIELDS)
  #wordCount = 0
  readonly #log: WordLog
  /** The text of the batched words, and their number. */
  #text = ""
  #isAscii = false
  #count = 0

  /** Words are written to the log as term numbers. */
  constructor(language: Language, terms: TermList, log: WordLog) {
    this.#language = language
    this.#terms = terms
    this.#log = log
  }

  /** The following words are from this text. */
  begin(text: string): void {
    this.#text = text
    this.#isAscii = readAscii(text)
  }

  /** Appears in the log with the next batch, at the latest with `flush`, which must precede words of another text. */
  addWord(start: number, end: number): void {
    if (this.#count === GATHERED) this.flush()
    const at = this.#count++
    const from = at * FIELDS
    const length = end - start
    if (length > PACKED || !this.#isAscii) return this.#addOther(at, start, end)
    const own = length << 2
    const { view } = ascii
    const first = view.getInt32(start, true) & OWN[own]!
    const second = view.getInt32(start + 4, true) & OWN[own + 1]!
    const third = view.getInt32(start + 8, true) & OWN[own + 2]!
    gathered[from] = first
    gathered[from + 1] = second
    gathered[from + 2] = third
    gathered[from + 3] = UNKNOWN
    starts[at] = start
    ends[at] = end
    hashes[at] = hashOf(first, second, third)
  }

  #addOther(at: number, start: number, end: number): void {
    const from = at * FIELDS
    gathered[from] = gathered[from + 1] = gathered[from + 2] = 0
    let all = 0
    if (end - start <= PACKED) {
      for (let index = 0; index < end - start; index++) {
        const code = this.#text.charCodeAt(start + index)
        all |= code
        gathered[from + (index >> 2)]! |= code << (index & 3) * 8
      }
    }
    const isOther = end - start > PACKED || all >= 128
    gathered[from + 3] = isOther ? this.#numberOfOther(this.#text.slice(start, end)) : UNKNOWN
    starts[at] = start
    ends[at] = end
    hashes[at] = hashOf(gathered[from]!, gathered[from + 1]!, gathered[from + 2]!)
  }

  flush(): void {
    const slots = this.#slots
    const most = this.#slotCount - 1
    for (let at = 0; at < this.#count; at++) found[at] = slots[hashes[at]! & most]!
    for (let at = 0; at < this.#count; at++) this.#log.add(this.#numberOf(at))
    this.#count = 0
  }

  #numberOfOther(word: string): number {
    const known = this.#others.get(word)
    if (known !== undefined) return known
    const added = this.#terms.numberOf(termIn(this.#language, word))
    this.#others.set(word, added)
    return added
  }

  /** Resolves a batched word, which usually is in its slot. */
  #numberOf(at: number): number {
    const words = this.#words
    const from = at * FIELDS
    if (gathered[from + 3] !== UNKNOWN) return gathered[from + 3]!
    const word = (found[at]! - 1) * FIELDS
    return word >= 0 && this.#isAt(word, from) ? words[word + 3]! : this.#lookUp(at)
  }

  #isAt(word: number, from: number): boolean {
    const words = this.#words
    return words[word] === gathered[from] && words[word + 1] === gathered[from + 1] &&
      words[word + 2] === gathered[from + 2]
  }

  #lookUp(at: number): number {
    const slots = this.#slots
    const most = this.#slotCount - 1
    let slot = hashes[at]! & most
    for (; slots[slot] !== 0; slot = (slot + 1) & most) {
      const word = (slots[slot]! - 1) * FIELDS
      if (this.#isAt(word, at * FIELDS)) return this.#words[word + 3]!
    }
    return this.#add(slot, at)
  }

  #add(slot: number, at: number): number {
    const number = this.#terms.numberOf(termIn(this.#language, this.#text.slice(starts[at], ends[at])))
    const word = this.#wordCount * FIELDS
    const from = at * FIELDS
    for (let field = 0; field < FIELDS - 1; field++) this.#words[word + field] = gathered[from + field]!
    this.#words[word + FIELDS - 1] = number
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
