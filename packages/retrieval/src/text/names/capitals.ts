/**
 * Words in capitals, such as `PATH`, `IT` or `NULL`: they are indexed as written, too, so that a query with one ranks
 * it before the same word in small letters.
 */

/** Marks a term as a word in capitals; no word begins with it, and other such terms are in lower case. */
const MARK = "\u0001"

const isAsciiCapital = (code: number): boolean => code >= 65 && code <= 90

/** Two letters at least: a single one begins a sentence, or is an initial. */
export const isInCapitals = (text: string, start: number, end: number): boolean => {
  let at = start
  while (at < end && isAsciiCapital(text.charCodeAt(at))) at++
  if (at === end || text.charCodeAt(at) < 128) return at === end && end - start > 1
  const first = text.charAt(start)
  if (first === first.toLowerCase()) return false
  const word = text.slice(start, end)
  return end - start > 1 && word === word.toUpperCase() && word !== word.toLowerCase()
}

export const capitalsTerm = (word: string): string => MARK + word
