/**
 * Exact names within a text: ticket keys, file names, error codes, addresses, versions, paths.
 *
 * They are indexed twice: as the words they are made of, like everything else, and whole, in a space of terms of
 * their own, so that a query that names one finds it before all that merely resembles it.
 */

const CANDIDATE = /[\p{L}\p{N}]+(?:[-_.\/@:#+\\~=&?]+[\p{L}\p{N}]+)+/gu
const JOINED = /[-_.\/@:#+\\~=&?]/
const LONGEST = 200

/** Words joined by hyphens only are a compound, unless there is a digit or everything is in capitals. */
const isCompound = (text: string): boolean => /^[^_.\/@:#+\\~=&?]+$/u.test(text) && !/\p{N}/u.test(text) && text !== text.toUpperCase()

/** `and/or`, `end.Next`: words that a sign happens to join; `e.g`, `U.S`: letters that stand for words. */
const isProse = (text: string): boolean => /^\p{L}+[\/:]\p{L}+$|^\p{L}+\.\p{Lu}\p{Ll}*$|^\p{L}(?:\.\p{L})+$/u.test(text)

/** `1.5`, `10-20`, `1/2`: amounts; three parts and more are a version, a date or an address. */
const isAmount = (text: string): boolean => /^\p{N}+[^\p{N}]\p{N}+$/u.test(text)

/** Marks a term as a whole identifier; no word begins with it. */
const SPACE = "\u0001"

export const identifierTerm = (identifier: string): string => SPACE + identifier.toLowerCase()

export const isIdentifierTerm = (term: string): boolean => term.startsWith(SPACE)

const isIdentifier = (text: string): boolean => text.length <= LONGEST && !isCompound(text) && !isProse(text) && !isAmount(text)

export const visitIdentifiers = (text: string, visit: (identifier: string) => void): void => {
  if (!JOINED.test(text)) return
  for (const [candidate] of text.matchAll(CANDIDATE)) {
    if (isIdentifier(candidate)) visit(candidate)
  }
}

/** A single word that mixes letters and digits, such as `0x80070005` or `B52`, names something, too. */
export const isCode = (word: string): boolean => word.length >= 3 && /\p{L}/u.test(word) && /\p{N}/u.test(word)
