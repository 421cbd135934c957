/** Looking up the terms of a segment by how they begin. */
import type { Segment } from "./Segment.ts"
import { sortStrings } from "./StringTable.ts"

const isBefore = (left: string, right: string): boolean => left !== right && sortStrings([left, right])[0] === left

/** The first terms that begin with a prefix, in the order of code points. */
export const termsWithPrefix = ({ terms }: Segment, prefix: string, limit: number): ReadonlyArray<string> => {
  let low = 0
  let high = terms.size
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(terms.at(middle), prefix)) low = middle + 1
    else high = middle
  }
  const found: Array<string> = []
  for (let at = low; at < terms.size && found.length < limit; at++) {
    const term = terms.at(at)
    if (!term.startsWith(prefix)) break
    found.push(term)
  }
  return found
}
