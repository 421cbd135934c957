/**
 * The codes of terms in the forward index. The most frequent terms are numbered among themselves, in one byte or two; all
 * others by their index in the dictionary. So one bit per term is enough.
 */
import { FIRST_OF_THREE, REPEATED } from "../forwardIndex.ts"

/** A byte below this is a complete code. */
const FIRST_OF_TWO = REPEATED

/** The number of set bits of a byte. */
const BITS = new Uint8Array(256)
for (let byte = 1; byte < 256; byte++) BITS[byte] = BITS[byte >>> 1]! + (byte & 1)

/** Rank is precomputed for blocks of this many bytes. */
const STEP = 8

/** A bit set with rank. */
class Choice {
  readonly #bits: Uint8Array
  /** The number of set bits before each block. */
  readonly #before: Uint16Array

  constructor(bits: Uint8Array) {
    this.#bits = bits
    this.#before = new Uint16Array(Math.ceil(bits.length / STEP))
    let count = 0
    bits.forEach((byte, at) => {
      if (at % STEP === 0) this.#before[at / STEP] = count
      count += BITS[byte]!
    })
  }

  /** The rank of a set bit; -1 if the bit is not set. */
  rankOf(place: number): number {
    const bits = this.#bits
    const at = place >>> 3
    const bit = 1 << (place & 7)
    if ((bits[at]! & bit) === 0) return -1
    const step = Math.floor(at / STEP)
    let rank = this.#before[step]! + BITS[bits[at]! & (bit - 1)]!
    for (let byte = step * STEP; byte < at; byte++) rank += BITS[bits[byte]!]!
    return rank
  }

  /** The place of a set bit by its rank. */
  placeOf(rank: number): number {
    let low = 0
    let high = this.#before.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.#before[middle]! <= rank) low = middle
      else high = middle - 1
    }
    let left = rank - this.#before[low]!
    let at = low * STEP
    while (left >= BITS[this.#bits[at]!]!) left -= BITS[this.#bits[at++]!]!
    let byte = this.#bits[at]!
    for (; left > 0; left--) byte &= byte - 1
    return at * 8 + 31 - Math.clz32(byte & -byte)
  }
}

export class TermNumbers {
  readonly #ones: Choice
  readonly #twos: Choice

  /** The terms with a code of one byte, then those with two. */
  constructor(bytes: Uint8Array) {
    this.#ones = new Choice(bytes.subarray(0, bytes.length / 2))
    this.#twos = new Choice(bytes.subarray(bytes.length / 2))
  }

  /** `place` is the index in the dictionary. */
  at(place: number): number {
    const one = this.#ones.rankOf(place)
    if (one !== -1) return one
    const two = this.#twos.rankOf(place)
    return two === -1 ? FIRST_OF_THREE + place : FIRST_OF_TWO + two
  }

  /** The index in the dictionary. */
  placeOf(number: number): number {
    if (number < FIRST_OF_TWO) return this.#ones.placeOf(number)
    return number < FIRST_OF_THREE ? this.#twos.placeOf(number - FIRST_OF_TWO) : number - FIRST_OF_THREE
  }
}

/** An upper bound of all codes for this many terms. */
export const numberLimit = (termCount: number): number =>
  termCount <= FIRST_OF_THREE ? termCount : FIRST_OF_THREE + termCount

/** The bytes for `TermNumbers`. Terms in equally many chunks are ordered by their index. */
export const writeTermNumbers = (offsets: Uint32Array): Uint8Array => {
  const count = offsets.length - 1
  const keys = new Float64Array(count)
  for (let term = 0; term < count; term++) keys[term] = term - (offsets[term + 1]! - offsets[term]!) * 2 ** 32
  keys.sort()
  const half = Math.ceil(count / 8)
  const bytes = new Uint8Array(half * 2)
  keys.subarray(0, FIRST_OF_THREE).forEach((key, rank) => {
    const place = key - Math.floor(key / 2 ** 32) * 2 ** 32
    bytes[(rank < FIRST_OF_TWO ? 0 : half) + (place >>> 3)]! |= 1 << (place & 7)
  })
  return bytes
}
