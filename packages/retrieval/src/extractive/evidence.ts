/** Whether a text is about what a question asks: how much of the question's words it holds, rare ones counting more. */
import { isDateWord, relativeDays } from "../text/dates.ts"
import { countNames } from "../text/exactNames.ts"
import { inflected, languageOf } from "./languages.ts"
import { LIGHT_VERBS } from "./lightVerbs.ts"
import { occurrences } from "../text/positions.ts"
import { contrariesOf } from "./opposites.ts"
import { parseQuery } from "../search/Query.ts"
import { type QuestionKind, questionKind } from "./questionKind.ts"
import { sameAs } from "./sameWords.ts"
import { endsInAbbreviation } from "../text/sentences.ts"
import { STOP_WORDS } from "../text/stopWords.ts"
import { termOf, visitWords } from "../text/words.ts"

const termsOf = (words: string): ReadonlySet<string> => new Set(words.split(" ").map(termOf))

/** What a question names, by a capital or a number, matters so many times as much as another word that is as rare. */
const NAME_WEIGHT = 2

const LIGHT_WEIGHT = 0.5

const SAID_WEIGHT = 0.1

/** What the very words say that answer a question of the kind: `1,200 euros` need no `cost` beside them. */
const SAID_BY_SPAN: Readonly<Partial<Record<QuestionKind, ReadonlySet<string>>>> = {
  price: termsOf("cost costs price fee charge charged pay pays paid spend spent expensive"),
  when: termsOf("take took place happen date"),
  where: termsOf("take took place located situated location"),
  duration: termsOf("take takes took last")
}

/** Of two of the question's words one says little, of ten four say a lot: chance brings many words together less often. */
const REQUIRED = 1.2

const BEGINS = /(?:^|[.?!:]["'\u201d\u2019)]*\s+)["'(\u201c]*$/u

/** The first word of a sentence has a capital anyway. */
const begins = (text: string, start: number): boolean => {
  const begun = BEGINS.exec(text.slice(Math.max(0, start - 12), start))
  return begun !== null && !(begun[0].startsWith(".") && endsInAbbreviation(begun.input.slice(0, begun.index)))
}

/** `isn't`: as small a word as `is`. */
const CONTRACTED = /\b\p{L}+n['\u2019]t\b/giu

/** What asks in still other languages, as English words do that carry no subject either; an answer puts something in its place. */
const ASKING: ReadonlySet<string> = new Set(
  "quando dove perché quanto onde quem quanti wanneer waar waarom welk welke".split(" ").map(termOf)
)

/** A query of small words alone looks for them; as a question it asks about nothing. */
const SMALL: ReadonlySet<string> = new Set([...STOP_WORDS].map(termOf))

const namesIn = (question: string): ReadonlySet<string> => {
  const names = new Set<string>()
  visitWords(question, (start, end) => {
    const word = question.slice(start, end)
    const isName = /\p{N}/u.test(word) ||
      (/^\p{Lu}/u.test(word) && !begins(question, start))
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
  /** Those without which an answer says something else: verbs that may be said of anything are none of them. */
  readonly telling: ReadonlySet<string>
  /** By each term that says what a term of the question says, that one. */
  readonly forms: ReadonlyMap<string, string>
  /** The terms that say what a term says. */
  formsOf(term: string): ReadonlySet<string>
  /** What of the question a text holds. */
  termsIn(text: string): ReadonlySet<string>
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

/** `idf`: how much each term tells; one that is absent stands nowhere. */
export const evidenceFor = (question: string, idf: ReadonlyMap<string, number>): Evidence => {
  let bare = question.replaceAll(CONTRACTED, (word) => " ".repeat(word.length))
  for (const { end, start } of relativeDays(question, 0)) {
    bare = bare.slice(0, start) + " ".repeat(end - start) + bare.slice(end)
  }
  const query = parseQuery(bare)
  const names = namesIn(bare)
  const rarest = Math.max(1, ...idf.values())
  const kind = questionKind(question)
  const language = languageOf(question)
  const said = kind === "price" && language !== null ? language.priced : SAID_BY_SPAN[kind]
  const isSmall = (term: string) =>
    ASKING.has(term) || (language === null ? !names.has(term) && SMALL.has(term) : language.small.has(term))
  const weightOf = (term: string) =>
    names.has(term) ? NAME_WEIGHT : said?.has(term) === true ? SAID_WEIGHT : LIGHT_VERBS.has(term) ? LIGHT_WEIGHT : 1
  const weights = new Map(
    [...query.weights.keys()].filter((term) => !isSmall(term))
      .map((term) => [term, weightOf(term) * (idf.get(term) ?? rarest)])
  )
  const weigh = (terms: Iterable<string>) => [...terms].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0)
  const whole = weigh(weights.keys())
  const share = (terms: Iterable<string>) => whole === 0 ? 0 : weigh(terms) / whole
  const required = Math.min(1, REQUIRED / Math.sqrt(weights.size))
  // What the question itself holds stands for itself; what says the contrary decides a question for yes or no.
  const forms = new Map([
    ...[...weights.keys()].filter((term) => language !== null || !names.has(term)).flatMap((term) =>
      [
        ...(language === null ? sameAs(term) : inflected(term, language)),
        ...kind === "yes_no" ? contrariesOf(term) : []
      ].map((same) => [same, term] as const)
    ),
    ...[...weights.keys()].map((term) => [term, term] as const)
  ])
  const termsIn = (text: string) => new Set(occurrences(text, forms).map(({ term }) => forms.get(term)!))
  const other = [...weights.keys()].filter((term) => !names.has(term))
  const named = [...names].filter((name) => weights.has(name))
  const numbered = numberedIn(bare)
  return {
    terms: new Set(weights.keys()),
    telling: new Set([...weights.keys()].filter((term) => weightOf(term) >= 1)),
    forms,
    formsOf: (term) => new Set([term, ...[...forms].filter(([, same]) => same === term).map(([form]) => form)]),
    termsIn,
    share,
    required,
    supports: (texts) => {
      const found = new Set(texts.flatMap((text) => [...termsIn(text)]))
      // The number of something else is another number.
      const held = new Set([...found].filter((term) => numbered.get(term)?.some((beside) => found.has(beside)) ?? true))
      return share(held) >= required &&
        (other.length === 0 || other.some((term) => held.has(term))) &&
        2 * weigh(named.filter((name) => held.has(name))) >= weigh(named) &&
        2 * countNames(query.names, texts) >= query.names.length
    }
  }
}
