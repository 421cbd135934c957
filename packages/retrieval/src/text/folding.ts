/** The form in which words are compared, but for their endings. */

const NON_ASCII = /[^\x00-\x7f]/

// Accents, and the vowel signs that Hebrew and Arabic may omit. In other scripts, marks make another word.
const MARKS = /[[\p{M}&&[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}]]--[\u3099\u309a]]+/gv

const LIGATURES: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ı: "i",
  ς: "σ"
}

const foldLetters = (lower: string): string => {
  const bare = lower.normalize("NFKD").toLowerCase().replace(MARKS, "")
  // A tone of skin makes no other emoji.
  const plain = bare.replace(/(?<=[^])[\u{1f3fb}-\u{1f3ff}]/gu, "")
  return plain.replace(/[ßæœøłđıς]/g, (sign) => LIGATURES[sign]!).normalize("NFC")
}

const SOFT_HYPHEN = "\u00ad"

export const lowerCase = (word: string): string => word.replaceAll(SOFT_HYPHEN, "").toLowerCase()

export const isAscii = (word: string): boolean => !NON_ASCII.test(word)

/** Case, accents and soft hyphens are folded. */
export const foldWord = (word: string): string => {
  const lower = lowerCase(word)
  return isAscii(lower) ? lower : foldLetters(lower)
}

/** The same, but for these letters. */
export const foldExcept = (lower: string, letters: string): string =>
  letters === ""
    ? foldWord(lower)
    : lower.replaceAll(/[^\x00-\x7f]/g, (letter) => letters.includes(letter) ? letter : foldLetters(letter))
