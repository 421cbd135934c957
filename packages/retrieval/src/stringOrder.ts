/** The order of strings in a segment: that of their UTF-8 bytes, which is the order of code points. */

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
  // The native order is that of UTF-16 code units: much faster, and the same as long as there are no surrogates.
  const sorted = [...strings].sort()
  return sorted.some((string) => SURROGATE.test(string)) ? sorted.sort(compareStrings) : sorted
}
