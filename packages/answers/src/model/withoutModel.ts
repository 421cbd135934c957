/** What answers a question where the language model does not. */
import type { Answerer, EvidenceSource, Question } from "@tributary/core/ports/Answerer"
import { Effect, Stream } from "effect"
import * as ExtractiveAnswerer from "../ExtractiveAnswerer.ts"
import type { ModelFailure } from "./ModelFailure.ts"

export type Answered = ReturnType<Answerer["Service"]["answer"]>

export const withWarning = (warning: string) => (answered: Answered): Answered =>
  Stream.map(
    answered,
    (element) => element._tag === "Statement" ? element : { ...element, warnings: [warning, ...element.warnings] }
  )

export const withoutModel = (model: string) => {
  const extractive = ExtractiveAnswerer.make()

  /** The closest passages, for a question without an answer from the model. */
  const related = (question: Question, source: EvidenceSource) =>
    Effect.map(
      Stream.runCollect(extractive.answer(question, source)),
      (elements) => elements.flatMap((element) => element._tag === "Outcome" ? element.related : element.quotes)
    )

  /** Quotes the documents after a failure. */
  const fallBack = (
    question: Question,
    source: EvidenceSource,
    { message, reason, status }: ModelFailure
  ): Answered => {
    const warning = `model: ${model} ${message}, so the documents are quoted as they are`
    const report = Effect.logWarning("a question is answered without the language model", { reason, status })
    return Stream.unwrap(Effect.as(report, withWarning(warning)(extractive.answer(question, source))))
  }

  return { related, fallBack }
}
