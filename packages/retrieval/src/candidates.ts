/** What in a passage may answer a question, and how well. */
import { cellSpan, readRow } from "./cells.ts"
import type { Evidence } from "./evidence.ts"
import type { ExtractedSentence, Passage } from "./extractAnswer.ts"
import { isOfAnother } from "./owners.ts"
import { type Occurrence, occurrences } from "./positions.ts"
import type { QuestionKind } from "./questionKind.ts"
import { isLabelled, isProse, refersBack, saysWhatItIs, saysWhy } from "./sentenceKind.ts"
import type { Stretch } from "./sentences.ts"
import { type SpanContext, spansIn } from "./spans.ts"
import { type Statement, statements } from "./statements.ts"
import { verdictOf } from "./verdict.ts"

export interface Questioned {
  readonly kind: QuestionKind
  readonly evidence: Evidence
  readonly context: SpanContext
  /** The terms of its words, but for those that make it a question. */
  readonly wording: ReadonlySet<string>
}

export interface Candidate extends ExtractedSentence {
  /** The share of the question that the sentence itself holds, from 0 to 1. */
  readonly share: number
  readonly score: number
  readonly terms: ReadonlySet<string>
}

/** What the sentence before says counts so much for one that follows it. */
const CONTEXT = 0.6

/** Of what a passage must hold, its sentence, with the title and the one before, must hold this share. */
const OF_SENTENCE = 0.6

/** What a sentence of the kind that was asked for is worth, where everything asked for counts one. */
const KIND = 0.45

/** What it is worth to hold all the small words of the question, too. */
const WORDING = 0.15

/** Without an amount no sentence answers a question for one, nor without a place a question for that. */
const NEEDS_SPAN: ReadonlySet<QuestionKind> = new Set(["amount", "price", "times", "duration", "where"])

/** `We ship once the tests pass` tells when, without a date. */
const TELLS_WHEN = /\b(?:when|whenever|once|as soon as|after|before|until|while|during)\b/iu

/** `Who is the treasurer?` asks for a name. `Who guards the gate?` may be answered by what has none. */
const ASKS_FOR_NAME = /\bwho(?:['\u2019]s|\s+(?:is|are|was|were))\s+(?:the|our|my|your|\p{L}+['\u2019]s)\s/iu

