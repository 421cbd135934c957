/** The excerpt of a text that best shows why it was found. */
import { borderBefore, isBorder } from "../text/characters.ts"
import { type Occurrence, occurrences } from "../text/positions.ts"
import type { Query } from "./query/Query.ts"
import { eachSentence } from "../text/sentences.ts"
import type { Span } from "../text/Span.ts"

interface Snippet {
  /** A verbatim slice of the text. */
  readonly text: string
  /** Its start in the text, in UTF-16 code units. */
  readonly start: number
  /** Half-open offsets into the snippet, in UTF-16 code units. */
  readonly highlights: ReadonlyArray<readonly [start: number, end: number]>
}

interface Window {
  readonly first: Occurrence
  readonly last: Occurrence
}

/** The window with the most distinct terms; the first of equals. */
const bestWindow = (found: ReadonlyArray<Occurrence>, length: number): Window | undefined => {
  let best: Window | undefined
  let most = 0
  const counts = new Map<string, number>()
  let from = 0
  for (const last of found) {
    counts.set(last.term, (counts.get(last.term) ?? 0) + 1)
    while (last.end - found[from]!.start > length && found[from] !== last) {
      const { term } = found[from++]!
      const left = counts.get(term)! - 1
      if (left === 0) counts.delete(term)
      else counts.set(term, left)
    }
    if (counts.size > most) {
      most = counts.size
      best = { first: found[from]!, last }
    }
  }
  return best
}

const isBlank = (text: string, at: number): boolean => /\s/.test(text.charAt(at))

/** How much of the end may be cut to end between two words; scripts without spaces have no such place. */
const SLACK = 60

/** Where an excerpt from `start` ends: at a word boundary, or else a character boundary, not before `least`. */
const ending = (text: string, start: number, least: number, most: number): number => {
  if (most >= text.length) return text.length
  for (let at = most; at >= Math.max(least, start + 1, most - SLACK); at--) {
    if (isBlank(text, at) || isBlank(text, at - 1)) return borderBefore(text, start, at)
  }
  return borderBefore(text, start, most)
}

/** The last sentence that starts at or before `at`. */
const sentenceAt = (text: string, at: number): Span | undefined => {
  let last: Span | undefined
  for (const sentence of eachSentence(text)) {
    if (sentence.start > at) break
    last = sentence
  }
  return last
}

/** The place of the window, with all of the character in which its last word ends. */
const placeOf = (text: string, { first, last }: Window): Span => {
  let { end } = last
  while (!isBorder(text, -1, end)) end++
  return { start: first.start, end }
}

/** The start of the window's sentence if it fits, otherwise a word boundary before the window. */
const beginning = (text: string, { end, start }: Span, length: number): number => {
  const room = length - (end - start)
  const sentence = sentenceAt(text, start)
  if (sentence !== undefined && start - sentence.start <= room) return sentence.start
  const earliest = Math.max(0, start - Math.floor(room / 2))
  for (let place = earliest; place < start; place++) {
    if (place === 0 || isBlank(text, place - 1)) return place
  }
  return start
}

/** Overlapping words form one highlight. */
const highlightsOf = (found: ReadonlyArray<Span>): Snippet["highlights"] => {
  const highlights: Array<[number, number]> = []
  for (const { end, start } of found) {
    const last = highlights.at(-1)
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end)
    else highlights.push([start, end])
  }
  return highlights
}

/** At most `length` UTF-16 code units; the start of the text if it contains nothing of the query. */
export const snippet = (text: string, query: Query, length = 240): Snippet => {
  const found = occurrences(text, query.weights, query.languages)
  const window = bestWindow(found, length)
  const place = window === undefined ? undefined : placeOf(text, window)
  const first = place === undefined ? text.length - text.trimStart().length : beginning(text, place, length)
  const start = borderBefore(text, -1, first)
  const limit = ending(text, start, place?.end ?? start, start + length)
  const end = start + text.slice(start, limit).trimEnd().length
  return {
    text: text.slice(start, end),
    start,
    highlights: highlightsOf(
      found.filter((word) => word.start >= start && word.end <= end)
        .map((word) => ({ start: word.start - start, end: word.end - start }))
    )
  }
}
