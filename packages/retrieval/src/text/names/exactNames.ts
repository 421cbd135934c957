/** The names in a query that a text must contain literally, and whether it does. */
import { casedName, plainName } from "./identifiers.ts"
import { isProse } from "./prose.ts"
import { isJoin, isWordAt } from "./signs.ts"
import { STOP_WORDS } from "../stopWords.ts"

/** Further names are ignored. */
const MAX_NAMES = 32

/** East Asian punctuation, but for the letters among it: `々` repeats the one before it. */
const EAST_ASIAN = "\\u3000-\\u3004\\u3008-\\u303f\\uff00-\\uff0f\\uff1a\\uff1b\\uff1f\\uff3b\\uff3d\\uff5b-\\uff65"

/** Also `¿`, `¡`, `«`, `»`, dashes and an ellipsis. */
const SIGNS = `\\s"'\`,;:!?\\u00a1\\u00ab\\u00bb\\u00bf\\u2013\\u2014\\u2018-\\u201f\\u2026\\u2039\\u203a${EAST_ASIAN}`

/** Quotes, brackets and the punctuation of the sentence around a name. */
const AROUND = new RegExp(`^[${SIGNS}([{<]+|[${SIGNS}.()\\]}>]+$`, "gu")

/** `PostgreSQL's`, `.gitignore'd` */
const SUFFIX = /['\u2019]\p{Ll}{1,2}$/u

/** `l'A320`, `dell'ABC-123`: an article or a preposition of French or Italian. */
const ELIDED = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|un|all|dall|sull|[dn]ell|quest)['\u2019](?=[\p{L}\p{N}])/u

/** `SQLSTATE[42P01]`, `List<String>`: what follows closes a bracket of the name's own. */
const bare = (piece: string): string => {
  const name = piece.replaceAll(AROUND, "").replace(ELIDED, "").replace(SUFFIX, "")
  return /[([{<][^)\]}>]*$/.test(name) ? name + piece.charAt(piece.indexOf(name) + name.length) : name
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/u

/** Longer ones are sentences. */
const MAX_UNSPACED = 16

/** In a script without spaces between a name and its own words, the name is also the text between them. */
const piecesOf = (query: string): ReadonlyArray<string> =>
  query.split(/\s+/u).flatMap((piece) => UNSPACED.test(piece) ? [piece, ...piece.split(/[^\x21-\x7e]+/u)] : [piece])

/** `GPT`, `4`, `iPhone`, `محمد`, an emoji: it has a capital, a digit or a sign, or its script has no capitals. */
const IS_PROPER = /^[^\p{L}\p{N}]*\p{Ll}*[\p{Lu}\p{Lo}\p{N}]|^[^\x00-\x7f\p{L}\p{N}]+$/u

/** Not `What` or `Is`, which have a capital because a sentence begins, or because all words have one. */
const isProper = (word: string): boolean =>
  IS_PROPER.test(word) && !((word === "I" || word !== word.toUpperCase()) && STOP_WORDS.has(word.toLowerCase()))

/** No name continues after these. */
const ENDS = new RegExp(`[,;:!?"\\u00bb\\u201c\\u201d\\u203a${EAST_ASIAN}]$|^[^([{<]*[)\\]}>]$`, "u")

/** A longer name or query is a sentence. */
const MAX_WORDS = 6

/** How certain it is that something is a name. */
type Certainty =
  /** No prose looks like it. */
  | "form"
  /** Its words look like a name. */
  | "words"
  /** Only if a text contains it. */
  | "occurrence"

/** A name as it is in the query, where capitals differ from small letters, and in the form of `plainName`. */
export interface ExactName {
  readonly cased: string
  readonly plain: string
  readonly certainty: Certainty
}

/** `of`, `van`, `&` between the words of a name. */
const MAX_PARTICLE = 3

/** `Install`, `What`: it may have a capital because the query begins. */
const IS_SENTENCE_CASE = /^[\u00a1\u00bf]?\p{Lu}\p{Ll}+$/u

/** `GPT 4`, `B-AB 1234`, `Ludwig van der Rohe`: all that begins and ends with words that each look like a name. */
const visitLongNames = (pieces: ReadonlyArray<string>, visit: (name: string, certainty: Certainty) => void) =>
  pieces.forEach((first, from) => {
    const isDoubtful = from === 0 && IS_SENTENCE_CASE.test(first)
    for (let to = from + 1; isProper(first) && to < Math.min(pieces.length, from + MAX_WORDS); to++) {
      const piece = pieces[to]!
      if (ENDS.test(pieces[to - 1]!) || (!isProper(piece) && piece.length > MAX_PARTICLE)) return
      if (!isProper(piece)) continue
      // What follows the first word is a name without it.
      const isOccurrence = isDoubtful && (to > 1 || !isProse(bare(piece)))
      visit(pieces.slice(from, to + 1).join(" "), isOccurrence ? "occurrence" : "words")
    }
  })

/** `exit code 137`, `budget final (2).xlsx`: a short query that reads as no sentence may be a name as a whole. */
const isOneName = (pieces: ReadonlyArray<string>): boolean =>
  pieces.length > 1 && pieces.length <= MAX_WORDS && pieces.some((piece) => /\p{N}|\S[^\p{L}\p{M}]\S/u.test(piece)) &&
  !pieces.some((piece, at) => STOP_WORDS.has(piece.toLowerCase()) || (at + 1 < pieces.length && ENDS.test(piece)))

/** `O'Brien`, `Rimsky-Korsakov` */
const HAS_CAPITAL_WITHIN = /[^\p{L}\p{M}\p{N}]\p{Lu}/u

/** The first of those that only differ in capitals. */
export const exactNames = (query: string): ReadonlyArray<ExactName> => {
  const found = new Map<string, ExactName>()
  const add = (text: string, certainty: Certainty) => {
    const name = bare(text)
    const plain = plainName(name)
    if (name.length > 1 && !found.has(plain)) found.set(plain, { cased: casedName(name), plain, certainty })
  }
  for (const piece of piecesOf(query).map(bare)) {
    if (UNSPACED.test(piece)) { if (piece.length <= MAX_UNSPACED) add(piece, "words") }
    else if (!isProse(piece)) add(piece, "form")
    else if (HAS_CAPITAL_WITHIN.test(piece)) add(piece, "words")
  }
  const pieces = query.trim().split(/\s+/u)
  visitLongNames(pieces, add)
  if (isOneName(pieces)) add(pieces.join(" "), "occurrence")
  return [...found.values()].slice(0, MAX_NAMES)
}

const isAscii = (text: string, at: number): boolean => text.charCodeAt(at) < 128

/** Whether the character at `at` belongs to the adjacent name at `name`; a letter of another script does not. */
const goesOn = (text: string, name: number, at: number, step: 1 | -1): boolean => {
  if (UNSPACED.test(text.charAt(at)) && UNSPACED.test(text.charAt(name))) return false
  if (isWordAt(text, at)) return !(isWordAt(text, name) && isAscii(text, name) && !isAscii(text, at))
  return isJoin(text.charCodeAt(at)) && isWordAt(text, at + step) && isAscii(text, at + step)
}

const IS_VERSION = /^\d+(?:\.\d+)+/

/** `v` of `v1.2.0`, `tool-` of `tool-1.2.0`. */
const BEFORE_VERSION = /(?:^|[^\p{L}\p{N}])v$|\p{L}-v?$/iu

const isVersion = (text: string, name: string, at: number): boolean =>
  IS_VERSION.test(name) && BEFORE_VERSION.test(text.slice(Math.max(0, at - 3), at))

/** Where a name next occurs in a text with nothing joined to it, or -1; what a version is of may precede it. */
const nextStart = (text: string, name: string, from = 0): number => {
  for (let at = text.indexOf(name, from); at !== -1; at = text.indexOf(name, at + 1)) {
    const last = at + name.length - 1
    if (goesOn(text, last, last + 1, 1)) continue
    if (!goesOn(text, at, at - 1, -1) || isVersion(text, name, at)) return at
  }
  return -1
}

const lined = (text: string): string => casedName(text).replaceAll(/\s/gu, " ")

const PIECES = /\s+|\S+/gu

/** Where a place of a folded text is in the text itself, whose characters may be more or fewer: `fi`, `e\u0301`, `\u00ad`. */
const placesIn = (text: string, folded: string, fold: (text: string) => string): (at: number) => number => {
  if (folded.length === text.length) return (at) => at
  const starts: Array<number> = []
  const places: Array<number> = []
  let length = 0
  // Signs never combine over white space.
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    starts.push(length)
    places.push(index)
    length += fold(piece).length
  }
  let piece = 0
  // The places come in their order.
  return (at) => {
    while (starts[piece + 1]! <= at) piece++
    return Math.min(places[piece]! + at - starts[piece]!, (places[piece + 1] ?? text.length) - 1)
  }
}

/** The names of a query as a set of texts has them. */
export class NameFinder {
  /** In the capitals of the query if any text has them so, as `getUserName` and `getUsername` are two names. */
  readonly #names: ReadonlyArray<{ readonly name: string; readonly isCased: boolean } | null>

  constructor(names: ReadonlyArray<ExactName>, texts: ReadonlyArray<string>) {
    const cased = names.length === 0 ? [] : texts.map(lined)
    const isIn = (name: string) => cased.some((text) => nextStart(text, name) !== -1)
    this.#names = names.map((name) => {
      const isCased = isIn(name.cased)
      if (!isCased && name.certainty !== "form" && !/\p{N}/u.test(name.cased)) return null
      return { name: isCased ? name.cased : name.plain, isCased }
    })
  }

  /** Each occurrence, with the index of its name, and where it is in the text. */
  visit(text: string, visit: (index: number, start: number) => void): void {
    if (this.#names.length === 0) return
    const cased = lined(text)
    let plain: string | undefined
    this.#names.forEach((name, index) => {
      if (name === null) return
      const { isCased } = name
      const found = isCased ? cased : plain ??= cased.toLowerCase()
      let placeOf: ReturnType<typeof placesIn> | undefined
      for (let at = nextStart(found, name.name); at !== -1; at = nextStart(found, name.name, at + 1)) {
        placeOf ??= placesIn(text, found, isCased ? lined : (piece) => lined(piece).toLowerCase())
        visit(index, placeOf(at))
      }
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