/** Data in JSON or markup, which is no command. */
const IS_DATA = /^[{}[\]"'<]/u

/** A line of code is an answer to whoever asks for one. */
const ASKS_FOR_CODE = /\b(?:commands?|code|scripts?|syntax|run|how\s+(?:do|does|can|could|should|to))\b/iu

/** Whether a statement without what a question of the kind asks for is no answer to it. */
const isMissed = (kind: QuestionKind, { form }: Statement, stretch: string, asked: string): boolean =>
  NEEDS_SPAN.has(kind) || (kind === "who" && ASKS_FOR_NAME.test(asked)) ||
  (kind === "when" && (form === "row" || !TELLS_WHEN.test(stretch)))

/** A question for yes or no needs so many times as much as another: what is missing may be what it asks about. */
const OF_YES_NO = 1.1

const everything = { has: () => true }

const termsIn = (found: ReadonlyArray<Occurrence>): ReadonlySet<string> => new Set(found.map(({ term }) => term))

export const allTerms = (text: string): ReadonlySet<string> => termsIn(occurrences(text, everything))

const mayAnswer = (text: string, { core, end, form }: Statement, asked: string): boolean => {
  const sentence = text.slice(core.start, core.end)
  if (form === "row") return true
  if (form === "code") return ASKS_FOR_CODE.test(asked) && !IS_DATA.test(sentence)
  // What announces something says it only together with that.
  return isProse(sentence) && !(sentence.endsWith(":") && end === core.end)
}

/** What stands before the passage in its document is read, too, but answers nothing. */
export const statementsOf = ({ above = "", text }: Passage): ReadonlyArray<Statement> =>
  statements(above + text).filter(({ start }) => start >= above.length)

/** A statement with what it is read with. */
interface Reading {
  readonly stretch: string
  /** The terms of the statement itself; of a row, with the heads of its columns. */
  readonly all: ReadonlySet<string>
  /** The question's terms in it, and in the sentence that it refers back to. */
  readonly meant: ReadonlySet<string>
  /** And in its title, its headings and what else stands around it. */
  readonly near: ReadonlySet<string>
  /** How much of the question these hold, the sentence before it counting less. */
  readonly share: number
  /** Where it begins with the sentence that it refers back to. */
  readonly start: number
  readonly isSupported: boolean
}

const readingOf = (
  { above = "", context: said = "", day = "", text, title }: Passage,
  { before, cells, end, form, start, under }: Statement,
  { share, supports, terms }: Evidence
): Reading => {
  const whole = above + text
  const stretch = whole.slice(start, end)
  const read = form === "row" ? readRow(whole, cells) : stretch
  const precedes = before === null ? "" : whole.slice(before.start, before.end)
  const inPrevious = termsIn(occurrences(precedes, terms))
  const goesOn = form === "sentence" && before !== null && before.start >= above.length && refersBack(stretch)
  const all = allTerms(read)
  const meant = new Set([...[...all].filter((term) => terms.has(term)), ...goesOn ? inPrevious : []])
  const near = new Set([...meant, ...termsIn(occurrences([title, said, day, under].join("\n"), terms))])
  return {
    stretch,
    all,
    meant,
    near,
    share: Math.max(share(near), CONTEXT * share(new Set([...near, ...inPrevious]))),
    start: goesOn ? before.start : start,
    isSupported: supports([title, said, day, under, precedes, read])
  }
}

const spanOf = ({ context, evidence, kind }: Questioned, whole: string, statement: Statement): Stretch | null => {
  const { cells, end, form, start } = statement
  if (form === "row") return cellSpan(kind, whole, cells, evidence.terms, context)
  const [span] = spansIn(kind, whole.slice(start, end), context)
  return span === undefined ? null : { start: start + span.start, end: start + span.end }
}

/** Whether what is said is about what was asked, and whether that which was asked for is there. */
const isAnswer = (
  { context: { asked, counted }, evidence, kind }: Questioned,
  { isSupported, near, share, stretch }: Reading,
  statement: Statement,
  span: Stretch | null
): boolean =>
  isSupported && share >= OF_SENTENCE * evidence.required && !isOfAnother(asked, stretch) &&
  !(span === null && isMissed(kind, statement, stretch, asked)) &&
  !(kind === "amount" && counted !== null && !near.has(counted)) &&
  !(kind === "yes_no" && evidence.share(near) < Math.min(1, OF_YES_NO * evidence.required))

export const candidatesOf = (questioned: Questioned, passage: Passage, index: number): ReadonlyArray<Candidate> => {
  const { context: { asked }, evidence, kind, wording } = questioned
  const { above = "", context: said = "", day = "", text, title } = passage
  const whole = above + text
  const held = evidence.share(termsIn(occurrences([title, said, day, text].join("\n"), evidence.terms)))
  const within = ({ end, start }: Stretch): Stretch => ({ start: start - above.length, end: end - above.length })
  // Of a document that is called what was asked for, the first sentence says what it is.
  let opens = kind === "definition" && above === "" && evidence.supports([title])
  return statementsOf(passage).flatMap((statement): ReadonlyArray<Candidate> => {
    if (!mayAnswer(whole, statement, asked)) return []
    const { cells, core, end, form } = statement
    const reading = readingOf(passage, statement, evidence)
    const { all, meant, near, start, stretch } = reading
    const span = spanOf(questioned, whole, statement)
    const opening = opens && form === "sentence" && !isLabelled(stretch)
    if (opening) opens = false
    const suits = span !== null || opening || (kind === "definition" && saysWhatItIs(stretch, evidence.terms)) ||
      (kind === "reason" && saysWhy(stretch))
    const isAbout = suits || [...all].some((term) => evidence.terms.has(term))
    if (!isAbout || !isAnswer(questioned, reading, statement, span)) return []
    const own = evidence.share(meant)
    const worded = [...wording].filter((term) => all.has(term)).length / Math.max(1, wording.size)
    return [{
      passage: index,
      form,
      ...within({ start, end }),
      core: within({ start: core.start, end }),
      span: span === null ? null : within(span),
      cells: cells.map((cell) => ({ ...cell, ...within(cell) })),
      verdict: kind === "yes_no" ? verdictOf(asked, whole.slice(core.start, end), near, evidence) : null,
      share: own,
      // Of sentences that hold the same, the one in the passage that was ranked higher.
      score: own + 0.3 * reading.share + 0.25 * held + WORDING * worded - 0.02 * index + (suits ? KIND : 0),
      terms: all
    }]
  })
}
