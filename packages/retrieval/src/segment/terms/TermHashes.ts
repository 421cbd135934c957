/** The hash and the number of chunks of each term by its number. Each is kept: decoding it takes ten times as long. */
import { EncodedString, type TermDictionary } from "./TermDictionary.ts"
import { numberLimit, type TermNumbers } from "./termNumbers.ts"

// Reading is synchronous, so this buffer is shared.
const term = new EncodedString()

export class TermHashes {
  readonly #dictionary: TermDictionary
  readonly #numbers: TermNumbers
  /** For each number, its hash and its chunks; these are zero if it was not read. */
  readonly #known: Int32Array

  constructor(dictionary: TermDictionary, numbers: TermNumbers) {
    this.#dictionary = dictionary
    this.#numbers = numbers
    this.#known = new Int32Array(2 * numberLimit(dictionary.size))
  }

  /** The same for a term in every segment. */
  hashOf(number: number): number {
    this.#read(number)
    return this.#known[2 * number]!
  }

  chunksWith(number: number): number {
    this.#read(number)
    return this.#known[2 * number + 1]!
  }

  #read(number: number): void {
    if (this.#known[2 * number + 1] !== 0) return
    this.#known[2 * number + 1] = term.read(this.#dictionary, this.#numbers.placeOf(number))
    this.#known[2 * number] = term.hash()
  }
}
