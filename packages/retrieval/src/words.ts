/** The words of a text, where they stand, and the form in which they are compared. */
import { porter2 } from "./porter2.ts"

/** Half-open, in UTF-16 code units. */
export type Visit = (start: number, end: number) => void

/** Longer runs are no words: keys, encoded data. They are left out of the index. */
export const MAX_WORD = 64

const ASCII_WORD = new Uint8Array(128)
for (let code = 0; code < 128; code++) ASCII_WORD[code] = /[0-9A-Za-z]/.test(String.fromCharCode(code)) ? 1 : 0

const WORD = /[\p{L}\p{M}\p{N}]+/uy
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const segmenter = new Intl.Segmenter("und", { granularity: "word" })

/** The segmenter is given pieces of this length, so that its time grows with the text and not faster. */
const PIECE = 1_000

/** Words of a run in a script that does not put spaces between them. */
const visitUnspaced = (text: string, start: number, end: number, visit: Visit): void => {
  for (let from = start; from < end; from += PIECE) {
    for (const { index, isWordLike, segment } of segmenter.segment(text.slice(from, Math.min(end, from + PIECE)))) {
      if (isWordLike === true) visit(from + index, from + index + segment.length)
    }
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
      WORD.lastIndex = start
      if (!WORD.test(text)) {
        // Not a letter after all: a sign between words, or the end of the ASCII run before one.
        if (at > start) visit(start, at)
        at = Math.max(at, start) + 1
        continue
      }
      at = WORD.lastIndex
      if (UNSPACED.test(at - start > PIECE ? text.slice(start, start + PIECE) : text.slice(start, at))) {
        visitUnspaced(text, start, at, visit)
        continue
      }
    }
    if (at - start <= MAX_WORD && !isPossessive(text, start, at)) visit(start, at)
  }
}

const NON_ASCII = /[^\x00-\x7f]/
const MARKS = /\p{M}+/gu

/** Case and accents are folded, English is stemmed, words with digits stay whole. */
const fold = (word: string): string => {
  let lower = word.toLowerCase()
  if (NON_ASCII.test(lower)) {
    const bare = lower.normalize("NFKD").replace(MARKS, "").toLowerCase()
    if (bare !== "") lower = bare
    if (NON_ASCII.test(lower)) return lower.normalize("NFC")
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
