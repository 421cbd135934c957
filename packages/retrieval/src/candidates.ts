/** What in a passage may answer a question, and how well. */
import type { AskedDays } from "./askedDays.ts"
import { cellSpan, readRow } from "./cells.ts"
import type { Evidence } from "./evidence.ts"
import type { ExtractedSentence, Passage } from "./extractAnswer.ts"
import { folded } from "./languages.ts"
import { LIGHT_VERBS } from "./lightVerbs.ts"
import { saysContrary } from "./opposites.ts"
import { isOfAnother } from "./owners.ts"
import { occurrences } from "./positions.ts"
import type { QuestionKind } from "./questionKind.ts"
import { isLabelled, isProse, refersBack, saysWhatItIs, saysWhy } from "./sentenceKind.ts"
import type { Stretch } from "./sentences.ts"
import { type SpanContext, spansIn } from "./spans.ts"
import { type Statement, statements } from "./statements.ts"
import { verdictOf } from "./verdict.ts"
import { termOf } from "./words.ts"

export interface Questioned {
  readonly kind: QuestionKind
  readonly evidence: Evidence
  /** The term of what is counted; null when nothing is. */
  readonly counted: string | null
  readonly context: SpanContext
  /** The terms of its words, but for those that make it a question. */
  readonly wording: ReadonlySet<string>
}

export interface Candidate extends ExtractedSentence {
  /** The share of the question that the sentence itself holds, from 0 to 1. */
  readonly share: number
  /** And what it holds with its title and what else stands around it. */
  readonly around: number
  /** Its document is called what was asked for, so that all of it is about that. */
  readonly isTitled: boolean
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
const isMissed = (
  kind: QuestionKind,
  { form }: Statement,
  stretch: string,
  { asked, language }: SpanContext
): boolean => {
  if (NEEDS_SPAN.has(kind)) return true
  if (kind === "reason") return !saysWhy(stretch, language)
  if (kind === "who") return language !== null || ASKS_FOR_NAME.test(asked)
  return kind === "when" && (language !== null || form === "row" || !TELLS_WHEN.test(stretch))
}

/** A question for yes or no needs so many times as much as another: what is missing may be what it asks about. */
const OF_YES_NO = 1.1

const everything = { has: () => true }

export const allTerms = (text: string): ReadonlySet<string> =>
  new Set(occurrences(text, everything).map(({ term }) => term))

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
  /** Title, headings, the sentence before it, and what was said before. */
  readonly around: string
}

const readingOf = (
  { above = "", context: said = "", day = "", text, title }: Passage,
  { before, cells, end, form, start, under }: Statement,
  { forms, share, supports, termsIn }: Evidence
): Reading => {
  const whole = above + text
  const stretch = whole.slice(start, end)
  const read = form === "row" ? readRow(whole, cells) : stretch
  const precedes = before === null ? "" : whole.slice(before.start, before.end)
  const inPrevious = termsIn(precedes)
  const goesOn = form === "sentence" && before !== null && before.start >= above.length && refersBack(stretch)
  const all = allTerms(read)
  const meant = new Set([...[...all].flatMap((term) => forms.get(term) ?? []), ...goesOn ? inPrevious : []])
  // The sentence before a table says what is in it.
  const announced = form === "row" ? inPrevious : []
  const near = new Set([...meant, ...announced, ...termsIn([title, said, day, under].join("\n"))])
  return {
    stretch,
    all,
    meant,
    near,
    share: Math.max(share(near), CONTEXT * share(new Set([...near, ...inPrevious]))),
    start: goesOn ? before.start : start,
    isSupported: supports([title, said, day, under, precedes, read]),
    around: [title, said, under, precedes].join("\n")
  }
}

const spanOf = ({ context, evidence, kind }: Questioned, whole: string, statement: Statement): Stretch | null => {
  const { cells, end, form, start } = statement
  if (form === "row") return cellSpan(kind, whole, cells, evidence.forms, context)
  const [span] = spansIn(kind, whole.slice(start, end), context)
  return span === undefined ? null : { start: start + span.start, end: start + span.end }
}

/** `Who signed it?` asks for who did that: any other name beside it is none of theirs. */
const DOER = /\bwho\s+(?:(?:else|will|can|may|must|should|would|could|has|have|had)\s+)?(\p{L}+)/iu

const lacksVerb = (
  { asked, language }: SpanContext,
  near: ReadonlySet<string>,
  { terms }: Evidence
): boolean => {
  const [, verb = ""] = language === null ? DOER.exec(asked) ?? [] : language.doer.exec(folded(asked)) ?? []
  const term = termOf(verb)
  return terms.has(term) && !LIGHT_VERBS.has(term) && !near.has(term)
}

/** Whether what is said is about what was asked, and whether that which was asked for is there. */
const isAnswer = (
  { context, counted, evidence, kind }: Questioned,
  { isSupported, near, share, stretch }: Reading,
  statement: Statement,
  span: Stretch | null
): boolean =>
  isSupported && share >= OF_SENTENCE * evidence.required && !isOfAnother(context.asked, stretch) &&
  !(span === null && isMissed(kind, statement, stretch, context)) &&
  !(kind === "amount" && counted !== null && !near.has(counted)) &&
  !(kind === "who" && lacksVerb(context, near, evidence)) &&
  !(kind !== "yes_no" && saysContrary(evidence.terms, stretch)) &&
  !(kind === "yes_no" && evidence.share(near) < Math.min(1, OF_YES_NO * evidence.required))

export const candidatesOf = (
  questioned: Questioned,
  passage: Passage,
  index: number,
  days: AskedDays
): ReadonlyArray<Candidate> => {
  const { context: { asked, language }, evidence, kind, wording } = questioned
  const { above = "", context: said = "", day = "", text, title } = passage
  const whole = above + text
  const isThen = days.isOfPassage(passage)
  const held = evidence.share(evidence.termsIn([title, said, day, text].join("\n")))
  const within = ({ end, start }: Stretch): Stretch => ({ start: start - above.length, end: end - above.length })
  // Of a document that is called what was asked for, the first sentence says what it is.
  const isTitled = evidence.supports([title])
  let opens = kind === "definition" && above === "" && isTitled
  return statementsOf(passage).flatMap((statement): ReadonlyArray<Candidate> => {
    if (!mayAnswer(whole, statement, asked)) return []
    const { cells, core, end, form } = statement
    const reading = readingOf(passage, statement, evidence)
    const { all, meant, near, start, stretch } = reading
    if (!days.isOfStatement(passage, isThen, stretch, reading.around)) return []
    const span = spanOf(questioned, whole, statement)
    const opening = opens && form === "sentence" && !isLabelled(stretch)
    if (opening) opens = false
    const suits = span !== null || opening || (kind === "definition" && saysWhatItIs(stretch, evidence.forms)) ||
      (kind === "reason" && saysWhy(stretch, language))
    const isAbout = suits || [...all].some((term) => evidence.forms.has(term))
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
      verdict: kind === "yes_no" && form !== "row"
        ? verdictOf(asked, whole.slice(core.start, end), near, evidence, language)
        : null,
      share: own,
      around: reading.share,
      isTitled,
      // Of sentences that hold the same, the one in the passage that was ranked higher.
      score: own + 0.3 * reading.share + 0.25 * held + WORDING * worded - 0.02 * index + (suits ? KIND : 0),
      terms: all
    }]
  })
}
