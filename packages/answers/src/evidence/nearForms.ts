/** Words that are nearly the same: forms that a stemmer does not bring together, parts of compounds, slips of the pen. */

const SHORTEST_PREFIX = 4
/** A part of a compound is no shorter. */
export const SHORTEST_PART = 5
const SHORTEST_MISSPELT = 6

const FORM = 0.7
const PART = 0.5

const sharedStart = (short: string, long: string): number => {
  let length = 0
  while (length < short.length && short[length] === long[length]) length++
  return length
}

const sharedEnd = (short: string, long: string, most: number): number => {
  let length = 0
  while (length < most && short[short.length - 1 - length] === long[long.length - 1 - length]) length++
  return length
}

/** One letter more, less or other, or two that changed places. */
const isMisspelt = (short: string, long: string, start: number): boolean => {
  const both = start + sharedEnd(short, long, short.length - start)
  return both >= long.length - 1 ||
    (both === long.length - 2 && short.length === long.length &&
      short[start] === long[start + 1] && short[start + 1] === long[start])
}

/** How similar one term is to the other: 1 when they are equal, 0 when they have nothing to do with each other. */
export const likeness = (one: string, other: string): number => {
  if (one === other) return 1
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short.length < SHORTEST_PREFIX) return 0
  const start = sharedStart(short, long)
  if (start >= SHORTEST_PREFIX && start >= 0.6 * long.length && start >= short.length - 3) return FORM
  if (short.length >= SHORTEST_MISSPELT && long.length - short.length <= 1 && isMisspelt(short, long, start)) {
    return FORM
  }
  return short.length >= SHORTEST_PART && long.includes(short) ? PART : 0
}
