/** Forms of a word that a stemmer does not bring together: they begin alike. */

const SHORTEST_PREFIX = 4

const FORM = 0.7

const sharedStart = (short: string, long: string): number => {
  let length = 0
  while (length < short.length && short[length] === long[length]) length++
  return length
}

/** The similarity of two terms: 1 for equal ones, 0 for unrelated ones. */
export const likeness = (one: string, other: string): number => {
  if (one === other) return 1
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  const start = sharedStart(short, long)
  return start >= SHORTEST_PREFIX && start >= 0.6 * long.length && start >= short.length - 3 ? FORM : 0
}
