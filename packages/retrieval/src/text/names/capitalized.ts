/**
 * Words with capitals where others have none, such as `PATH`, `IT`, and `Go` within a sentence or a title: they are
 * indexed as written, too, so that a query with one ranks it before the same word in small letters.
 */
import { NAME_MARK } from "./nameMark.ts"

const SPACE = 0x20
const COMMA = 0x2c
const HASH = 0x23

const isAsciiCapital = (code: number): boolean => code >= 65 && code <= 90

const isAsciiLetterOrDigit = (code: number): boolean =>
  isAsciiCapital(code) || (code >= 97 && code <= 122) || (code >= 48 && code <= 57)

/** Whether a sentence continues here, after a word or a comma and a space, or a heading begins. */
const isWithin = (text: string, start: number): boolean => {
  if (text.charCodeAt(start - 1) !== SPACE) return false
  const before = text.charCodeAt(start - 2)
  return before === COMMA || before === HASH || isAsciiLetterOrDigit(before) ||
    (before >= 128 && /\p{L}/u.test(text.charAt(start - 2)))
}

/** Where a word is. */
export interface Place {
  /** The first word of a title has a capital as a name, that of a sentence has one anyway. */
  readonly isTitle?: boolean
  /** In the language of the text. */
  readonly nounsHaveCapitals?: boolean
}

/** One letter is an initial. */
export const isCapitalized = (
  text: string,
  start: number,
  end: number,
  { isTitle = false, nounsHaveCapitals = false }: Place = {}
): boolean => {
  const code = text.charCodeAt(start)
  if (end - start < 2 || (code < 128 && !isAsciiCapital(code))) return false
  const word = text.slice(start, end)
  const lower = word.toLowerCase()
  if (word.charAt(0) === lower.charAt(0)) return false
  const mayBeName = !nounsHaveCapitals && ((isTitle && start === 0) || isWithin(text, start))
  return mayBeName || (word === word.toUpperCase() && /^\p{L}+$/u.test(word))
}

/** Never that of an identifier, which is in lower case. */
export const capitalizedTerm = (word: string): string => NAME_MARK + word
