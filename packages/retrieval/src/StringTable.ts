/** Sorted strings as bytes, found by binary search. */

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export interface PackedStrings {
  readonly bytes: Uint8Array
  readonly offsets: Uint32Array
}

/** The order of the UTF-8 bytes, which is the order of code points. */
const compareStrings = (left: string, right: string): number => {
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

/** In the order of `compareStrings`. */
export const sortStrings = (strings: Iterable<string>): ReadonlyArray<string> => {
  // The native order is that of UTF-16 code units: much faster, and the same as long as there are no surrogates.
  const sorted = [...strings].sort()
  return sorted.some((string) => /[\ud800-\udfff]/.test(string)) ? sorted.sort(compareStrings) : sorted
}

/** Of strings in the order of `compareStrings`, each once. */
export const packStrings = (sorted: ReadonlyArray<string>): PackedStrings => {
  const offsets = new Uint32Array(sorted.length + 1)
  let bytes = new Uint8Array(Math.max(16, sorted.length * 8))
  let size = 0
  sorted.forEach((string, index) => {
    const room = string.length * 3
    if (bytes.length - size < room) {
      const grown = new Uint8Array(Math.max(bytes.length * 2, size + room))
      grown.set(bytes)
      bytes = grown
    }
    size += encoder.encodeInto(string, bytes.subarray(size)).written
    offsets[index + 1] = size
  })
  return { bytes: bytes.slice(0, size), offsets }
}

export class StringTable {
  readonly #bytes: Uint8Array
  readonly #offsets: Uint32Array
  constructor(bytes: Uint8Array, offsets: Uint32Array) {
    this.#bytes = bytes
    this.#offsets = offsets
  }

  get size(): number {
    return this.#offsets.length - 1
  }

  at(index: number): string {
    return decoder.decode(this.#bytes.subarray(this.#offsets[index]!, this.#offsets[index + 1]!))
  }

  /** The index of a string, or -1. */
  find(string: string): number {
    const wanted = encoder.encode(string)
    let low = 0
    let high = this.size - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const order = this.#compare(middle, wanted)
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle - 1
    }
    return -1
  }

  #compare(index: number, wanted: Uint8Array): number {
    const start = this.#offsets[index]!
    const length = this.#offsets[index + 1]! - start
    const shorter = Math.min(length, wanted.length)
    for (let at = 0; at < shorter; at++) {
      const difference = this.#bytes[start + at]! - wanted[at]!
      if (difference !== 0) return difference
    }
    return length - wanted.length
  }
}
