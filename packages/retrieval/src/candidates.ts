/** What in a passage may answer a question, and how well. */
import { cellSpan, readRow } from "./cells.ts"
import type { Evidence } from "./evidence.ts"
import type { ExtractedSentence, Passage } from "./extractAnswer.ts"
import { isOfAnother } from "./owners.ts"
import { type Occurrence, occurrences } from "./positions.ts"
import type { QuestionKind } from "./questionKind.ts"
import { isLabelled, isProse, refersBack, saysWhatItIs, saysWhy } from "./sentenceKind.ts"
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

/** `Anyone can book trains`, `the buddy is chosen by the team lead`: who, without a name. */
const TELLS_WHO =
  /\b(?:anyone|anybody|everyone|everybody|nobody|people|persons?|members?|team|group|leads?|leaders?|boss|managers?|colleagues?|guests?|visitors?|customers?|employees?)\b/giu

const tellsWho = (stretch: string, asked: string): boolean =>
  (stretch.match(TELLS_WHO) ?? []).some((word) => !asked.toLowerCase().includes(word.toLowerCase()))

/** Data in JSON or markup, which is no command. */
const IS_DATA = /^[{}[\]"'<]/u

/** A line of code is an answer to whoever asks for one. */
const ASKS_FOR_CODE = /\b(?:commands?|code|scripts?|syntax|run|how\s+(?:do|does|can|could|should|to))\b/iu

/** Whether a statement without what a question of the kind asks for is no answer to it. */
const isMissed = (kind: QuestionKind, { form }: Statement, stretch: string, asked: string): boolean =>
  NEEDS_SPAN.has(kind) || (kind === "who" && !tellsWho(stretch, asked)) ||
  (kind === "when" && (form === "row" || !TELLS_WHEN.test(stretch)))

/** Of a question for yes or no nearly all must be held: what is missing may be what it asks about. */
const OF_YES_NO = 0.75

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

export const candidatesOf = (
  { context, evidence, kind, wording }: Questioned,
  passage: Passage,
  index: number
): ReadonlyArray<Candidate> => {
  const { above = "", day = "", context: said = "", title } = passage
  const { required, share, supports, terms } = evidence
  const whole = above + passage.text
  const around = [title, said, day]
  const held = share(termsIn(occurrences([...around, passage.text].join("\n"), terms)))
  // Of a document that is called what was asked for, the first sentence says what it is.
  let opens = kind === "definition" && above === "" && supports([title])
  return statementsOf(passage).flatMap((statement): ReadonlyArray<Candidate> => {
    const { before, core, end, form, start, under } = statement
    const stretch = whole.slice(start, end)
    if (!mayAnswer(whole, statement, context.asked) || isOfAnother(context.asked, stretch)) return []
    const read = form === "row" ? readRow(whole, statement.cells) : stretch
    const all = allTerms(read)
    const here = new Set([...all].filter((term) => terms.has(term)))
    const precedes = before === null ? "" : whole.slice(before.start, before.end)
    const inPrevious = termsIn(occurrences(precedes, terms))
    const goesOn = form === "sentence" && before !== null && before.start >= above.length && refersBack(stretch)
    const meant = goesOn ? new Set([...here, ...inPrevious]) : here
    const inBackground = termsIn(occurrences([...around, under].join("\n"), terms))
    const near = Math.max(
      share(new Set([...meant, ...inBackground])),
      CONTEXT * share(new Set([...meant, ...inBackground, ...inPrevious]))
    )
    const span = form === "row"
      ? cellSpan(kind, whole, statement.cells, terms, context)
      : spansIn(kind, stretch, context).map((found) => ({ start: start + found.start, end: start + found.end }))[0] ??
        null
    const opening = opens && form === "sentence" && !isLabelled(stretch)
    const suits = span !== null || opening || (kind === "definition" && saysWhatItIs(stretch, terms)) ||
      (kind === "reason" && saysWhy(stretch))
    if (opening) opens = false
    if (
      near < OF_SENTENCE * required || (here.size === 0 && !suits) ||
      (span === null && isMissed(kind, statement, stretch, context.asked))
    ) return []
    if (context.counted !== null && kind === "amount" && ![...meant, ...inBackground].includes(context.counted)) {
      return []
    }
    if (!supports([...around, under, precedes, read])) return []
    if (kind === "yes_no" && share(new Set([...meant, ...inBackground])) < OF_YES_NO) return []
    const own = share(meant)
    const worded = [...wording].filter((term) => all.has(term)).length / Math.max(1, wording.size)
    const shift = ({ end, start }: { readonly start: number; readonly end: number }) => ({
      start: start - above.length,
      end: end - above.length
    })
    return [{
      passage: index,
      form,
      ...shift({ start: goesOn ? before.start : start, end }),
      core: shift({ start: core.start, end }),
      span: span === null ? null : shift(span),
      cells: statement.cells.map((cell) => ({ ...cell, ...shift(cell) })),
      verdict: kind === "yes_no"
        ? verdictOf(context.asked, whole.slice(core.start, end), new Set([...meant, ...inBackground]), evidence)
        : null,
      share: own,
      // Of sentences that hold the same, the one in the passage that was ranked higher.
      score: own + 0.3 * near + 0.25 * held + WORDING * worded - 0.02 * index + (suits ? KIND : 0),
      terms: all
    }]
  })
}
