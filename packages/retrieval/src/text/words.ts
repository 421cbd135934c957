/** The words of a text with their positions and the form in which they are compared. */
import type { StemFilter } from "./StemFilter.ts"
import { ascii, MAX_ASCII, readAscii } from "./asciiText.ts"
import { foldExcept, foldWord, isAscii, lowerCase } from "./folding.ts"
import { ENGLISH, type Language, languagesIn } from "./languages.ts"
import { once } from "../once.ts"
import { stemOfScript } from "./scripts.ts"
import { british } from "./spelling.ts"

/** Half-open, in UTF-16 code units; and how many words come before. Pairs of characters may overlap. */
export type Visit = (start: number, end: number, position: number) => void

/** Longer runs are no words: keys, encoded data. They are left out of the index. */
export const MAX_WORD = 64

const WORD = 1
const BEYOND_ASCII = 2

/** For each code unit: whether it is part of words; non-ASCII characters need a closer look. */
const KINDS = new Uint8Array(1 << 16).fill(BEYOND_ASCII, 128)
for (let code = 0; code < 128; code++) KINDS[code] = /[0-9A-Za-z]/.test(String.fromCharCode(code)) ? WORD : 0

// Marks belong to the letter before them, so no word begins with one. Runs are read in pieces: the engine of regular
// expressions keeps a way back for every character of a match, and a long one would exhaust its stack.
const WORD_BEGINS = /[\p{L}\p{N}]/uy
// A soft hyphen says where a word may be broken, and is part of it.
const WORD_GOES_ON = /[\p{L}\p{M}\p{N}\u00ad]{1,1000}/uy
/** Looked at first, since it takes long to know a sequence of emoji from all others. */
const EMOJI_BEGINS = /[\p{Emoji_Presentation}\p{Extended_Pictographic}\p{Regional_Indicator}]/uy
/** Has an emoji presentation, with everything joined to it. */
const wholeEmoji = once(() => /^(?:\p{RGI_Emoji}|\p{Emoji_Presentation}|\u2764)\ufe0f?/v)
/** As long as any sequence that there is, or longer. The largest has four emoji. */
const sequenceOfEmoji = once(() => {
  const changed = String.raw`\p{Emoji}[\p{Emoji_Modifier}\ufe0f\u{e0020}-\u{e007f}]{0,9}`
  return new RegExp(String.raw`\p{Regional_Indicator}{2}\ufe0f?|${changed}(?:\u200d${changed}){0,3}`, "uy")
})
/** The length of the whole emoji with which a sequence begins. To compare one with all that there are takes long. */
const emojiLengths = new Map<string, number>()
const MAX_SEQUENCES = 4_096

const lengthOfEmoji = (text: string, start: number): number => {
  const sequences = sequenceOfEmoji()
  sequences.lastIndex = start
  if (!sequences.test(text)) return 0
  const sequence = text.slice(start, sequences.lastIndex)
  const known = emojiLengths.get(sequence)
  if (known !== undefined) return known
  const length = wholeEmoji().exec(sequence)?.[0].length ?? 0
  if (emojiLengths.size === MAX_SEQUENCES) emojiLengths.clear()
  // A slice would keep the whole text in memory.
  emojiLengths.set(Array.from(sequence).join(""), length)
  return length
}

/** Scripts that write words without spaces between them. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** The end of the word that starts at `start`; `start` without a word. */
const endOfWord = (text: string, start: number): number => {
  WORD_BEGINS.lastIndex = start
  if (!WORD_BEGINS.test(text)) {
    EMOJI_BEGINS.lastIndex = start
    return EMOJI_BEGINS.test(text) ? start + lengthOfEmoji(text, start) : start
  }
  let end = WORD_BEGINS.lastIndex
  for (;;) {
    WORD_GOES_ON.lastIndex = end
    if (!WORD_GOES_ON.test(text)) return end
    end = WORD_GOES_ON.lastIndex
  }
}

const segmenter = once(() => new Intl.Segmenter("und", { granularity: "word" }))

/** The segmenter is given pieces of this length, so that its time grows with the text and not faster. No word is longer. */
const PIECE = 1_000

/**
 * The segmenter treats 東京タワー as one word, so a search for タワー would not find it. The signs of ヶ月 and 関ヶ原 stay within.
 */
