/** The quality of answers about real documents without a language model, compared with showing the best passages. */
import { CONTEXT_TOKENS } from "@tributary/answers/model/ModelAnswerer"
import { type PackedPassage, packPassages, PASSAGES } from "@tributary/answers/model/packPassages"
import { candidateUnits, type Section } from "@tributary/answers/evidence/candidateUnits"
import type { EvidencePassage, EvidenceSource } from "@tributary/core/ports/Answerer"
import type { Answer, Citation } from "@tributary/core/model/Ask"
import { Effect } from "effect"
import { print, printTable } from "../print.ts"
import { median, quantile } from "../statistics.ts"
import { answering } from "./answering.ts"
import { graderOf, type Shown } from "./grade.ts"
import { FOLDERS, type QuestionSet, questionSetsIn, type SetQuestion } from "./questionSets.ts"

/** The number of best passages that are compared with the answer. */
const BEST = 3

interface Graded {
  readonly isAnswerable: boolean
  readonly isAnswered: boolean
  readonly isRight: boolean
  readonly isRelated: boolean
  /** The rank of the first passage that contains the answer; Infinity if no passage does. */
  readonly passage: number
  /** Whether a passage of a document with the answer is a candidate. */
  readonly isRanked: boolean
  /** Whether the passages with their surroundings contain it. */
  readonly isRead: boolean
  /** Whether the passages for a language model contain it. */
  readonly isOffered: boolean
  /** Milliseconds of an answer and of a search. */
  readonly asked: number
  readonly searched: number
}

const shownBy = ({ entity }: Citation): Shown => ({
  text: entity.quote,
  document: entity.external_id,
  title: entity.title
})

/** The evidence without an answerer: the best passages, and those for a language model. */
interface ShownEvidence {
  readonly ranked: ReadonlyArray<EvidencePassage>
  readonly sections: ReadonlyArray<Section>
  readonly offered: ReadonlyArray<PackedPassage>
}

const findIn = Effect.fnUntraced(function*(query: string, source: EvidenceSource) {
  const evidence = yield* source.search(query, PASSAGES)
  const candidates = yield* candidateUnits(evidence, source, PASSAGES)
  const { passages } = yield* packPassages(query, source, CONTEXT_TOKENS)
  return {
    ranked: evidence.passages,
    sections: [...new Set(candidates.map(({ section }) => section))],
    offered: passages
  } satisfies ShownEvidence
})

const grade = (question: SetQuestion, answer: Answer, found: ShownEvidence): Omit<Graded, "asked" | "searched"> => {
  const holds = graderOf(question)
  const response = { text: answer.answered ? answer.response : "", document: null, title: null }
  const shownIn = ({ document, text }: Pick<Section, "document" | "text">): Shown => ({
    text,
    document: document.external_id,
    title: document.title
  })
  const at = found.ranked.slice(0, BEST).findIndex((passage) => holds([shownIn(passage)]))
  return {
    isAnswerable: question.gold !== undefined,
    isAnswered: answer.answered,
    isRight: answer.answered && holds([response, ...answer.citations.map(shownBy)]),
    isRelated: holds((answer.related ?? []).map(shownBy)),
    passage: at === -1 ? Infinity : at,
    isRanked: found.ranked.some(({ document }) => question.docs?.includes(document.external_id) ?? false),
    isRead: holds(found.sections.map(shownIn)),
    isOffered: holds(
      found.offered.map(({ section, text, title }) => ({ text, document: section.document.external_id, title }))
    )
  }
}

const timed = async <A>(run: () => Promise<A>): Promise<readonly [A, number]> => {
  const began = performance.now()
  const result = await run()
  return [result, performance.now() - began]
}

const gradeSet = async ({ documents, questions }: QuestionSet): Promise<ReadonlyArray<Graded>> => {
  let source: EvidenceSource | undefined
  await using service = await answering(documents, (answerer) => ({
    answer: (question, evidence) => {
      source = evidence
      return answerer.answer(question, evidence)
    }
  }))
  const graded: Array<Graded> = []
  for (const question of questions) {
    const [, searched] = await timed(() => service.search(question.q.slice(0, 1_000)))
    const [answer, asked] = await timed(() => service.ask(question.q))
    const found = await Effect.runPromise(findIn(question.q, source!))
    graded.push({ ...grade(question, answer, found), asked, searched })
  }
  return graded
}

const p95 = (values: ReadonlyArray<number>): number => quantile(values, 0.95)

const rowOf = (name: string, graded: ReadonlyArray<Graded>): ReadonlyArray<string> => {
  const share = (all: ReadonlyArray<Graded>, holds: (one: Graded) => boolean): string => {
    const count = all.filter(holds).length
    return `${count} of ${all.length} (${Math.round((100 * count) / Math.max(1, all.length))} %)`
  }
  const answerable = graded.filter(({ isAnswerable }) => isAnswerable)
  const claimed = graded.filter(({ isAnswered }) => isAnswered)
  return [
    name,
    share(answerable, ({ isRight }) => isRight),
    share(answerable, ({ isAnswered, isRight }) => isAnswered && !isRight),
    share(answerable, ({ isAnswered }) => !isAnswered),
    share(answerable, ({ isRelated, isRight }) => isRight || isRelated),
    share(claimed, ({ isRight }) => isRight),
    share(graded.filter((one) => !one.isAnswerable), ({ isAnswered }) => !isAnswered),
    share(answerable, ({ passage }) => passage < 1),
    share(answerable, ({ passage }) => passage < BEST),
    share(answerable, ({ isOffered }) => isOffered),
    `${(median(graded.map(({ asked }) => asked)) / median(graded.map(({ searched }) => searched))).toFixed(1)}, ${
      (p95(graded.map(({ asked }) => asked)) / p95(graded.map(({ searched }) => searched))).toFixed(1)
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
  "offered to a model",
  "time of a search (median, p95)"
]

const LOST: ReadonlyArray<readonly [where: string, reached: (one: Graded) => boolean]> = [
  ["its document is not found", ({ isRanked }) => isRanked],
  ["its passage is not read", ({ isRead }) => isRead],
  ["it is not offered", ({ isOffered }) => isOffered],
  ["it is not shown", ({ isRelated, isRight }) => isRight || isRelated],
  ["it is not claimed", ({ isRight }) => isRight]
]

/** Counts lost answers by the first step that they do not reach. */
const lossesOf = (name: string, graded: ReadonlyArray<Graded>): ReadonlyArray<string> => {
  const steps = graded.filter(({ isAnswerable }) => isAnswerable)
    .map((one) => LOST.findIndex(([, reached]) => !reached(one)))
  return [name, ...[...LOST.keys(), -1].map((step) => String(steps.filter((lost) => lost === step).length))]
}

export const benchAsk = async (): Promise<void> => {
  const { [FOLDERS]: folders } = process.env
  if (folders === undefined) {
    print(`SKIPPED: answers to questions, because ${FOLDERS} names no folders of question sets`)
    return
  }
  const rows: Array<ReadonlyArray<string>> = []
  const losses: Array<ReadonlyArray<string>> = []
  const all: Array<Graded> = []
  for (const set of questionSetsIn(folders)) {
    const graded = await gradeSet(set)
    all.push(...graded)
    rows.push(rowOf(set.name, graded))
    losses.push(lossesOf(set.name, graded))
  }
  printTable(HEAD, [...rows, rowOf("all", all)])
  print("")
  printTable(["answers lost, because", ...LOST.map(([where]) => where), "none"], [...losses, lossesOf("all", all)])
}
