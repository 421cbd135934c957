/** The languages in Latin script with their own stemmers, and the detection of a text's language. */
import { stemmer as danish } from "@orama/stemmers/danish"
import { stemmer as dutch } from "@orama/stemmers/dutch"
import { stemmer as finnish } from "@orama/stemmers/finnish"
import { stemmer as french } from "@orama/stemmers/french"
import { stemmer as german } from "@orama/stemmers/german"
import { stemmer as hungarian } from "@orama/stemmers/hungarian"
import { stemmer as indonesian } from "@orama/stemmers/indonesian"
import { stemmer as italian } from "@orama/stemmers/italian"
import { stemmer as norwegian } from "@orama/stemmers/norwegian"
import { stemmer as portuguese } from "@orama/stemmers/portuguese"
import { stemmer as romanian } from "@orama/stemmers/romanian"
import { stemmer as spanish } from "@orama/stemmers/spanish"
import { stemmer as swedish } from "@orama/stemmers/swedish"
import { stemmer as turkish } from "@orama/stemmers/turkish"
import { stopwords as danishWords } from "@orama/stopwords/danish"
import { stopwords as dutchWords } from "@orama/stopwords/dutch"
import { stopwords as finnishWords } from "@orama/stopwords/finnish"
import { stopwords as frenchWords } from "@orama/stopwords/french"
import { stopwords as germanWords } from "@orama/stopwords/german"
import { stopwords as hungarianWords } from "@orama/stopwords/hungarian"
import { stopwords as indonesianWords } from "@orama/stopwords/indonesian"
import { stopwords as italianWords } from "@orama/stopwords/italian"
import { stopwords as norwegianWords } from "@orama/stopwords/norwegian"
import { stopwords as portugueseWords } from "@orama/stopwords/portuguese"
import { stopwords as romanianWords } from "@orama/stopwords/romanian"
import { stopwords as spanishWords } from "@orama/stopwords/spanish"
import { stopwords as swedishWords } from "@orama/stopwords/swedish"
import { stopwords as turkishWords } from "@orama/stopwords/turkish"
import { CONTENT_WORDS } from "./contentWords.ts"
import { foldWord } from "./folding.ts"
import { porter2 } from "./porter2.ts"
import { QUESTION_WORDS } from "./questionWords.ts"
import { STOP_WORDS } from "./stopWords.ts"

export interface Language {
  /** Its place among all. A set of languages is a number with one bit for each place. */
  readonly place: number
  readonly stem: (lower: string) => string
  readonly stopWords: ReadonlySet<string>
  /** Separate letters that are not accented forms of others. */
  readonly letters: string
  readonly nounsHaveCapitals: boolean
  /** Whether compounds are written as one word. */
  readonly joinsWords: boolean
  /** Whether a stem may lack the beginning of its word. */
  readonly hasPrefixes: boolean
}

/** `ae` is how `ä` is written where it cannot be typed; not after a vowel or a `q`, as in `neue` and `Quelle`. */
const withUmlauts = (lower: string): string =>
  lower.replace(/(?<![aeiouyq])([aou])e/g, (_, vowel: string) => `${vowel}\u0308`.normalize("NFC"))

/** How `ä` is written where it cannot be typed: `für`, `fuer`. Without the dots it would be another word: `wäre`, `Ware`. */
const spelledOut = (word: string): string =>
  foldWord(word.replaceAll(/[äöü]/g, (umlaut) => `${umlaut.normalize("NFD").charAt(0)}e`))

/** The words, and how they are written by those who leave out accents or cannot type them. */
const withPlain = (words: ReadonlyArray<string>, plain: (word: string) => string = foldWord): ReadonlyArray<string> =>
  words.flatMap((word) => [word, plain(word)])

const definitions: ReadonlyArray<
  readonly [
    stem: Language["stem"],
    stopWords: Iterable<string>,
    more?: Partial<Pick<Language, "hasPrefixes" | "joinsWords" | "letters" | "nounsHaveCapitals">>
  ]
> = [
  [porter2, STOP_WORDS],
  [(lower) => german(withUmlauts(lower)), withPlain([...germanWords, ...QUESTION_WORDS.german], spelledOut), {
    joinsWords: true,
    nounsHaveCapitals: true
  }],
  [french, withPlain([...frenchWords, ...QUESTION_WORDS.french])],
  [spanish, withPlain(spanishWords.filter((word) => !CONTENT_WORDS.spanish.has(word))), { letters: "ñ" }],
  [italian, withPlain([...italianWords, ...QUESTION_WORDS.italian])],
  [portuguese, withPlain([...portugueseWords, ...QUESTION_WORDS.portuguese])],
  [dutch, [...dutchWords, ...QUESTION_WORDS.dutch], { joinsWords: true }],
  [swedish, [...swedishWords, ...QUESTION_WORDS.swedish], { joinsWords: true, letters: "åäö" }],
  [danish, [...danishWords, ...QUESTION_WORDS.danish], { joinsWords: true, letters: "æøå" }],
  [norwegian, [...norwegianWords, ...QUESTION_WORDS.norwegian], { joinsWords: true, letters: "æøå" }],
  [finnish, [...finnishWords, ...QUESTION_WORDS.finnish], { letters: "äö" }],
  [romanian, romanianWords],
  [hungarian, hungarianWords, { joinsWords: true }],
  [turkish, turkishWords],
  [indonesian, indonesianWords, { hasPrefixes: true }]
]

