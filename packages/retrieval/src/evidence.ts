/** Whether a text is about what a question asks: how much of the question's words it holds, rare ones counting more. */
import { isDateWord, relativeDays } from "./dates.ts"
import { countNames } from "./exactNames.ts"
import { LIGHT_VERBS } from "./lightVerbs.ts"
import { occurrences } from "./positions.ts"
import { parseQuery } from "./Query.ts"
import { STOP_WORDS } from "./stopWords.ts"
import { termOf, visitWords } from "./words.ts"

/** What a question names, by a capital or a number, matters so many times as much as another word that is as rare. */
const NAME_WEIGHT = 2

const LIGHT_WEIGHT = 0.5

/** Of two of the question's words one says little, of ten four say a lot: chance brings many words together less often. */
const REQUIRED = 1.15

/** The first word of a sentence has a capital anyway. */
const BEGINS = /(?:^|[.?!:]["'\u201d\u2019)]*\s+)["'(\u201c]*$/u

/** `isn't`: as small a word as `is`. */
const CONTRACTED = /\b\p{L}+n['\u2019]t\b/giu

/** What asks in other languages, as English words do that carry no subject either; an answer puts something in its place. */
const ASKING: ReadonlySet<string> = new Set(
  ("wann wo woher wohin wer wem wen wessen was warum wieso wie welche welcher welches quand où qui quoi quel quelle " +
    "quels quelles comment pourquoi combien cuándo dónde quién quiénes qué cuál cómo cuánto cuántos cuántas quando dove " +
    "perché quanto onde quem quanti wanneer waar waarom welk welke").split(" ").map(termOf)
)

/** A query of small words alone looks for them; as a question it asks about nothing. */
const SMALL: ReadonlySet<string> = new Set([...STOP_WORDS].map(termOf))

const namesIn = (question: string): ReadonlySet<string> => {
  const names = new Set<string>()
  visitWords(question, (start, end) => {
    const word = question.slice(start, end)
    const isName = /\p{N}/u.test(word) ||
      (/^\p{Lu}/u.test(word) && !BEGINS.test(question.slice(Math.max(0, start - 8), start)))
    if (isName && !isDateWord(word)) names.add(termOf(word))
  })
  return names
}

/** Of each number the words beside it, of which it is the number: `week` of `week 30`, `February` of `14 February`. */
const numberedIn = (question: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const words = [...question.matchAll(/[\p{L}\p{M}\p{N}]+/gu)]
  const numbered = new Map<string, ReadonlyArray<string>>()
  words.forEach(([word], at) => {
    const beside = [words[at - 1], words[at + 1]].flatMap((match) => match === undefined ? [] : [match[0]])
      .filter((other) => /\p{L}/u.test(other) && !STOP_WORDS.has(other.toLowerCase())).map(termOf)
    if (/^\p{N}+$/u.test(word) && beside.length > 0) numbered.set(termOf(word), beside)
  })
  return numbered
}

export interface Evidence {
  /** What the question asks about; words that only say on which day are left out. */
  readonly terms: ReadonlySet<string>
  /** The share of the question that these of its terms make up, from 0 to 1. */
  share(terms: Iterable<string>): number
  /** The share that a passage must hold to say something about it. */
  readonly required: number
  /**
   * Whether a passage of these texts says something about it: it holds enough, of the names at least half, and not
   * only names when there is more.
   */
  supports(texts: ReadonlyArray<string>): boolean
}

/** `rarities`: how much each term tells; one that is absent stands nowhere. */
export const evidenceFor = (question: string, rarities: ReadonlyMap<string, number>): Evidence => {
  let bare = question.replaceAll(CONTRACTED, (word) => " ".repeat(word.length))
  for (const { end, start } of relativeDays(question, 0)) {
    bare = bare.slice(0, start) + " ".repeat(end - start) + bare.slice(end)
  }
  const query = parseQuery(bare)
  const names = namesIn(bare)
  const rarest = Math.max(1, ...rarities.values())
  const weightOf = (term: string) => names.has(term) ? NAME_WEIGHT : LIGHT_VERBS.has(term) ? LIGHT_WEIGHT : 1
  const weights = new Map(
    [...query.weights.keys()].filter((term) => !ASKING.has(term) && (names.has(term) || !SMALL.has(term)))
      .map((term) => [term, weightOf(term) * (rarities.get(term) ?? rarest)])
  )
  const weigh = (terms: Iterable<string>) => [...terms].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0)
  const whole = weigh(weights.keys())
  const share = (terms: Iterable<string>) => whole === 0 ? 0 : weigh(terms) / whole
  const required = Math.min(1, REQUIRED / Math.sqrt(weights.size))
  const other = [...weights.keys()].filter((term) => !names.has(term))
  const named = [...names].filter((name) => weights.has(name))
  const numbered = numberedIn(bare)
  return {
    terms: new Set(weights.keys()),
    share,
    required,
    supports: (texts) => {
      const found = new Set(texts.flatMap((text) => occurrences(text, weights).map(({ term }) => term)))
      // The number of something else is another number.
      const held = new Set([...found].filter((term) => numbered.get(term)?.some((beside) => found.has(beside)) ?? true))
      return share(held) >= required &&
        (other.length === 0 || other.some((term) => held.has(term))) &&
        2 * weigh(named.filter((name) => held.has(name))) >= weigh(named) &&
        2 * countNames(query.names, texts) >= query.names.length
    }
  }
}
