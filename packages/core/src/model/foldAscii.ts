/** Lower-cases ASCII letters only, which every store does in the same way. */
export const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** The different words of a search in a list. */
export const foldedWords = (text: string): ReadonlyArray<string> => [
  ...new Set(foldAscii(text).split(/\s+/u).filter((word) => word !== ""))
]

const capitalized = ([first = "", ...rest]: Iterable<string>): string =>
  first.toUpperCase() + rest.join("").toLowerCase()

/**
 * A folded word as texts may have it: in small letters, in capitals or with a first capital, which only folds in ASCII,
 * and with accents as letters or as marks of their own.
 */
export const formsOf = (word: string): ReadonlyArray<string> => [
  ...new Set(
    [word, word.toLowerCase(), word.toUpperCase(), capitalized(word)]
      .flatMap((form) => [form, form.normalize("NFC"), form.normalize("NFD")]).map(foldAscii)
  )
]
