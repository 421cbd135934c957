/** The log of questions, which shows what the documents of a workspace do not answer. */
import { Schema } from "effect"
import { DocumentId, QuestionId } from "./Id.ts"
import { optional } from "./optional.ts"
import { Principal } from "./Principal.ts"
import { text } from "./Text.ts"
import { Timestamp } from "./Timestamp.ts"

export const NewFeedback = Schema.Struct({
  useful: Schema.Boolean,
  comment: optional(text(0, 2_000))
})
export type NewFeedback = typeof NewFeedback.Type

export const Feedback = Schema.Struct({
  useful: Schema.Boolean,
  comment: Schema.NullOr(Schema.String),
  given_at: Timestamp
}).annotate({ identifier: "Feedback" })
export type Feedback = typeof Feedback.Type

export const Question = Schema.Struct({
  question_id: QuestionId,
  query: Schema.String,
  answered: Schema.Boolean,
  model: Schema.String,
  /** Of the documents that the answer cites, each once, in the order of the citations. */
  sources: Schema.Array(Schema.String),
  /** Those documents, likewise; they may be gone by now. Empty for what was asked before they were noted. */
  documents: Schema.Array(DocumentId),
  duration_ms: Schema.Int,
  asked_at: Timestamp,
  principal: Principal,
  /** Null without feedback. */
  feedback: Schema.NullOr(Feedback)
}).annotate({ identifier: "Question" })
export type Question = typeof Question.Type
