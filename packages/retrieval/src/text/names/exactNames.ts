/** The names in a query that a text must contain literally, and whether it does. */
import { casedName, isAmount, isCode, isIdentifier, plainName } from "./identifiers.ts"
import { isJoin, signedWord } from "./signs.ts"
import { STOP_WORDS } from "../stopWords.ts"

/** Further names are ignored. */
const MOST = 16

/** Quotes, brackets and the punctuation of the sentence around a name. */
const AROUND =
  /^[\s"'`\u2018-\u201f\u00ab\u00bb([{<,;:!?\u3000-\u303f\uff00-\uff0f]+|[\s"'`\u2018-\u201f\u00ab\u00bb()\]}>,;:!?.\u3000-\u303f\uff00-\uff0f]+$/gu

/** `getUserName`, `HTTPServer`, and not `IRAs`: capitals within a word. */
const IS_CASED = /^[\p{L}\p{M}]*(?:\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}{2})[\p{L}\p{M}]*$/u

/** `System.Text`: in a text it may be two sentences without a space between them, in a query it is a name. */
const IS_MEMBER = /^\p{Lu}\p{L}+\.\p{Lu}\p{L}+$/u

const IS_OPTION = /^-\p{L}{1,2}$/u

/** `O'Brien`, `Rimsky-Korsakov`: a capital after every sign. */
const IS_CAPITALIZED = /^\p{Lu}[\p{L}\p{M}]*(?:['\u2019\-\u2010\u2011]\p{Lu}[\p{L}\p{M}]*)+$/u

const SIGN_WITHIN = /[\p{L}\p{M}\p{N}][^\p{L}\p{M}\p{N}]+[\p{L}\p{M}\p{N}]/u

/** Signs of prose within: an apostrophe, a comma that groups no digits, a dash. */
const PROSE_WITHIN = /[\p{L}\p{N}](?:['\u2019;!]|[?:](?![/\\:])\W|--)|\p{L},|\p{N},(?!\p{N})/u

const isSigned = (text: string): boolean => {
  const [{ index, 0: word } = { index: 0, 0: "" }] = text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)
  return signedWord(text, index, index + word.length) !== undefined
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/u

/** Longer ones are sentences. */
const LONGEST_UNSPACED = 16

const isUnspacedName = (text: string): boolean => UNSPACED.test(text) && text.length <= LONGEST_UNSPACED

const isName = (text: string): boolean => {
  if (isCode(text) || IS_OPTION.test(text) || IS_CASED.test(text) || IS_MEMBER.test(text) || isSigned(text)) return true
  return SIGN_WITHIN.test(text) && !PROSE_WITHIN.test(text) && (isIdentifier(text) || isAmount(text))
}

/** `PostgreSQL's`, `.gitignore'd` */
const SUFFIX = /['\u2019]\p{Ll}{1,2}$/u

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" }

/** `SQLSTATE[42P01]`, `List<String>`: the bracket closes one of the name's own. */
const bare = (piece: string): string => {
  const name = piece.replaceAll(AROUND, "").replace(SUFFIX, "")
  const opened = /[([{<](?=[^)\]}>]*$)/.exec(name)?.[0]
  return opened === undefined ? name : name + CLOSING[opened]
}

/** In a script without spaces between a name and its own words, the name is also the text between them. */
const piecesOf = (query: string): ReadonlyArray<string> =>
  query.split(/\s+/u).flatMap((piece) => UNSPACED.test(piece) ? [piece, ...piece.split(/[^\x21-\x7e]+/u)] : [piece])

/** `GPT`, `4`, `iPhone`, `محمد`, an emoji: it has a capital, a digit or a sign, or its script has no capitals. */
const IS_PROPER = /^[^\p{L}\p{N}]*\p{Ll}*[\p{Lu}\p{Lo}\p{N}]|^[^\x00-\x7f\p{L}\p{N}]+$/u

/** `van der`, `of`, `&`: between the words of a name. */
const isParticle = (word: string): boolean =>
  /^(?:\p{Ll}{1,3}|&)$/u.test(word) && (word === "of" || !STOP_WORDS.has(word))

/** `What`, `Is`: it has a capital because a sentence begins, or because all words have one. */
const isStopWord = (word: string): boolean =>
  (word === "I" || word !== word.toUpperCase()) && STOP_WORDS.has(word.toLowerCase())

/** No name continues after these. */
const ENDS = /[,;:!?"\u00bb\u201d\u3000-\u303f\uff00-\uff0f]$|^[^([{<]*[)\]}>]$/u

/** `Install`, `What`: it may have a capital because the query begins. */
const IS_SENTENCE_CASE = /^\p{Lu}\p{Ll}+$/u

/** A longer query is a sentence. */
const MOST_WORDS = 6

/** How certain it is that something is a name. */
type Certainty =
  /** Its form is that of a name only. */
  | "form"
  /** Each of its words looks like a name. */
  | "words"
  /** Only if a text contains it. */
  | "occurrence"

/** A name as it is in the query, where capitals differ from small letters, and in the form of `plainName`. */
export interface ExactName {
  readonly cased: string
  readonly plain: string
  readonly certainty: Certainty
}

/** `GPT 4`, `B-AB 1234`, `Ludwig van der Rohe`: words that each look like a name. */
const visitLongNames = (
  pieces: ReadonlyArray<string>,
  visit: (words: ReadonlyArray<string>, start: number) => void
) => {
  let run: Array<string> = []
  /** The end of the name within the run. */
  let end = 0
  const close = (next: number) => {
    if (end > 1) visit(run.slice(0, end), next - run.length)
    run = []
    end = 0
  }
  pieces.forEach((piece, at) => {
    if (IS_PROPER.test(piece) && !isStopWord(piece)) end = run.push(piece)
    else if (end > 0 && run.length < end + 2 && isParticle(piece)) run.push(piece)
    else close(at)
    if (ENDS.test(piece)) close(at + 1)
  })
  close(pieces.length)
}

/** `exit code 137`, `budget final (2).xlsx`: a short query that reads as no sentence may be a name as a whole. */
const isOneName = (pieces: ReadonlyArray<string>): boolean =>
  pieces.length > 1 && pieces.length <= MOST_WORDS && pieces.some((piece) => /\p{N}|\S[^\p{L}\p{M}]\S/u.test(piece)) &&
  !pieces.some((piece, at) => STOP_WORDS.has(piece.toLowerCase()) || (at + 1 < pieces.length && ENDS.test(piece)))

/** The first of those that only differ in capitals. */
export const exactNames = (query: string): ReadonlyArray<ExactName> => {
  const found = new Map<string, ExactName>()
  const add = (text: string, certainty: Certainty) => {
    const name = bare(text)
    const plain = plainName(name)
    if (name.length > 1 && !found.has(plain)) found.set(plain, { cased: casedName(name), plain, certainty })
  }
  for (const piece of piecesOf(query).map(bare)) {
    if (piece.length > 1 && isName(piece)) add(piece, "form")
    else if (IS_CAPITALIZED.test(piece) || isUnspacedName(piece)) add(piece, "words")
  }
  const pieces = query.trim().split(/\s+/u)
  visitLongNames(pieces, (words, start) => {
    const others = words.slice(words.findIndex((word, at) => at > 0 && !isParticle(word)))
    const isDoubtful = start === 0 && IS_SENTENCE_CASE.test(words[0]!) &&
      (others.length > 1 || isName(bare(others[0]!)))
    add(words.join(" "), isDoubtful ? "occurrence" : "words")
    if (isDoubtful && others.length > 1) add(others.join(" "), "words")
  })
  if (isOneName(pieces)) add(pieces.join(" "), "occurrence")
  return [...found.values()].slice(0, MOST)
}

const isWord = (text: string, at: number): boolean => /[\p{L}\p{M}\p{N}]/u.test(text.charAt(at))

const isAscii = (text: string, at: number): boolean => text.charCodeAt(at) < 128

/** Whether the character at `at` belongs to the adjacent name at `name`; a letter of another script does not. */
const goesOn = (text: string, name: number, at: number, step: 1 | -1): boolean => {
  if (UNSPACED.test(text.charAt(at)) && UNSPACED.test(text.charAt(name))) return false
  if (isWord(text, at)) return !(isWord(text, name) && isAscii(text, name) && !isAscii(text, at))
  return isJoin(text.charCodeAt(at)) && isWord(text, at + step) && isAscii(text, at + step)
}

const IS_VERSION = /^\d+(?:\.\d+)+/

/** `v` of `v1.2.0`, `tool-` of `tool-1.2.0`. */
const BEFORE_VERSION = /(?:^|[^\p{L}\p{N}])v$|\p{L}-v?$/iu

const isVersion = (text: string, name: string, at: number): boolean =>
  IS_VERSION.test(name) && BEFORE_VERSION.test(text.slice(Math.max(0, at - 3), at))

/** Where a name occurs in a text with nothing joined to it; what a version is of may precede it. */
const startsOf = (text: string, name: string): ReadonlyArray<number> => {
  const starts: Array<number> = []
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const last = at + name.length - 1
    if (goesOn(text, last, last + 1, 1)) continue
    if (!goesOn(text, at, at - 1, -1) || isVersion(text, name, at)) starts.push(at)
  }
  return starts
}

const lined = (text: string): string => casedName(text).replaceAll(/\s/gu, " ")

/** The names of a query as a set of texts has them. */
export class NameFinder {
  /** In the capitals of the query if any text has them so, as `getUserName` and `getUsername` are two names. */
  readonly #names: ReadonlyArray<{ readonly name: string; readonly isCased: boolean } | null>

  constructor(names: ReadonlyArray<ExactName>, texts: ReadonlyArray<string>) {
    const cased = names.length === 0 ? [] : texts.map(lined)
    const isIn = (name: string) => cased.some((text) => startsOf(text, name).length > 0)
    /** Words that the texts write in small letters, too, are no name because of a capital. */
    const areWords = ({ cased, certainty }: ExactName) =>
      certainty !== "form" && !/\p{N}/u.test(cased) &&
      (cased.match(/\p{Lu}[\p{L}\p{M}]+/gu) ?? []).some((word) => isIn(word.toLowerCase()))
    this.#names = names.map((name) => {
      if (areWords(name)) return null
      const isCased = isIn(name.cased)
      return { name: isCased ? name.cased : name.plain, isCased }
    })
  }

  /** Each occurrence, with the index of its name. */
  visit(text: string, visit: (index: number, start: number) => void): void {
    if (this.#names.length === 0) return
    const cased = lined(text)
    const plain = cased.toLowerCase()
    this.#names.forEach((name, index) => {
      if (name === null) return
      for (const start of startsOf(name.isCased ? cased : plain, name.name)) visit(index, start)
    })
  }
}

/** For each name, the indexes of the groups with a text that contains it. */
export const holdersOf = (
  names: ReadonlyArray<ExactName>,
  groups: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<ReadonlySet<number>> => {
  const finder = new NameFinder(names, groups.flat())
  const holders = names.map(() => new Set<number>())
  groups.forEach((texts, at) => {
    for (const text of texts) finder.visit(text, (index) => holders[index]!.add(at))
  })
  return holders
}
