/** Completes a query whose last word is unfinished. */
import type { ViewPart } from "../../segment/Mask.ts"
import { type Query, readIn } from "./Query.ts"
import { termsWithPrefix } from "../../segment/Segment.ts"
import { foldWord } from "../../text/folding.ts"
import { termOf, visitWords } from "../../text/words.ts"

/** The most completions of a word. */
const MAX_COMPLETIONS = 50

/** A stem may be shorter than the prefix: `meetin` is completed to `meeting`, whose term is `meet`. */
const MAX_ENDING = 2

/** A shorter prefix matches nearly everything. */
const SHORTEST = 2

const lastWordOf = (text: string): string => {
  let word = ""
  visitWords(text, (start, end) => {
    word = end === text.length ? text.slice(start, end) : ""
  })
  return word
}

interface Unfinished {
  /** The prefix as a term. */
  readonly lasts: ReadonlyArray<string>
  readonly beginning: string
}

/** The possible stems of the last word; null if it is complete because it contains a digit. */
const beginningOf = (query: Query, text: string): Unfinished | null => {
  const word = lastWordOf(text)
  const last = termOf(word)
  return word.length < SHORTEST || /\p{N}/u.test(word) || !query.weights.has(last)
    ? null
    : { lasts: [last, ...query.others.get(last) ?? []], beginning: foldWord(word) }
}

/** A stem must match completely, because a word with the same beginning is another word. Longest first. */
const stemsOf = (beginning: string): ReadonlyArray<string> =>
  Array.from({ length: MAX_ENDING }, (_, cut) => beginning.slice(0, beginning.length - cut - 1))
    .filter(({ length }) => length >= SHORTEST)

/** Completions of the last word in these parts; none if the word itself occurs. */
export const mayBecome = (
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  text: string,
  frequencies: ReadonlyMap<string, number>
): ReadonlySet<string> => {
  const unfinished = beginningOf(query, text)
  if (unfinished === null || unfinished.lasts.some((term) => frequencies.has(term))) return new Set()
  const found = parts.flatMap(({ segment }) => termsWithPrefix(segment, unfinished.beginning, MAX_COMPLETIONS))
  const others = [...found, ...stemsOf(unfinished.beginning)]
  return new Set(others.filter((term) => !frequencies.has(term)))
}

const completionsOf = (beginning: string, frequencies: ReadonlyMap<string, number>): ReadonlyArray<string> => {
  const found = [...frequencies.keys()].filter((term) => term.startsWith(beginning))
  if (found.length > 0) return found.sort().slice(0, MAX_COMPLETIONS)
  return stemsOf(beginning).filter((stem) => frequencies.has(stem)).slice(0, 1)
}

/** The query itself if its last word occurs or contains a digit, or if nothing starts with it. */
export const completeQuery = (
  written: Query,
  text: string,
  { frequencies, languages }: { readonly frequencies: ReadonlyMap<string, number>; readonly languages: number }
): Query => {
  const query = readIn(written, languages)
  const unfinished = beginningOf(query, text)
  if (unfinished === null || unfinished.lasts.some((term) => frequencies.has(term))) return query
  const completions = completionsOf(unfinished.beginning, frequencies)
  if (completions.length === 0) return query
  const rest = [...query.weights].filter(([term]) => !unfinished.lasts.includes(term))
  return { ...query, weights: new Map([...rest, ...completions.map((term) => [term, 1] as const)]) }
}
