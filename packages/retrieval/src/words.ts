/** The words of a text, where they stand, and the form in which they are compared. */
import { porter2 } from "./porter2.ts"

/** Half-open, in UTF-16 code units. */
export type Visit = (start: number, end: number) => void

/** Longer runs are no words: keys, encoded data. They are left out of the index. */
export const MAX_WORD = 64

const ASCII_WORD = new Uint8Array(128)
for (let code = 0; code < 128; code++) ASCII_WORD[code] = /[0-9A-Za-z]/.test(String.fromCharCode(code)) ? 1 : 0

// Marks belong to the letter before them, so no word begins with one. Runs are read in pieces: the engine of regular
// expressions keeps a way back for every character of a match, and a long one would exhaust its stack.
const WORD_BEGINS = /[\p{L}\p{N}]/uy
const WORD_GOES_ON = /[\p{L}\p{M}\p{N}]{1,1000}/uy
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Where the word that begins at `start` ends; `start` when none does. */
const endOfWord = (text: string, start: number): number => {
  WORD_BEGINS.lastIndex = start
  if (!WORD_BEGINS.test(text)) return start
  let end = WORD_BEGINS.lastIndex
  for (;;) {
    WORD_GOES_ON.lastIndex = end
    if (!WORD_GOES_ON.test(text)) return end
    end = WORD_GOES_ON.lastIndex
  }
}

const segmenter = new Intl.Segmenter("und", { granularity: "word" })

/** The segmenter is given pieces of this length, so that its time grows with the text and not faster. */
const PIECE = 1_000

/** Words of a run in a script that does not put spaces between them. */
const visitUnspaced = (text: string, start: number, end: number, visit: Visit): void => {
  for (let from = start; from < end;) {
    const to = Math.min(end, from + PIECE)
    let next = to
    for (const { index, isWordLike, segment } of segmenter.segment(text.slice(from, to))) {
      // The last word of a piece may go on in the next one, so that one begins with it.
      if (to < end && index > 0 && index + segment.length === to - from) next = from + index
      else if (isWordLike === true && segment.length <= MAX_WORD) visit(from + index, from + index + segment.length)
    }
    from = next
  }
}

/** The `s` of `it's` carries nothing. */
const isPossessive = (text: string, start: number, end: number): boolean => {
  if (end - start !== 1 || (text.charCodeAt(start) | 32) !== 115 || start === 0) return false
  const before = text.charCodeAt(start - 1)
  return before === 39 || before === 0x2019
}

export const visitWords = (text: string, visit: Visit): void => {
  const length = text.length
  let at = 0
  while (at < length) {
    const code = text.charCodeAt(at)
    if (code < 128 && ASCII_WORD[code] === 0) {
      at++
      continue
    }
    const start = at
    let ascii = true
    while (at < length) {
      const next = text.charCodeAt(at)
      if (next >= 128) {
        ascii = false
        break
      }
      if (ASCII_WORD[next] === 0) break
      at++
    }
    if (!ascii) {
      const end = endOfWord(text, start)
      if (end === start) {
        at = start + 1
        continue
      }
      at = end
      if (UNSPACED.test(text.slice(start, at))) {
        visitUnspaced(text, start, at, visit)
        continue
      }
    }
    if (at - start <= MAX_WORD && !isPossessive(text, start, at)) visit(start, at)
  }
}

const NON_ASCII = /[^\x00-\x7f]/

// Accents, and the signs for vowels that Hebrew and Arabic leave out at will. In other scripts marks make another word.
const MARKS = /[[\p{M}&&[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}]]--[\u3099\u309a]]+/gv

const LIGATURES: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ı: "i" }

/** Case and accents are folded, English is stemmed, words with digits stay whole. */
const fold = (word: string): string => {
  let lower = word.toLowerCase()
  if (NON_ASCII.test(lower)) {
    const bare = lower.normalize("NFKD").toLowerCase().replace(MARKS, "").replace(
      /[ßæœøłđı]/g,
      (sign) => LIGATURES[sign]!
    )
    if (NON_ASCII.test(bare)) return bare.normalize("NFC")
    lower = bare
  }
  return /[0-9]/.test(lower) ? lower : porter2(lower)
}

// Texts repeat themselves, so the folded forms of the last many words are kept.
const CACHE_SIZE = 200_000
const cache = new Map<string, string>()

/** The term under which a word is indexed and looked for. */
export const termOf = (word: string): string => {
  const known = cache.get(word)
  if (known !== undefined) return known
  if (cache.size >= CACHE_SIZE) cache.clear()
  const term = fold(word)
  cache.set(word, term)
  return term
}