const BETWEEN_SCRIPTS =
  /(?<=\p{Script=Han})(?=[\p{Script=Katakana}--[ヵヶ]])|(?<=[[\p{Script=Katakana}ー]--[ヵヶ]])(?=\p{Script=Han})/v

const IDEOGRAPHIC = /^[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}ー]+$/u

/** The parts of a longer word are found as the pairs of its characters, which overlap. */
const PAIR = 2

const visitPairs = (characters: ReadonlyArray<string>, at: number, visit: Visit, before: number): number => {
  let count = before
  let start = at
  for (let first = 0; first + PAIR <= Math.max(PAIR, characters.length); first++) {
    const pair = characters.slice(first, first + PAIR).join("")
    visit(start, start + pair.length, count++)
    start += characters[first]!.length
  }
  return count
}

/** Also of letters that are stored one by one. */
const SYLLABLE = String.raw`(?:[\uac00-\ud7a3]|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?)`
const HAS_HANGUL = /[\u1100-\u1112\uac00-\ud7a3]/
/** No sequence of letters that are drawn as one character is cut. */
const IS_KOREAN = new RegExp(String.raw`^(?:${SYLLABLE}|[[\p{L}\p{N}]--\p{Script=Hangul}])+$`, "v")
const isKorean = (word: string): boolean => word.length <= PIECE && HAS_HANGUL.test(word) && IS_KOREAN.test(word)

const SYLLABLES = new RegExp(SYLLABLE, "gv")
const RUNS = new RegExp(`${SYLLABLE}+|(?:(?!${SYLLABLE})[^])+`, "gv")

/** Korean writes particles and endings to their word, and words to each other: `문서에서`, `HTML문서를`. */
const visitKorean = (word: string, at: number, visit: Visit, before: number): number => {
  let count = before
  let start = at
  for (const [run] of word.matchAll(RUNS)) {
    if (run.length <= MAX_WORD) count = visitPairs(run.match(SYLLABLES) ?? [run], start, visit, count)
    start += run.length
  }
  return count
}

const visitUnspacedWord = (word: string, at: number, visit: Visit, before: number): number => {
  if (isKorean(word)) return visitKorean(word, at, visit, before)
  if (word.length > MAX_WORD) return before
  return visitPairs(IDEOGRAPHIC.test(word) ? [...word] : [word], at, visit, before)
}

/** Words of a run in a script that does not put spaces between them; says how many words there are then. */
const visitUnspaced = (text: string, start: number, end: number, visit: Visit, before: number): number => {
  let count = before
  for (let from = start; from < end;) {
    const to = Math.min(end, from + PIECE)
    let next = to
    for (const { index, isWordLike, segment } of segmenter().segment(text.slice(from, to))) {
      // The last word of a piece may continue in the next one, so the next piece starts with it.
      if (to < end && index > 0 && index + segment.length === to - from) next = from + index
      else if (isWordLike === true) {
        let at = from + index
        for (const word of segment.split(BETWEEN_SCRIPTS)) {
          count = visitUnspacedWord(word, at, visit, count)
          at += word.length
        }
      }
    }
    from = next
  }
  return count
}

/** The `s` of `it's` carries nothing. */
const isPossessive = (text: string, start: number, end: number): boolean => {
  if (end - start !== 1 || (text.charCodeAt(start) | 32) !== 115 || start === 0) return false
  const before = text.charCodeAt(start - 1)
  return before === 39 || before === 0x2019
}

const borders = new Uint16Array(MAX_ASCII + 2)

/** Writes the word boundaries of an ASCII text to `borders`; returns their number, or -1 for other texts. */
const findBorders = (text: string): number => {
  const { length } = text
  if (!readAscii(text)) return -1
  const { bytes } = ascii
  let [count, before] = [0, 0]
  // Branches on the next word boundary cannot be predicted, so there are none here.
  for (let at = 0; at <= length; at++) {
    const kind = KINDS[bytes[at]!]!
    borders[count] = at
    count += kind ^ before
    before = kind
  }
  return count
}

