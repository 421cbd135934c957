/** The words of a segment that is being built, those of one language, and the terms that they come down to. */
import { ascii, readAscii } from "../text/asciiText.ts"
import type { WordLog } from "./WordLog.ts"
import type { Language } from "../text/languages.ts"
import { termIn } from "../text/words.ts"
import type { TermList } from "./TermList.ts"

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

/** For each length of a word which of the bytes from its beginning on are its own, in fields of four. */
const OWN = Int32Array.from({ length: (PACKED + 1) * 4 }, (_, at) => {
  const own = (at >>> 2) - (at & 3) * 4
  return own <= 0 ? 0 : own >= 4 ? -1 : (1 << own * 8) - 1
})

/** How many words are gathered before they are looked up: the processor waits for the memory of all of them at once. */
const GATHERED = 128

/** Of a word whose number is not known yet. */
const UNKNOWN = -1

// The words of a text are gathered and looked up without a pause, so all share these.
/** Of each word: what is kept of it, where it begins and ends, its hash, and what its slot holds. */
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
 * A word is found from its characters where they stand in the text, so that no string is made for one that is known,
 * and most words are three numbers: comparing them is all it takes to know one again.
 *
 * Words are kept in the order in which they first came, so that the frequent ones lie together: memory is slow.
 */
export class Vocabulary {
  readonly #language: Language
  readonly #terms: TermList
  readonly #others = new Map<string, number>()
  /** A power of two, and never more than half full. */
  #slotCount = 1 << 10
  /** One more than the index of a word; zero when empty. */
  #slots = new Int32Array(this.#slotCount)
  #words = new Int32Array(this.#slotCount / 2 * FIELDS)
  #wordCount = 0
  readonly #log: WordLog
  /** The text of the words that were gathered, and how many they are. */
  #text = ""
  #isAscii = false
  #count = 0

  /** Words are written to the log, as the numbers of their terms. */
  constructor(language: Language, terms: TermList, log: WordLog) {
    this.#language = language
    this.#terms = terms
    this.#log = log
  }

  /** The words that come next are of this text. */
  begin(text: string): void {
    this.#text = text
    this.#isAscii = readAscii(text)
  }

  /** Comes to the log with the next words, at the latest when `flush` is called: before the words of another text. */
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

  /** Of a word that was gathered, which is mostly what its slot holds. */
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
