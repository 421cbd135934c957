/** Where words of a question are in a text. */

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

export const within = (occurrences: ReadonlyArray<Occurrence>, { end, start }: Stretch): ReadonlyArray<Occurrence> =>
  occurrences.filter((one) => start <= one.start && one.start < end)
