/** What is known of a question before its passages are read one by one. */
import { type Evidence, evidenceFor } from "./evidence.ts"
import type { Asked, Passage } from "./extractAnswer.ts"
import { introducedIn } from "./introduced.ts"
import { languageOf } from "./languages.ts"
import { occurrences } from "../text/positions.ts"
import { countedTerms, type QuestionKind, questionKind } from "./questionKind.ts"
import type { SpanContext } from "./spans.ts"
import { termOf, visitWords } from "../text/words.ts"

export interface Questioned {
  readonly kind: QuestionKind
  readonly evidence: Evidence
  /** The term of what is counted; null when nothing is. */
  readonly counted: string | null
  readonly context: SpanContext
  /** The terms that the document of an answer has to hold. */
  readonly introduced: ReadonlySet<string>
  /** The terms of its words, but for those that make it a question. */
  readonly wording: ReadonlySet<string>
}

/** An answer puts something else in their place. */
const QUESTION_WORDS: ReadonlySet<string> = new Set(
  "who whom whose what which when where why how do does did".split(" ").map(termOf)
)

const everything = { has: () => true }

export const allTerms = (text: string): ReadonlySet<string> =>
  new Set(occurrences(text, everything).map(({ term }) => term))

const commonWords = (passages: ReadonlyArray<Passage>): ReadonlySet<string> => {
  const words = new Set<string>()
  for (const { text } of passages) {
    visitWords(text, (start, end) => {
      const word = text.slice(start, end)
      if (word === word.toLowerCase()) words.add(word)
    })
  }
  return words
}

export const questionedOf = ({ query, idf }: Asked, passages: ReadonlyArray<Passage>): Questioned => {
  const evidence = evidenceFor(query, idf)
  const counted = countedTerms(query).at(-1) ?? null
  const language = languageOf(query)
  return {
    kind: questionKind(query),
    evidence,
    counted,
    context: {
      asked: query,
      lower: query.toLowerCase(),
      numbers: new Set(query.split(/[^\p{L}\p{N}.,]+/u)),
      counted: counted === null ? null : evidence.formsOf(counted),
      common: commonWords(passages),
      language
    },
    introduced: language === null ? introducedIn(query, evidence.terms) : new Set(),
    wording: new Set([...allTerms(query)].filter((term) => !QUESTION_WORDS.has(term)))
  }
}
