/** The proper names and identifiers of a statement. Names are known by their capitals, so only where a script has them. */
import { isUnit } from "./quantities.ts"

/** They begin sentences without being names. */
const COMMON = new Set(
  `a an the it its this that these those there here they them their you your we our us he him his she her i my me
  yes no not nor neither none nobody nothing someone somebody everyone everybody anyone anybody one both either each
  every all any some most more many much few several another other others such only also even just still
  however therefore thus hence so but and or yet if when whenever while after before since until because although
  though unless once as at by for from in into of off on onto out over per to toward with without within between
  during under above below about across along against among around through according based due despite instead rather
  otherwise please note then than what who whom whose which where why how now today later never always often again
  further first second third next last finally moreover furthermore besides overall version people please do does did is are was were be been can could may might must shall should will would have has had
  use set run make check see let add remove open click enter select choose go put keep try call write read
  press type hold turn copy move edit save change create delete start stop restart install update download wait ask`
    .split(/\s+/)
)

const ENGLISH =
  /(?<!\p{L})(?:the|is|are|was|were|and|of|to|has|have|can|with|by|for|will|does|did|it|this|that|they|them|you|when|what|how)(?!\p{L})/u

const GERMAN =
  /(?<!\p{L})(?:der|die|das|und|ist|sind|nicht|ein|eine|wird|werden|von|mit|für|den|dem|zum|zur|kann|gibt|haben|auf|bei|sich)(?!\p{L})/iu

type Language = "English" | "German" | "other"

/** A short statement may have no word that determines its language; its quotes then determine it. */
const languageOf = (statement: string, proof: string): Language => {
  if (ENGLISH.test(statement)) return "English"
  if (GERMAN.test(statement)) return "German"
  return (statement.match(WORD) ?? []).length <= 4 && ENGLISH.test(proof) ? "English" : "other"
}

/** Endings of common nouns and adverbs. */
const COMMON_ENDING = /(?:s|ly|ing|ed|tion|ment|ity|ness|ance|ence|ship)$/u

const WORD = /(?<!°)\p{L}[\p{L}\p{M}\p{N}]*(?:['’&][\p{L}\p{M}\p{N}]+)*/gu

const IDENTIFIER =
  /(?<![\w.@/-])(?:--?[A-Za-z][\w-]*|[\w.+-]+@[\w.-]+\w|(?:\/[\w.-]*\w){2,}|(?![\d.]+(?![\w.]))\w{2,}(?:[._]\w[a-z0-9_]+)+)/gu

const bare = (word: string): string =>
  word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/’/g, "'").replace(/'s?$/u, "")

const withoutPlural = (word: string): string => word.length > 3 ? word.replace(/s$/u, "") : word

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set((text.match(WORD) ?? []).map(bare).flatMap((word) => [word, withoutPlural(word)]))

/** Names are inflected in languages of other alphabets. */
const isForm = (name: string, word: string): boolean =>
  !/^[\p{Script=Latin}\p{N}'’&]+$/u.test(name) && name.length > 3 &&
  word.startsWith(name.slice(0, Math.max(3, name.length - 2)))

const occurs = (word: string, words: ReadonlySet<string>): boolean => {
  const name = bare(word)
  return words.has(name) || words.has(withoutPlural(name)) || [...words].some((other) => isForm(name, other))
}

/** Looks back from a place no further than it has to, because a text has many words. */
const SENTENCE_START = /(?<=(?:^|[.!?:;•|。]\s*|\n\s*)["'“”„‘’«»([*_`-]*)/uy

const beginsSentence = (text: string, at: number): boolean => {
  SENTENCE_START.lastIndex = at
  return SENTENCE_START.test(text)
}

const isCapitalised = (word: string | undefined): boolean => word !== undefined && /^\p{Lu}/u.test(word)

/** As in "GitHub" and "kHz". */
const hasInnerCapital = (word: string): boolean => /.\p{Lu}/u.test(word)

/** Words that the text writes with a capital in the middle of a sentence. */
const namesIn = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(WORD)].filter(({ 0: word, index }) => isCapitalised(word) && !beginsSentence(text, index))
      .map(([word]) => bare(word))
  )

const isFamiliar = (word: string, words: ReadonlySet<string>): boolean =>
  [...words].some((other) => other.slice(0, 4) === bare(word).slice(0, 4))

/** The words of everything that the model was shown, and those of them that are names. */
export interface Known {
  readonly words: ReadonlySet<string>
  readonly names: ReadonlySet<string>
}

export const knownIn = (text: string): Known => ({ words: wordsOf(text), names: namesIn(text) })

const opensAsName = (word: string, next: string | undefined, language: Language, { names, words }: Known): boolean => {
  if (COMMON.has(bare(word))) return false
  if (language === "German") return false
  return names.has(bare(word)) || isCapitalised(next) ||
    (language === "English" && !COMMON_ENDING.test(word) && !isFamiliar(word, words))
}

/** German writes every noun with a capital: there two in a row are a name. */
const isNameInside = (word: string, next: string | undefined, language: Language): boolean =>
  isCapitalised(word) && !COMMON.has(bare(word)) &&
  (language !== "German" || isCapitalised(next))

const plainCode = (text: string): string => text.toLowerCase().replace(/[*_`\\]/g, "")

/** Case distinguishes options: "-d" and "-D". */
const hasIdentifier = (proof: string, identifier: string): boolean =>
  identifier.startsWith("-")
    ? new RegExp(`(?<![\\w-])${identifier}(?![\\w-])`).test(proof)
    : plainCode(proof).includes(plainCode(identifier))

/** The names that the proof does not contain. */
export const unprovedNames = (statement: string, proof: string, known: Known): ReadonlyArray<string> => {
  const proved = wordsOf(proof)
  const matches = [...statement.matchAll(WORD)]
  const words = matches.map(([word]) => word)
  const language = languageOf(statement, proof)
  const isName = (word: string, at: number) =>
    !isUnit(word) && (hasInnerCapital(word) ||
      (beginsSentence(statement, matches[at]!.index)
        ? isCapitalised(word) && opensAsName(word, words[at + 1], language, known)
        : isNameInside(word, words[at + 1], language)))
  return [
    ...words.filter((word, at) => isName(word, at) && !occurs(word, proved)),
    ...(statement.match(IDENTIFIER) ?? []).filter((identifier) => !hasIdentifier(proof, identifier))
  ]
}
