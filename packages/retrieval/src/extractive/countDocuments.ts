/** Counting documents, where no sentence has the number: those of a kind or a title, and those in which it happens. */
import { evidenceFor } from "./evidence.ts"
import { countNames } from "../text/exactNames.ts"
import type { Asked, ExtractedSentence, Passage } from "./extractAnswer.ts"
import { isLabelled } from "./labels.ts"
import { LIGHT_VERBS } from "./lightVerbs.ts"
import { allTerms } from "./questioned.ts"
import { parseQuery } from "../search/Query.ts"
import { countedTerms, type QuestionKind, questionKind } from "./questionKind.ts"
import { statementsOf } from "./reading.ts"
import { isNegated, isProse } from "./sentenceKind.ts"
import { termOf, visitWords } from "../text/words.ts"

export interface Count {
  /** What was counted: documents, or the entries of a list or a table in one of them. */
  readonly of: "document" | "entry"
  readonly total: number
  /** There may be more that were not looked at. */
  readonly isLeast: boolean
  /** The words of the question that each of them holds. */
  readonly words: ReadonlyArray<string>
}

export interface Counted {
  readonly count: Count
  readonly sentences: ReadonlyArray<ExtractedSentence>
}

/** So many passages are to be found for a count. */
export const MOST_COUNTED = 100

export const MOST_CITED = 10

/** Whether the number of documents may be what a question asks for. */
export const asksForCount = (question: string): boolean => {
  const kind = questionKind(question)
  return kind === "times" || (kind === "amount" && countedTerms(question).length > 0)
}

const holdsAll = (held: ReadonlySet<string>, terms: Iterable<string>): boolean =>
  [...terms].every((term) => held.has(term))

/** What is quoted of a document that is counted, null when it is not one of them. */
const quoteOf = (
  kind: QuestionKind,
  passage: Passage,
  index: number,
  required: ReadonlySet<string>,
  named: ReadonlyArray<string>
): ExtractedSentence | null => {
  const { above = "", day = "", kind: called = "", text, title } = passage
  const outside = allTerms([title, called, day].join("\n"))
  if (!holdsAll(new Set([...outside, ...allTerms(text)]), required) || !holdsAll(outside, named)) return null
  const whole = above + text
  const [best] = statementsOf(passage).map((statement) => {
    const stretch = whole.slice(statement.start, statement.end)
    const held = allTerms(stretch)
    const own = [...required].filter((term) => held.has(term)).length
    const says = isProse(stretch) && !isLabelled(stretch)
    return { statement, stretch, held, own, says }
  }).sort((left, right) => right.own - left.own || Number(right.says) - Number(left.says))
  if (best === undefined || isNegated(best.stretch)) return null
  // What happens is told in one sentence.
  if (kind === "times" && !(isProse(best.stretch) && holdsAll(new Set([...best.held, ...allTerms(title)]), required))) {
    return null
  }
  const { end, form, start } = best.statement
  const quoted = { start: start - above.length, end: end - above.length }
  return { passage: index, form, ...quoted, core: quoted, span: null, cells: [], verdict: null }
}

/** The words of a question that are of these terms, as they are written there. */
export const wordsOf = (question: string, terms: ReadonlySet<string>): ReadonlyArray<string> => {
  const words: Array<string> = []
  visitWords(question, (start, end) => {
    const word = question.slice(start, end)
    if (terms.has(termOf(word)) && !words.includes(word)) words.push(word)
  })
  return words
}

/** Null when none is. */
export const countDocuments = (
  asked: Asked,
  kind: QuestionKind,
  passages: ReadonlyArray<Passage>,
  isAbout: (passage: Passage) => boolean
): Counted | null => {
  const { terms } = evidenceFor(asked.query, asked.idf)
  const counted = countedTerms(asked.query)
  const required = new Set([...terms].filter((term) => !LIGHT_VERBS.has(term)))
  const { names } = parseQuery(asked.query)
  // What is counted is named by the kind or the title of a document: any other text may speak of it.
  const found = required.size === 0 ? [] : passages.flatMap((passage, index) => {
    const quote =
      passage.isRest !== true && isAbout(passage) && countNames(names, [passage.title, passage.text]) === names.length
        ? quoteOf(kind, passage, index, required, kind === "amount" ? counted : [])
        : null
    return quote === null ? [] : [{ quote, document: passage.document ?? String(index) }]
  })
  const documents = new Map(found.toReversed().map(({ document, quote }) => [document, quote]))
  if (documents.size === 0) return null
  const timeOf = ({ passage }: ExtractedSentence) => passages[passage]!.timestamp.getTime()
  const last = Math.max(...[...documents.values()].map(({ passage }) => passage))
  return {
    // The best come first: where many were found, and the last of them still holds it all, there may be more.
    count: {
      of: "document",
      total: documents.size,
      isLeast: passages.length >= MOST_COUNTED && last > MOST_COUNTED / 2,
      words: wordsOf(asked.query, required)
    },
    sentences: [...documents.values()].sort((left, right) => timeOf(right) - timeOf(left)).slice(0, MOST_CITED)
  }
}
