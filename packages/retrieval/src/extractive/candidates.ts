/** What in a passage may answer a question, and how well. */
import type { AskedDays } from "./askedDays.ts"
import { cellSpan } from "./cells.ts"
import type { ExtractedSentence, Passage } from "./extractAnswer.ts"
import { isLabelled } from "./labels.ts"
import type { Questioned } from "./questioned.ts"
import { calledOf, readingOf, statementsOf } from "./reading.ts"
import { isRefused } from "./refusals.ts"
import { isProse, saysWhatItIs, saysWhy } from "./sentenceKind.ts"
import type { Span } from "../text/Span.ts"
import { spansIn } from "./spans.ts"
import type { Statement } from "./statements.ts"
import { verdictOf } from "./verdict.ts"

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

/** What a sentence of the kind that was asked for is worth, where everything asked for counts one. */
const KIND = 0.45

/** What it is worth to hold all the small words of the question, too. */
const WORDING = 0.15

/** Data in JSON or markup, which is no command. */
const IS_DATA = /^[{}[\]"'<]/u

/** A line of code is an answer to whoever asks for one. */
const ASKS_FOR_CODE = /\b(?:commands?|code|scripts?|syntax|run|how\s+(?:do|does|can|could|should|to))\b/iu

const mayAnswer = (text: string, { core, end, form }: Statement, asked: string): boolean => {
  const sentence = text.slice(core.start, core.end)
  if (form === "row") return true
  if (form === "code") return ASKS_FOR_CODE.test(asked) && !IS_DATA.test(sentence)
  // What announces something says it only together with that.
  return isProse(sentence) && !(sentence.endsWith(":") && end === core.end)
}

const spanOf = ({ context, evidence, kind }: Questioned, whole: string, statement: Statement): Span | null => {
  const { cells, end, form, start } = statement
  if (form === "row") return cellSpan(kind, whole, cells, evidence.forms, context)
  const [span] = spansIn(kind, whole.slice(start, end), context)
  return span === undefined ? null : { start: start + span.start, end: start + span.end }
}

export const candidatesOf = (
  questioned: Questioned,
  passage: Passage,
  index: number,
  days: AskedDays
): ReadonlyArray<Candidate> => {
  const { context: { asked, language }, evidence, introduced, kind, wording } = questioned
  const { above = "", context: said = "", day = "", kind: called = "", text } = passage
  const inPassage = evidence.termsIn([calledOf(passage), said, day, text].join("\n"))
  const inDocument = new Set([...inPassage, ...evidence.termsIn(`${called}\n${above}`)])
  if (![...introduced].every((term) => inDocument.has(term))) return []
  const whole = above + text
  const isThen = days.isOfPassage(passage)
  const within = ({ end, start }: Span): Span => ({ start: start - above.length, end: end - above.length })
  // Of a document that is called what was asked for, the first sentence says what it is.
  const isTitled = evidence.supports([calledOf(passage)])
  let opens = kind === "definition" && above === "" && isTitled
  return statementsOf(passage).flatMap((statement): ReadonlyArray<Candidate> => {
    if (!mayAnswer(whole, statement, asked)) return []
    const { cells, core, end, form } = statement
    const reading = readingOf(passage, statement, questioned)
    const { all, meant, near, start, stretch, told } = reading
    if (!days.isOfStatement(passage, isThen, stretch, reading.around)) return []
    const span = spanOf(questioned, whole, statement)
    const opening = opens && form === "sentence" && !isLabelled(stretch)
    if (opening) opens = false
    const suits = span !== null || told === true || opening ||
      (kind === "definition" && saysWhatItIs(stretch, evidence.forms)) ||
      (kind === "reason" && saysWhy(stretch, language))
    const isAbout = suits || [...all].some((term) => evidence.forms.has(term))
    if (!isAbout || isRefused(questioned, reading, { form, span })) return []
    // A line at the head of a text speaks of what the title names.
    const own = evidence.share(told === true ? near : meant)
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
      score: own + 0.3 * reading.share + 0.25 * evidence.share(inPassage) + WORDING * worded - 0.02 * index +
        (suits ? KIND : 0),
      terms: all
    }]
  })
}
