/** Positions of a question's words in a text: read once, queried for many stretches of it. */

/** For each word of the question, 1 if it is matched, and 0 if not. */
export type Matches = Float64Array

export interface Occurrence {
  readonly start: number
  /** By the number of words before it. */
  readonly position: number
  /** Its place among the words of the question. */
  readonly word: number
  /** Whether it is part of a name with dots, as `listen` in `server.listen`. */
  readonly isQualified: boolean
}

export interface Stretch {
  readonly start: number
  readonly end: number
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
    return this.#occurrences.filter((one) => start <= one.start && one.start < end)
  }

  /** Of the whole text, unless of a stretch of it. */
  matches(stretch: Stretch = { start: 0, end: Infinity }): Matches {
    return this.matchesOf(this.within(stretch))
  }

  matchesOf(occurrences: ReadonlyArray<Occurrence>): Matches {
    const matches = new Float64Array(this.#size)
    for (const { word } of occurrences) matches[word] = 1
    return matches
  }
}

/** The better of both for each word. */
export const union = (one: Matches, other: Matches): Matches => one.map((match, word) => Math.max(match, other[word]!))
