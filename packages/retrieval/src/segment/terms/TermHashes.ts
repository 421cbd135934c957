/** The hashes and frequencies of terms. Those of the last ones are kept: reading one takes ten times as long. */
import { EncodedString, type TermDictionary } from "./TermDictionary.ts"
import type { TermNumbers } from "./termNumbers.ts"

/** How many are kept: one of eight, in a power of two. What is kept of all would take a quarter of a small segment. */
const slotsFor = (terms: number): number => 2 ** Math.min(13, Math.max(6, Math.ceil(Math.log2(terms / 8 + 1))))

// Reading is synchronous, so this buffer is shared.
const term = new EncodedString()

export class TermHashes {
  readonly #dictionary: TermDictionary
  readonly #numbers: TermNumbers
  readonly #last: number
  /** In the slot of a number: the number plus one, its hash, and its chunks. */
  readonly #byNumber: Int32Array
  /** In the slot of a hash: the hash, and its chunks plus one. */
  readonly #byHash: Int32Array

  constructor(dictionary: TermDictionary, numbers: TermNumbers) {
    this.#dictionary = dictionary
    this.#numbers = numbers
    const slots = slotsFor(dictionary.size)
    this.#last = slots - 1
    this.#byNumber = new Int32Array(3 * slots)
    this.#byHash = new Int32Array(2 * slots)
  }

  /** The same for a term in every segment. */
  hashOf(number: number): number {
    return this.#byNumber[this.#slotOf(number) + 1]!
  }

  /** How many chunks contain the term of a number. */
  chunksWith(number: number): number {
    return this.#byNumber[this.#slotOf(number) + 2]!
  }

  /** The same for a term of another segment, which `read` decodes if it is not known here. */
  chunksWithHash(hash: number, read: () => EncodedString): number {
    const slot = 2 * (hash & this.#last)
    if (this.#byHash[slot] === hash && this.#byHash[slot + 1] !== 0) return this.#byHash[slot + 1]! - 1
    const count = this.#dictionary.countOf(read())
    this.#byHash[slot] = hash
    this.#byHash[slot + 1] = count + 1
    return count
  }

  #slotOf(number: number): number {
    const slot = 3 * (number & this.#last)
    if (this.#byNumber[slot] === number + 1) return slot
    this.#byNumber[slot + 2] = term.read(this.#dictionary, this.#numbers.placeOf(number))
    this.#byNumber[slot + 1] = term.hash()
    this.#byNumber[slot] = number + 1
    return slot
  }
}
