/** The names in a query that a text must contain literally, and whether it does. */
import { casedName, isAmount, isCode, isIdentifier, plainName } from "./identifiers.ts"
import { isJoin, signedWord } from "./signs.ts"

/** Further names are ignored. */
const MOST = 16

/** Quotes, brackets and the punctuation of the sentence around a name. */
const AROUND =
  /^[\s"'`\u2018-\u201f\u00ab\u00bb([{<,;:!?\u3000-\u303f\uff00-\uff0f]+|[\s"'`\u2018-\u201f\u00ab\u00bb)\]}>,;:!?.\u3000-\u303f\uff00-\uff0f]+$/gu

/** `getUserName`, `HTTPServer`, and not `IRAs`: capitals within a word. */
const IS_CASED = /^[\p{L}\p{M}]*(?:\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}{2})[\p{L}\p{M}]*$/u

/** `System.Text`: in a text it may be two sentences without a space between them, in a query it is a name. */
const IS_MEMBER = /^\p{Lu}\p{L}+\.\p{Lu}\p{L}+$/u

const SIGN_WITHIN = /[\p{L}\p{M}\p{N}][^\p{L}\p{M}\p{N}]+[\p{L}\p{M}\p{N}]/u

/** Signs of prose within: an apostrophe, a comma that groups no digits, a dash. */
const PROSE_WITHIN = /[\p{L}\p{N}](?:['\u2019;!]|[?:]\W|--)|\p{L},|\p{N},(?!\p{N})/u

const isSigned = (text: string): boolean => {
  const [{ index, 0: word } = { index: 0, 0: "" }] = text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)
  return signedWord(text, index, index + word.length) !== undefined
}

const isName = (text: string): boolean => {
  if (isCode(text) || IS_CASED.test(text) || IS_MEMBER.test(text) || isSigned(text)) return true
  return SIGN_WITHIN.test(text) && !PROSE_WITHIN.test(text) && (isIdentifier(text) || isAmount(text))
}

/** `SQLSTATE[42P01]`: the bracket closes one of the name's own. */
const bare = (piece: string): string => {
  const name = piece.replaceAll(AROUND, "")
  return name.includes("[") && !name.includes("]") ? `${name}]` : name
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/u

/** In a script without spaces between a name and its own words, the name is also the text between them. */
const piecesOf = (query: string): ReadonlyArray<string> =>
  query.split(/\s+/u).flatMap((piece) => UNSPACED.test(piece) ? [piece, ...piece.split(/[^\x21-\x7e]+/u)] : [piece])

/** A name as it is in the query, where capitals differ from small letters, and in the form of `plainName`. */
export interface ExactName {
  readonly cased: string
  readonly plain: string
}

/** The first of those that only differ in capitals. */
export const exactNames = (query: string): ReadonlyArray<ExactName> => {
  const found = new Map<string, ExactName>()
  for (const piece of piecesOf(query).map(bare)) {
    if (piece.length < 2 || !isName(piece)) continue
    const plain = plainName(piece)
    if (!found.has(plain)) found.set(plain, { cased: casedName(piece), plain })
  }
  return [...found.values()].slice(0, MOST)
}

const isWord = (text: string, at: number): boolean => /[\p{L}\p{M}\p{N}]/u.test(text.charAt(at))

const isAscii = (text: string, at: number): boolean => text.charCodeAt(at) < 128

/** Whether the character at `at` belongs to the adjacent name at `name`; a letter of another script does not. */
const goesOn = (text: string, name: number, at: number, step: 1 | -1): boolean => {
  if (isWord(text, at)) return !(isWord(text, name) && isAscii(text, name) && !isAscii(text, at))
  return isJoin(text.charCodeAt(at)) && isWord(text, at + step) && isAscii(text, at + step)
}

/** Whether a name occurs in a text with nothing joined to it. */
const standsIn = (text: string, name: string): boolean => {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const last = at + name.length - 1
    if (!goesOn(text, at, at - 1, -1) && !goesOn(text, last, last + 1, 1)) return true
  }
  return false
}

/**
 * For each name, the indexes of those of the texts that contain it: with the same capitals, if any of them does.
 * `getUserName` and `getUsername` are two names, but a query may be written in small letters.
 */
export const holdersOf = (
  names: ReadonlyArray<ExactName>,
  groups: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<ReadonlyArray<number>> => {
  const cased = groups.map((texts) => texts.map(casedName))
  const plain = cased.map((texts) => texts.map((text) => text.toLowerCase()))
  const holders = (all: ReadonlyArray<ReadonlyArray<string>>, name: string) =>
    all.flatMap((texts, at) => texts.some((text) => standsIn(text, name)) ? [at] : [])
  return names.map((name) => {
    const same = holders(cased, name.cased)
    return same.length > 0 ? same : holders(plain, name.plain)
  })
}