/** New ones are added at the end, since segments record languages by their places. */
export const LANGUAGES: ReadonlyArray<Language> = definitions.map(([stem, stopWords, more], place) => ({
  place,
  stem,
  stopWords: new Set(stopWords),
  letters: "",
  nounsHaveCapitals: false,
  joinsWords: false,
  hasPrefixes: false,
  ...more
}))

/** The language of a text whose language is not detected. */
export const ENGLISH = LANGUAGES[0]!

export const bitOf = ({ place }: Language): number => 1 << place

export const ENGLISH_ALONE = bitOf(ENGLISH)

export const languagesIn = (bits: number): ReadonlyArray<Language> =>
  LANGUAGES.filter((language) => (bits & bitOf(language)) !== 0)

const PRIME = 0x01000193

const hashOf = (word: string): number => {
  let hash = 0
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), PRIME)
  return hash
}

const SLOTS = 1 << 13
/** A hash table of stop words with linear probing: the hash, and the languages that have the word. */
const hashes = new Int32Array(SLOTS)
const having = new Uint16Array(SLOTS)

const slotOf = (hash: number): number => {
  let slot = hash & (SLOTS - 1)
  while (having[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) & (SLOTS - 1)
  return slot
}

for (const language of LANGUAGES) {
  for (const word of language.stopWords) {
    const hash = hashOf(word)
    const slot = slotOf(hash)
    hashes[slot] = hash
    having[slot]! |= bitOf(language)
  }
}

const counts = new Uint16Array(LANGUAGES.length)
let words = 0

/** Beyond these, what there is of other letters and signs belongs to no stop word. */
const KNOWN = 0x180

/** For each code unit its lower-case letter, or zero if it is not a letter. */
const LETTERS = Uint16Array.from({ length: KNOWN }, (_, code) => {
  const letter = String.fromCharCode(code)
  return /\p{L}/u.test(letter) ? letter.toLowerCase().charCodeAt(0) : 0
})

/** Adds to `counts` the stop words of each language between two places of a text. */
const countIn = (text: string, from: number, to: number): void => {
  let hash = 0
  let start = from
  for (let at = from; at < to; at++) {
    const read = text.charCodeAt(at)
    const code = read < KNOWN ? LETTERS[read]! : read
    if (code !== 0) {
      hash = Math.imul(hash ^ code, PRIME)
      continue
    }
    const length = at - start
    start = at + 1
    if (length === 0) continue
    words++
    let bits = having[slotOf(hash)]!
    hash = 0
    // A single letter is an initial, a variable or a cell as often.
    if (length === 1) continue
    for (; bits !== 0; bits &= bits - 1) counts[31 - Math.clz32(bits & -bits)]!++
  }
}

/** Fewer words of a language show nothing, and a smaller share of all words: prose has more than a third. */
const MIN_WORDS = 2
const MIN_SHARE = 0.12

const most = (): Language => {
  const least = Math.max(MIN_WORDS, words * MIN_SHARE)
  let best = ENGLISH
  for (const language of LANGUAGES) {
    const count = counts[language.place]!
    if (count >= least && count > counts[best.place]!) best = language
  }
  return best
}

/** The number of stop words that is enough if no other language has half as many. */
const DISTINCT_WORDS = 4

const isSettled = (): boolean => {
  let [first, second] = [0, 0]
  for (const count of counts) {
    if (count > first) [first, second] = [count, first]
    else if (count > second) second = count
  }
  return first >= DISTINCT_WORDS && second * 2 <= first
}

/** The number of texts of a document that are sampled from start to end, the length of each sample, and of its steps. */
const SAMPLES = 4
const SAMPLE = 240
const BIT = 80

/** The language that has most of its stop words in the texts; English where none has more. */
export const languageOf = (texts: ReadonlyArray<string>): Language => {
  counts.fill(0)
  words = 0
  const step = Math.max(1, texts.length / SAMPLES)
  for (let at = 0; at < texts.length; at += step) {
    const text = texts[Math.floor(at)]!
    const end = Math.min(text.length, SAMPLE)
    for (let from = 0; from < end; from += BIT) {
      countIn(text, from, Math.min(end, from + BIT))
      if (isSettled()) return most()
    }
  }
  return most()
}

/** The one that most of the words belong to as stop words; English if there are too few words to decide. */
export const languageOfWords = (lower: ReadonlyArray<string>): Language => {
  let [best, count] = [ENGLISH, lower.filter((word) => ENGLISH.stopWords.has(word)).length]
  for (const language of LANGUAGES) {
    const own = lower.filter((word) => language.stopWords.has(word)).length
    if (own >= MIN_WORDS && own > count) [best, count] = [language, own]
  }
  return best
}