const visitBetween = (count: number, text: string, visit: Visit, filter: StemFilter | null): number => {
  let position = 0
  for (let index = 0; index < count; index += 2) {
    const start = borders[index]!
    const end = borders[index + 1]!
    if (end - start > MAX_WORD || isPossessive(text, start, end)) continue
    if (filter === null || filter.mayStem(text, start, end)) visit(start, end, position)
    position++
  }
  return position
}

const visitCharacters = (text: string, visit: Visit, filter: StemFilter | null): number => {
  const length = text.length
  let count = 0
  let at = 0
  while (at < length) {
    const start = at
    const first = text.charCodeAt(at)
    let kind = KINDS[first]!
    if (kind === 0) {
      at++
      continue
    }
    while (kind === WORD) kind = ++at < length ? KINDS[text.charCodeAt(at)]! : 0
    if (kind === BEYOND_ASCII) {
      at = endOfWord(text, start)
      if (at === start) {
        at++
        continue
      }
      const word = text.slice(start, at)
      if (UNSPACED.test(word)) {
        count = visitUnspaced(text, start, at, visit, count)
        continue
      }
      if (isKorean(word)) {
        count = visitKorean(word, start, visit, count)
        continue
      }
    }
    if (at - start > MAX_WORD || isPossessive(text, start, at)) continue
    if (filter === null || filter.mayStem(text, start, at)) visit(start, at, count)
    count++
  }
  return count
}

/** Whether `borders` is in use. */
let isVisiting = false

/** Every word, or with `filter` at least those; says how many words there are. */
export const visitWords = (text: string, visit: Visit, filter: StemFilter | null = null): number => {
  const count = isVisiting ? -1 : findBorders(text)
  if (count === -1) return visitCharacters(text, visit, filter)
  isVisiting = true
  try {
    return visitBetween(count, text, visit, filter)
  } finally {
    isVisiting = false
  }
}

/** Begins what is added to a stem that no English word of the same letters has: no word holds it. */
const MARK = "\u0002"

/** Words with digits stay whole. A stem of another language than English is marked: `notes` in French is no `not`. */
const computeTerm = (word: string, language: Language): string => {
  const folded = foldWord(word)
  if (/[0-9]/.test(folded)) return folded
  const lower = lowerCase(word).normalize("NFC")
  const isPlain = isAscii(folded)
  if (!isPlain && !/^\p{Script=Latin}/u.test(folded)) return stemOfScript(lower)
  if (language === ENGLISH) return isPlain ? ENGLISH.stem(folded) : folded
  const stem = language.stem(lower)
  // A single letter says nothing of the word, and some stemmers change the last one: Turkish `bine`, `p`.
  const kept = stem.length > 1 ? stem : lower
  return `${foldExcept(kept, language.letters)}${MARK}${language.place.toString(36)}`
}

// Texts repeat themselves, so the terms of many words are kept, each in one place until another word takes it.
const PLACES = 1 << 14
interface Kept {
  readonly word: string
  readonly language: Language
  readonly term: string
}
const kept: Array<Kept | undefined> = Array.from({ length: PLACES })

/** The slice of a text that is longer may keep the whole text in memory. */
const MAX_SLICE = 12

const placeOf = (word: string, { place }: Language): number => {
  let hash = place
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return (hash ^ hash >>> 15) & (PLACES - 1)
}

/** The term under which a word is indexed and looked for, in a text of a language. */
export const termIn = (language: Language, word: string): string => {
  if (word.length > MAX_SLICE) return computeTerm(word, language)
  const place = placeOf(word, language)
  const known = kept[place]
  if (known !== undefined && known.word === word && known.language === language) return known.term
  const term = computeTerm(word, language)
  kept[place] = { word, language, term }
  return term
}

/** For English, and for scripts that determine the language. */
export const termOf = (word: string): string => termIn(ENGLISH, word)

/** A term without the mark of its language. */
export const stemOf = (term: string): string => term.split(MARK, 1)[0]!

/** A word without its endings in each of a set of languages and in British spelling, always in the same order. */
export const stemsIn = (languages: number, word: string): ReadonlyArray<string> => [
  ...languagesIn(languages).map((language) => stemOf(termIn(language, word))),
  termOf(british(lowerCase(word)))
]

export const wordsOf = (text: string): ReadonlyArray<string> => {
  const words: Array<string> = []
  visitWords(text, (start, end) => words.push(text.slice(start, end)))
  return words
}
