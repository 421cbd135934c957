/** How texts of lists are compared: without a difference of case or accents. */

/** Lower-cases ASCII letters only, which every store does in the same way. */
export const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Combining accents. The marks of other scripts make another word. */
const ACCENTS = /[\u0300-\u036f]/g

/** The text in which a list looks for words: without accents, and with small letters of ASCII, in every store alike. */
export const foldText = (text: string): string =>
  foldAscii(/^[\x00-\x7f]*$/.test(text) ? text : text.normalize("NFD").replace(ACCENTS, "").normalize("NFC"))

/** The different words of a search in a list. */
export const foldedWords = (text: string): ReadonlyArray<string> => [
  ...new Set(foldAscii(text).split(/\s+/u).filter((word) => word !== ""))
]

const capitalized = ([first = "", ...rest]: Iterable<string>): string =>
  first.toUpperCase() + rest.join("").toLowerCase()

/** A word as folded texts may have it: in small letters, in capitals or with a first capital, which only fold in ASCII. */
export const formsOf = (word: string): ReadonlyArray<string> => [
  ...new Set([word, word.toLowerCase(), word.toUpperCase(), capitalized(word)].map(foldText))
]
