/**
 * The words of titles and chunks in their order, as the numbers of their terms: what stands where, without the texts.
 *
 * Terms are numbered by how many chunks hold them, the most first, so that frequent words take one byte and nearly all
 * others two. A text repeats itself: of the words that take more than one byte, the first of a text are known again by
 * one that tells which of them it is.
 */
import type { ByteWriter } from "./ByteWriter.ts"

/** What the first byte tells: a number by itself, which word it repeats, or a number with one more byte, two, or three. */
const REPEATED = 128
const TWO = 160
const THREE = 250
const FOUR = 255

const REMEMBERED = TWO - REPEATED

const FIRST_OF_TWO = REPEATED
const FIRST_OF_THREE = FIRST_OF_TWO + (THREE - TWO) * 256
const FIRST_OF_FOUR = FIRST_OF_THREE + (FOUR - THREE) * 65_536

// A text is written or read without a pause, so all share these.
const remembered = new Uint32Array(REMEMBERED)

const writeLong = (writer: ByteWriter, number: number): void => {
  const [first, from, bytes] = number < FIRST_OF_THREE
    ? [TWO, FIRST_OF_TWO, 1]
    : number < FIRST_OF_FOUR
    ? [THREE, FIRST_OF_THREE, 2]
    : [FOUR, FIRST_OF_FOUR, 3]
  const rest = number - from
  writer.byte(first + (rest >>> (8 * bytes)))
  for (let shift = 8 * (bytes - 1); shift >= 0; shift -= 8) writer.byte((rest >>> shift) & 255)
}

/** The words of one text, from `from` to `to`; `numbers` holds for each term what it is written as. */
export const writeWords = (
  writer: ByteWriter,
  terms: Uint32Array,
  from: number,
  to: number,
  numbers: Uint32Array
): void => {
  let known = 0
  for (let at = from; at < to; at++) {
    const number = numbers[terms[at]!]!
    if (number < REPEATED) {
      writer.byte(number)
      continue
    }
    let place = 0
    while (place < known && remembered[place] !== number) place++
    if (place < known) {
      writer.byte(REPEATED + place)
      continue
    }
    if (known < REMEMBERED) remembered[known++] = number
    writeLong(writer, number)
  }
}

/** Reads the words of a text from `from` to `to`, and says how many there are: no more than bytes. */
export const readWords = (bytes: Uint8Array, from: number, to: number, into: Uint32Array): number => {
  let count = 0
  let known = 0
  for (let at = from; at < to;) {
    const first = bytes[at++]!
    if (first < REPEATED) {
      into[count++] = first
      continue
    }
    if (first < TWO) {
      into[count++] = remembered[first - REPEATED]!
      continue
    }
    let number: number
    if (first < THREE) number = FIRST_OF_TWO + ((first - TWO) << 8 | bytes[at++]!)
    else if (first < FOUR) number = FIRST_OF_THREE + ((first - THREE) << 16 | bytes[at++]! << 8 | bytes[at++]!)
    else number = FIRST_OF_FOUR + (bytes[at++]! << 16 | bytes[at++]! << 8 | bytes[at++]!)
    if (known < REMEMBERED) remembered[known++] = number
    into[count++] = number
  }
  return count
}

/** The number of each term; of those that stand in as many chunks the first in order comes first. */
export const numberTerms = (offsets: Uint32Array): Uint32Array => {
  const count = offsets.length - 1
  const keys = Float64Array.from(
    { length: count },
    (_, term) => term - (offsets[term + 1]! - offsets[term]!) * 2 ** 32
  ).sort()
  const numbers = new Uint32Array(count)
  keys.forEach((key, number) => (numbers[key - Math.floor(key / 2 ** 32) * 2 ** 32] = number))
  return numbers
}
