/** Finds the words of a query in an encoded text, and skips all others by their first bytes. */
import type { ByteRange } from "../../segment/terms/TermDictionary.ts"
import {
  firstByteOf,
  lengthFrom,
  MAX_REFERENCES,
  numberAt,
  REPEATED,
  secondByteOf,
  TWO
} from "../../segment/forwardIndex.ts"

// For each first byte, the length of the word and whether it can be referenced: a table, because a branch could not be
// predicted.
const LENGTHS = Uint8Array.from({ length: 256 }, (_, first) => lengthFrom(first))
const IS_LONG = LENGTHS.map((length) => Number(length > 1))

/** Several terms share these bytes. */
const MANY = 0xffff

interface OccurrenceSink {
  /** Positions are ascending. */
  add(term: number, position: number): void
}

export class TermScanner {
  /** For each first byte, and each pair of first bytes, the index of the candidate term plus one; or zero. */
  readonly #firsts = new Uint16Array(256)
  readonly #pairs = new Uint16Array(65_536)
  #numbers: ReadonlyArray<number | null> = []

  /** The terms to find, by code; null for a term that the segment does not contain. */
  setTerms(numbers: ReadonlyArray<number | null>): void {
    for (const number of this.#numbers) {
      if (number !== null) this.#firsts[firstByteOf(number)] = this.#pairs[pairOf(number)] = 0
    }
    this.#numbers = numbers
    numbers.forEach((number, term) => {
      if (number === null) return
      this.#firsts[firstByteOf(number)] = term + 1
      this.#pairs[pairOf(number)] = lengthFrom(firstByteOf(number)) > 2 ? MANY : term + 1
    })
  }

  /** Reads the text in a range. Returns its number of words. */
  scan(bytes: Uint8Array, { end, start }: ByteRange, found: OccurrenceSink): number {
    const firsts = this.#firsts
    const pairs = this.#pairs
    let position = 0
    let long = 0
    let isRepeating = false
    for (let at = start; at < end; position++) {
      const first = bytes[at]!
      let term = firsts[first]!
      if (term !== 0) {
        if (first >= TWO) term = pairs[first << 8 | bytes[at + 1]!]!
        if (term === MANY) term = this.#numbers.indexOf(numberAt(bytes, at)) + 1
        if (term !== 0) {
          found.add(term - 1, position)
          if (first >= TWO && long < MAX_REFERENCES) {
            firsts[REPEATED + long] = term
            isRepeating = true
          }
        }
      }
      long += IS_LONG[first]!
      at += LENGTHS[first]!
    }
    if (isRepeating) firsts.fill(0, REPEATED, TWO)
    return position
  }
}

const pairOf = (number: number): number => firstByteOf(number) << 8 | secondByteOf(number)
