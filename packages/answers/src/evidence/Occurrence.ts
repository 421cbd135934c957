/** Where words of a question are in a text. */
import type { Span } from "@tributary/retrieval"

export interface Occurrence {
  readonly start: number
  /** By the number of words before it. */
  readonly position: number
  /** Its place among the words of the question. */
  readonly word: number
  /** Whether it is part of a name with dots, as `listen` in `server.listen`. */
  readonly isQualified: boolean
}

/** The first of the occurrences, which are in the order of their starts, that starts at or after a place. */
export const firstFrom = (occurrences: ReadonlyArray<Occurrence>, place: number): number => {
  let [low, high] = [0, occurrences.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (occurrences[middle]!.start < place) low = middle + 1
    else high = middle
  }
  return low
}

/** A text may be a list of thousands of items, each with words of the question. */
export const within = (occurrences: ReadonlyArray<Occurrence>, { end, start }: Span): ReadonlyArray<Occurrence> =>
  occurrences.slice(firstFrom(occurrences, start), firstFrom(occurrences, end))
