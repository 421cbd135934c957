/** Turns a follow-up into a question that can be understood without the conversation before it. */
import { MAX_QUERY } from "@tributary/core/model/Ask"
import type { Question } from "@tributary/core/ports/Answerer"
import { Effect, Schema, Stream } from "effect"
import { JsonObjects } from "../statements/JsonObjects.ts"
import type { ModelFailure } from "./ModelFailure.ts"
import type { ModelRequests } from "./ModelRequests.ts"
import { rewritePrompt } from "./prompt.ts"

const isQuestion = Schema.is(Schema.Struct({ question: Schema.String }))

/** The requested line, or the field of an object that a model sent instead; null if it is neither. */
const questionIn = (reply: string): string | null => {
  const plain = reply.replace(/<think(?:ing)?>[^]*?(?:<\/think(?:ing)?>|$)/g, "").trim()
  const object = new JsonObjects().push(plain).find(isQuestion)
  const line = object?.question ?? (plain.includes("{") ? "" : plain.replace(/^["'“]|["'”]$/g, ""))
  const question = line.replace(/\s+/g, " ").trim()
  return question === "" || question.length > MAX_QUERY ? null : question
}

/** Null if the model sends no question, or is cut off before it has: it may still answer the one that was asked. */
export const rewriteQuestion = (
  requests: ModelRequests,
  question: Question
): Effect.Effect<string | null, ModelFailure> => {
  if (question.history.length === 0) return Effect.succeed(question.query)
  const reader = { push: (piece: string) => [piece], isReadable: () => true }
  return requests.stream(question.workspaceId, rewritePrompt(question), reader).pipe(
    Stream.mkString,
    Effect.map(questionIn),
    Effect.catchIf(({ reason }) => reason === "cut off", () => Effect.succeed(null))
  )
}
