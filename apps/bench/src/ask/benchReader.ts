/** The upper bound for language models: a scripted one knows the answers, so losses are those of search and proof. */
import * as ModelAnswerer from "@tributary/answers/model/ModelAnswerer"
import { Answerer } from "@tributary/core/ports/Answerer"
import { Layer, ManagedRuntime } from "effect"
import { print, printTable } from "../print.ts"
import { answering } from "./answering.ts"
import { graderOf } from "./grade.ts"
import { FOLDERS, type QuestionSet, questionSetsIn } from "./questionSets.ts"
import * as ScriptedReader from "./scriptedReader.ts"

interface Count {
  right: number
  /** The passages did not contain the answer, or it was not found in them. */
  missed: number
  /** Statements that failed verification were left out. */
  unproved: number
  wrong: number
}

const readSet = async ({ documents, questions }: QuestionSet): Promise<Count> => {
  await using runtime = ManagedRuntime.make(
    ModelAnswerer.layer({ model: "reader" }).pipe(Layer.provide(ScriptedReader.layer(questions)))
  )
  const answerer = await runtime.runPromise(Answerer)
  await using service = await answering(documents, () => answerer)
  const count: Count = { right: 0, missed: 0, unproved: 0, wrong: 0 }
  for (const question of questions) {
    const { answered, citations, response, warnings = [] } = await service.ask(question.q)
    const shown = citations.map(({ entity }) => ({
      text: entity.quote,
      document: entity.external_id,
      title: entity.title
    }))
    const isRight = question.gold === undefined
      ? !answered
      : answered && graderOf(question)([{ text: response, document: null, title: null }, ...shown])
    if (isRight) count.right++
    else if (answered) count.wrong++
    else if (warnings.some((warning) => warning.includes("could not be proved"))) count.unproved++
    else count.missed++
  }
  return count
}

export const benchReader = async (): Promise<void> => {
  const { [FOLDERS]: folders } = process.env
  if (folders === undefined) {
    print(`SKIPPED: a reader that knows the answers, because ${FOLDERS} names no folders of question sets`)
    return
  }
  const rows: Array<ReadonlyArray<string>> = []
  for (const set of questionSetsIn(folders)) {
    const { missed, right, unproved, wrong } = await readSet(set)
    const all = missed + right + unproved + wrong
    rows.push([
      set.name,
      `${right} of ${all} (${Math.round(100 * right / all)} %)`,
      ...[missed, unproved, wrong].map(String)
    ])
  }
  printTable(["a reader that knows the answers", "right", "missed", "not proved", "wrong"], rows)
}
