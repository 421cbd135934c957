/** Parses ranges such as `7,9:12`. */
export const uidRanges = function*(text: string) {
  for (const [, first, last = first] of text.matchAll(/(\d+)(?::(\d+))?/g)) {
    yield { first: Number(first), last: Number(last) }
  }
}
