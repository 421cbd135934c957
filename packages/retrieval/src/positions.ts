/** Where the terms of a query stand in a text. */
import { termOf, visitWords } from "./words.ts"

export interface Occurrence {
  readonly term: string
  readonly start: number
  readonly end: number
  /** Which word of the text it is. */
  readonly position: number
}

export const occurrences = (text: string, wanted: { has(term: string): boolean }): ReadonlyArray<Occurrence> => {
  const found: Array<Occurrence> = []
  let position = 0
  visitWords(text, (start, end) => {
    const term = termOf(text.slice(start, end))
    if (wanted.has(term)) found.push({ term, start, end, position })
    position++
  })
  return found
}
