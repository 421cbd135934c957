/** Chunk lengths in one byte: exact up to 40 words, in steps of 3.5 % above. */

const LENGTHS = new Float64Array(256)
const CODES = new Uint8Array(65_536)

let length = 0
for (let code = 0; code < 256; code++) {
  LENGTHS[code] = Math.round(length)
  length = code < 40 ? length + 1 : length * 1.035
}
for (let words = 0, code = 0; words < CODES.length; words++) {
  while (code < 255 && Math.abs(LENGTHS[code + 1]! - words) <= Math.abs(LENGTHS[code]! - words)) code++
  CODES[words] = code
}

export const encodeLength = (words: number): number => CODES[Math.min(words, CODES.length - 1)]!

/** Integers, so that sums of lengths do not depend on their grouping. */
export const decodeLength = (code: number): number => LENGTHS[code]!

/** The largest code whose length is at most `length`. */
export const floorLength = (length: number): number => {
  let code = encodeLength(Math.ceil(length))
  while (code > 0 && LENGTHS[code]! > length) code--
  return code
}
