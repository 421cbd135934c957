/**
 * The forward index: the words of titles and chunks in order, as term codes, so that positions are known without the texts.
 *
 * Frequent terms have short codes: one byte, and two for nearly all others. Within a text, a repeated word of more than
 * one byte is encoded as a one-byte reference to an earlier occurrence.
 */
import { ByteWriter } from "./bytes/ByteWriter.ts"
import { writeEnds } from "./textEnds.ts"

/** The meaning of the first byte: a complete code, a reference, or a code with one, two or three more bytes. */
export const REPEATED = 128
export const TWO = 160
const THREE = 250
const FOUR = 255

/** The number of words of a text that can be referenced. */
export const MAX_REFERENCES = TWO - REPEATED

const FIRST_OF_TWO = REPEATED
export const FIRST_OF_THREE = FIRST_OF_TWO + (THREE - TWO) * 256
const FIRST_OF_FOUR = FIRST_OF_THREE + (FOUR - THREE) * 65_536

// Texts are encoded and decoded synchronously, so they share these buffers.
const remembered = new Uint32Array(MAX_REFERENCES)

/** The length of a word in bytes. */
export const lengthFrom = (first: number): number => first < TWO ? 1 : first < THREE ? 2 : first < FOUR ? 3 : 4

/** The length of a code that is written out. */
export const firstByteOf = (number: number): number => {
  if (number < REPEATED) return number
  if (number < FIRST_OF_THREE) return TWO + ((number - FIRST_OF_TWO) >>> 8)
  return number < FIRST_OF_FOUR ? THREE + ((number - FIRST_OF_THREE) >>> 16) : FOUR
}

/** Decodes the code at `at`. */
export const numberAt = (bytes: Uint8Array, at: number): number => {
  const first = bytes[at]!
  if (first < REPEATED) return first
  if (first < THREE) return FIRST_OF_TWO + ((first - TWO) << 8 | bytes[at + 1]!)
  if (first < FOUR) return FIRST_OF_THREE + ((first - THREE) << 16 | bytes[at + 1]! << 8 | bytes[at + 2]!)
  return FIRST_OF_FOUR + (bytes[at + 1]! << 16 | bytes[at + 2]! << 8 | bytes[at + 3]!)
}

const restOf = (number: number): number =>
  number - (number < FIRST_OF_THREE ? FIRST_OF_TWO : number < FIRST_OF_FOUR ? FIRST_OF_THREE : FIRST_OF_FOUR)

/** Zero if there is no such word. */
export const secondByteOf = (number: number): number => {
  const shift = 8 * (lengthFrom(firstByteOf(number)) - 2)
  return shift < 0 ? 0 : (restOf(number) >>> shift) & 255
}

/** Encodes texts one after the other. */
export class WordWriter {
  readonly #bytes = new ByteWriter()
  readonly #ends: Array<number> = []
  /** For each code its last reference. */
  readonly #references: Uint32Array
  /** References below this belong to earlier texts. */
  #first = 1

  /** All codes are below `limit`. */
  constructor(limit: number) {
    this.#references = new Uint32Array(limit)
  }

  /** Encodes the words of one text, from `from` to `to`. `codes` has the code of each word. */
  write(words: Uint32Array, from: number, to: number, codes: Uint32Array): void {
    const references = this.#references
    const bytes = this.#bytes.room((to - from) * 4)
    const first = this.#first
    let next = first
    let size = this.#bytes.size
    for (let at = from; at < to; at++) {
      const number = codes[words[at]!]!
      if (number < REPEATED) {
        bytes[size++] = number
        continue
      }
      const place = references[number]!
      if (place >= first) {
        bytes[size++] = REPEATED + place - first
        continue
      }
      if (next < first + MAX_REFERENCES) references[number] = next++
      const rest = restOf(number)
      const begin = firstByteOf(number)
      bytes[size++] = begin
      if (begin === FOUR) bytes[size++] = rest >>> 16
      if (begin >= THREE) bytes[size++] = rest >>> 8
      bytes[size++] = rest
    }
    this.#bytes.wrote(size)
    this.#ends.push(size)
    this.#first = next
  }

  /** All texts, and the end of each. */
  columns() {
    return { forwardIndex: this.#bytes.written(), forwardIndexEnds: writeEnds(this.#ends) }
  }
}

/** Decodes the words of a text from `from` to `to`. Returns their number, which is at most the number of bytes. */
export const readWords = (bytes: Uint8Array, from: number, to: number, into: Uint32Array): number => {
  let [count, known] = [0, 0]
  for (let at = from; at < to;) {
    const first = bytes[at]!
    const isRepeated = first >= REPEATED && first < TWO
    const number = isRepeated ? remembered[first - REPEATED]! : numberAt(bytes, at)
    if (first >= TWO && known < MAX_REFERENCES) remembered[known++] = number
    into[count++] = number
    at += lengthFrom(first)
  }
  return count
}
