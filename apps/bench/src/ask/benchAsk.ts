/** How well questions about real documents are answered without a language model, beside showing the best passages. */
import type { Evidence } from "@tributary/core/ports/Answerer"
import type { Answer, Citation } from "@tributary/core/model/Ask"
import { Effect, Stream } from "effect"
import { median, print, printTable } from "../print.ts"
import { answering } from "./answering.ts"
import { judgeOf, type Shown } from "./judge.ts"
import { FOLDERS, type QuestionSet, questionSetsIn, type SetQuestion } from "./questionSets.ts"

/** How many passages are asked for, as the answerer does. */
const PASSAGES = 50

interface Judged {
  readonly isAnswerable: boolean
  readonly isAnswered: boolean
  readonly isRight: boolean
  readonly isRelated: boolean
  /** From which passage on the answer has been shown; Infinity when none holds it. */
  readonly passage: number
  /** Milliseconds of an answer and of a search. */
  readonly asked: number
  readonly searched: number
}

const shownBy = ({ entity }: Citation): Shown => ({
  text: entity.quote,
  document: entity.external_id,
  title: entity.title
})

const judge = (question: SetQuestion, answer: Answer, evidence: Evidence): Omit<Judged, "asked" | "searched"> => {
  const holds = judgeOf(question)
  const response = { text: answer.answered ? answer.response : "", document: null, title: null }
  const at = evidence.passages.findIndex(({ document, text }) =>
    holds([{ text, document: document.external_id, title: document.title }])
  )
  return {
    isAnswerable: question.gold !== undefined,
    isAnswered: answer.answered,
    isRight: answer.answered && holds([response, ...answer.citations.map(shownBy)]),
    isRelated: holds((answer.related ?? []).map(shownBy)),
    passage: at === -1 ? Infinity : at
  }
}

const timed = async <A>(run: () => Promise<A>): Promise<readonly [A, number]> => {
  const began = performance.now()
  const result = await run()
  return [result, performance.now() - began]
}

const judgeSet = async ({ documents, questions }: QuestionSet): Promise<ReadonlyArray<Judged>> => {
  let seen: Evidence = { passages: [], idf: new Map(), passageCount: 0, truncated: false }
  await using service = await answering(documents, (answerer) => ({
    answer: (question, source) =>
      Stream.unwrap(Effect.map(source.search(question.query, PASSAGES), (evidence) => {
        seen = evidence
        return answerer.answer(question, source)
      }))
  }))
  const judged: Array<Judged> = []
  for (const question of questions) {
    const [, searched] = await timed(() => service.search(question.q.slice(0, 1_000)))
    const [answer, asked] = await timed(() => service.ask(question.q))
    judged.push({ ...judge(question, answer, seen), asked, searched })
  }
  return judged
}

const p95 = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[Math.floor(0.95 * values.length)] ?? 0

const rowOf = (name: string, judged: ReadonlyArray<Judged>): ReadonlyArray<string> => {
  const share = (all: ReadonlyArray<Judged>, holds: (one: Judged) => boolean): string => {
    const count = all.filter(holds).length
    return `${count} of ${all.length} (${Math.round((100 * count) / Math.max(1, all.length))} %)`
  }
  const answerable = judged.filter(({ isAnswerable }) => isAnswerable)
  const claimed = judged.filter(({ isAnswered }) => isAnswered)
  return [
    name,
    share(answerable, ({ isRight }) => isRight),
    share(answerable, ({ isAnswered, isRight }) => isAnswered && !isRight),
    share(answerable, ({ isAnswered }) => !isAnswered),
    share(answerable, ({ isRelated, isRight }) => isRight || isRelated),
    share(claimed, ({ isRight }) => isRight),
    share(judged.filter((one) => !one.isAnswerable), ({ isAnswered }) => !isAnswered),
    share(answerable, ({ passage }) => passage < 1),
    share(answerable, ({ passage }) => passage < 3),
    share(answerable, ({ passage }) => passage < PASSAGES),
    `${(median(judged.map(({ asked }) => asked)) / median(judged.map(({ searched }) => searched))).toFixed(1)}, ${
      (p95(judged.map(({ asked }) => asked)) / p95(judged.map(({ searched }) => searched))).toFixed(1)
    }`
  ]
}

const HEAD = [
  "",
  "right",
  "wrong",
  "refused",
  "shown at all",
  "of what is claimed, right",
  "without an answer, refused",
  "best passage",
  "three best passages",
  `${PASSAGES} passages`,
  "time of a search (median, p95)"
]

export const benchAsk = async (): Promise<void> => {
  const { [FOLDERS]: folders } = process.env
  if (folders === undefined) {
    print(`SKIPPED: answers to questions, because ${FOLDERS} names no folders of question sets`)
    return
  }
  const rows: Array<ReadonlyArray<string>> = []
  const all: Array<Judged> = []
  for (const set of questionSetsIn(folders)) {
    const judged = await judgeSet(set)
    all.push(...judged)
    rows.push(rowOf(set.name, judged))
  }
  printTable(HEAD, [...rows, rowOf("all", all)])
}
