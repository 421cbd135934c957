/** Where the words of a question stand in a text: read once, and asked about many stretches of it. */

/** For each word of the question how well it is matched, from 0 to 1. */
export type Matches = Float64Array

export interface Occurrence {
  readonly start: number
  /** By the count of words before it. */
  readonly position: number
  /** Its place among the words of the question. */
  readonly word: number
  readonly likeness: number
}

interface Stretch {
  readonly start: number
  readonly end: number
}

/** The first of what rises that is not below `least`. */
const firstFrom = (length: number, valueAt: (at: number) => number, least: number): number => {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (valueAt(middle) < least) low = middle + 1
    else high = middle
  }
  return low
}

export class Reading {
  /** Where each word of the text begins. */
  readonly #starts: ReadonlyArray<number>
  readonly #occurrences: ReadonlyArray<Occurrence>
  readonly #size: number

  /** `size`: how many words the question has. */
  constructor(starts: ReadonlyArray<number>, occurrences: ReadonlyArray<Occurrence>, size: number) {
    this.#starts = starts
    this.#occurrences = occurrences
    this.#size = size
  }

  /** In the order of the text. */
  within({ end, start }: Stretch): ReadonlyArray<Occurrence> {
    const placeOf = (least: number) => firstFrom(this.#occurrences.length, (at) => this.#occurrences[at]!.start, least)
    return this.#occurrences.slice(placeOf(start), placeOf(end))
  }

  matches(stretch: Stretch): Matches {
    const matches = new Float64Array(this.#size)
    for (const { likeness, word } of this.within(stretch)) matches[word] = Math.max(matches[word]!, likeness)
    return matches
  }

  wordsIn({ end, start }: Stretch): number {
    const placeOf = (least: number) => firstFrom(this.#starts.length, (at) => this.#starts[at]!, least)
    return placeOf(end) - placeOf(start)
  }
}

/** For each word the better of both. */
export const union = (one: Matches, other: Matches): Matches => one.map((match, word) => Math.max(match, other[word]!))
