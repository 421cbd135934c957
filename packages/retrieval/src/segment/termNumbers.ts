/**
 * What terms are called in the order of words: those of the most chunks by their place among their like, in one byte or
 * two, and all others by their place among all terms. So nothing is kept of a term but whether it is one of the former.
 */
import { FIRST_OF_THREE, REPEATED } from "./wordOrder.ts"

/** Any byte below tells a number by itself. */
const FIRST_OF_TWO = REPEATED

/** How many bits of a byte are set. */
const BITS = new Uint8Array(256)
for (let byte = 1; byte < 256; byte++) BITS[byte] = BITS[byte >>> 1]! + (byte & 1)

/** Bytes whose bits are counted in advance. */
const STEP = 8

/** Places that are chosen, a bit for each. */
class Choice {
  readonly #bits: Uint8Array
  /** How many are chosen before each step. */
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

  /** How many come before a place that is chosen; else -1. */
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
}

export class TermNumbers {
  readonly #ones: Choice
  readonly #twos: Choice

  /** First which are called in one byte, then which in two. */
  constructor(bytes: Uint8Array) {
    this.#ones = new Choice(bytes.subarray(0, bytes.length / 2))
    this.#twos = new Choice(bytes.subarray(bytes.length / 2))
  }

  /** `place` is that among the names in their order. */
  at(place: number): number {
    const one = this.#ones.rankOf(place)
    if (one !== -1) return one
    const two = this.#twos.rankOf(place)
    return two === -1 ? FIRST_OF_THREE + place : FIRST_OF_TWO + two
  }
}

/** No number of this many terms is as great. */
export const numberLimit = (termCount: number): number =>
  termCount <= FIRST_OF_THREE ? termCount : FIRST_OF_THREE + termCount

/** The bytes for `TermNumbers`; of terms that stand in as many chunks the first in order comes first. */
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
