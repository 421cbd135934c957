/** The order of strings in a segment: by UTF-8 bytes, which is by code points. */

export const compareStrings = (left: string, right: string): number => {
  const shorter = Math.min(left.length, right.length)
  for (let at = 0; at < shorter; at++) {
    const difference = left.charCodeAt(at) - right.charCodeAt(at)
    if (difference === 0) continue
    const surrogates = Number((left.charCodeAt(at) & 0xf800) === 0xd800) -
      Number((right.charCodeAt(at) & 0xf800) === 0xd800)
    return surrogates === 0 ? difference : surrogates
  }
  return left.length - right.length
}

const SURROGATE = /[\ud800-\udfff]/

/** In the order of `compareStrings`. */
export const sortStrings = (strings: Iterable<string>): ReadonlyArray<string> => {
  // The native order is by UTF-16 code units: much faster, and the same if there are no surrogates.
  const sorted = [...strings].sort()
  return sorted.some((string) => SURROGATE.test(string)) ? sorted.sort(compareStrings) : sorted
}

/** The number of characters in a key, one byte each. */
const KEY = 4

/** The index of the less significant half of a 64-bit number. */
const LOW = new Uint32Array(BigUint64Array.of(1n).buffer)[0] === 1 ? 0 : 1

/** The characters from `from` as a number with the same order; it stops at the first character that is not ASCII. */
const keyOf = (string: string, from: number): number => {
  let key = 0
  for (let at = from; at < from + KEY; at++) {
    const code = at < string.length ? string.charCodeAt(at) : 0
    if (code >= 128) return (key << 8 | 128) << 8 * (from + KEY - 1 - at)
    key = key << 8 | code
  }
  return key
}

/**
 * The indexes of strings, in the order of `compareStrings`.
 *
 * Native sorting of numbers made of a string's first bytes and its index; only strings with equal first bytes are
 * compared.
 */
export const orderOf = (strings: ReadonlyArray<string>): Uint32Array => {
  const keys = new BigUint64Array(strings.length)
  const halves = new Uint32Array(keys.buffer)
  strings.forEach((string, index) => {
    halves[index * 2 + LOW] = index
    halves[index * 2 + 1 - LOW] = keyOf(string, 0)
  })
  keys.sort()
  const order = Uint32Array.from(strings, (_, place) => halves[place * 2 + LOW]!)
  const compare = (left: number, right: number) => compareStrings(strings[left]!, strings[right]!)
  for (let from = 0, to = 0; from < order.length; from = to) {
    const key = halves[from * 2 + 1 - LOW]
    while (to < order.length && halves[to * 2 + 1 - LOW] === key) to++
    if (to - from > 1) order.subarray(from, to).sort(compare)
  }
  return order
}
