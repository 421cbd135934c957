/** Lower-cases ASCII letters only, which every store does in the same way. */
export const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** The different words of a search in a list. */
export const foldedWords = (text: string): ReadonlyArray<string> => [
  ...new Set(foldAscii(text).split(/\s+/u).filter((word) => word !== ""))
]
