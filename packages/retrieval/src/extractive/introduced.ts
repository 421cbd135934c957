/** What a question speaks of as something known: `the reading night`, `my flight`. */
import { LIGHT_VERBS } from "./lightVerbs.ts"
import { STOP_WORDS } from "../text/stopWords.ts"
import { termOf } from "../text/words.ts"

/** Of a question with more telling words some may be missing: chance brings many together less often than few. */
const FEW = 5

const ARTICLE = /\b(?:the|an?|my|our|your|his|her|its|their|this|that|these|those)\s+(?=([^,;:.?!()"]+))/giu

/** `What is the price of ...`: an answer may give it without calling it so. */
const ASKED_FOR = /^\s*what(?:['\u2019]s|\s+(?:is|are|was|were))\s+(?=(?:the|an?)\s)/iu

/** `the second week`, `the last meeting`: which of them, and not what. */
const ORDER =
  /^(?:first|second|third|fourth|fifth|last|latest|next|previous|current|new|old|other|same|best|main|whole)$/iu

/** A document need not call itself one. */
const DOCUMENT: ReadonlySet<string> = new Set(
  "document file mail email letter message page note text paper article report post ticket".split(" ").map(termOf)
)

/** An owner may be named by what they are called, and not by what they are. */
const OWNER = /['\u2019]s?$/u

/** Of several words in a row the last may be a verb, or be left out where the others say enough. */
const tellingOf = (after: string): ReadonlyArray<string> => {
  const words = after.trim().split(/\s+/u)
  const end = words.findIndex((word) => STOP_WORDS.has(word.toLowerCase()))
  const row = end === -1 ? words : words.slice(0, end)
  return row.length > 1 ? row.slice(0, -1) : row
}

/** Those of a question's terms that articles introduce: a document without one of them speaks of something else. */
export const introducedIn = (question: string, terms: ReadonlySet<string>): ReadonlySet<string> => {
  if (terms.size > FEW) return new Set()
  const askedFor = ASKED_FOR.exec(question)?.[0].length
  const words = [...question.matchAll(ARTICLE)].filter(({ index }) => index !== askedFor)
    .flatMap(([, after = ""]) => tellingOf(after))
    .filter((word) => !ORDER.test(word) && !OWNER.test(word))
  return new Set(words.map(termOf).filter((term) => terms.has(term) && !LIGHT_VERBS.has(term) && !DOCUMENT.has(term)))
}
