/**
 * Words that a hyphen joins in one text, and nothing in another: `e-mail` and `email`, `data-base` and `database`. At the
 * end of a line, a hyphen may divide one word.
 */
import type { Language } from "../languages.ts"
import { NAME_MARK } from "../names/nameMark.ts"
import { MAX_WORD, termIn } from "../words.ts"

const HYPHEN = /[-\u2010\u2011](?:\n[ \t]{0,80})?/g

const kindOf = (character: string): "letter" | "digit" | null =>
  /[\p{L}\p{M}\u00ad]/u.test(character) ? "letter" : /\p{N}/u.test(character) ? "digit" : null

/** The end of the letters from `at` on, in steps of 1 or -1; `at` if they are joined to digits. */
const endOfLetters = (text: string, at: number, step: 1 | -1): number => {
  const characterAt = (end: number) => text.charAt(step === 1 ? end : end - 1)
  let end = at
  while (Math.abs(end - at) <= MAX_WORD && kindOf(characterAt(end)) === "letter") end += step
  return kindOf(characterAt(end)) === null ? end : at
}

/** Half-open, in UTF-16 code units, and both words as one. */
type Visit = (start: number, end: number, joined: string) => void

/** Each two words, in order. */
export const visitHyphenated = (text: string, visit: Visit): void => {
  for (const { 0: hyphen, index } of text.matchAll(HYPHEN)) {
    const after = index + hyphen.length
    const [start, end] = [endOfLetters(text, index, -1), endOfLetters(text, after, 1)]
    if (start < index && end > after) visit(start, end, text.slice(start, index) + text.slice(after, end))
  }
}

/** Of two words with a hyphen, beside the terms of both. No name has a soft hyphen. */
export const hyphenatedTerm = (joinedTerm: string): string => `${NAME_MARK}\u00ad${joinedTerm}`

/** For each two words with a hyphen, the term of the word that they are without it. */
export const joinedTerms = (text: string, language: Language): ReadonlyArray<string> => {
  const terms: Array<string> = []
  visitHyphenated(text, (_start, _end, joined) => terms.push(termIn(language, joined)))
  return terms
}
