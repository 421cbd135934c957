/** Positions of a question's words in a text: read once, queried for many stretches of it. */

/** For each word of the question, how well it is matched, from 0 to 1. */
export type Matches = Float64Array

export interface Occurrence {
  readonly start: number
  /** By the number of words before it. */
  readonly position: number
  /** Its place among the words of the question. */
  readonly word: number
  readonly likeness: number
}

interface Stretch {
  readonly start: number
  readonly end: number
}

/** The index of the first one that does not start before `least`. */
const firstFrom = (occurrences: ReadonlyArray<Occurrence>, least: number): number => {
  let [low, high] = [0, occurrences.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (occurrences[middle]!.start < least) low = middle + 1
    else high = middle
  }
  return low
}

export class WordOccurrences {
  readonly #occurrences: ReadonlyArray<Occurrence>
  readonly #size: number

  /** `size`: how many words the question has. */
  constructor(occurrences: ReadonlyArray<Occurrence>, size: number) {
    this.#occurrences = occurrences
    this.#size = size
  }

  /** In the order of the text. */
  within({ end, start }: Stretch): ReadonlyArray<Occurrence> {
    return this.#occurrences.slice(firstFrom(this.#occurrences, start), firstFrom(this.#occurrences, end))
  }

  matches(stretch: Stretch): Matches {
    const matches = new Float64Array(this.#size)
    for (const { likeness, word } of this.within(stretch)) matches[word] = Math.max(matches[word]!, likeness)
    return matches
  }
}

/** The better of both for each word. */
export const union = (one: Matches, other: Matches): Matches => one.map((match, word) => Math.max(match, other[word]!))
