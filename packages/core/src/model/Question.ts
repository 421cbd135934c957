/** The log of questions, which shows what the documents of a workspace do not answer. */
import { Schema } from "effect"
import { DocumentId, QuestionId } from "./Id.ts"
import { optional } from "./optional.ts"
import { Principal } from "./Principal.ts"
import { text } from "./Text.ts"
import { Timestamp } from "./Timestamp.ts"

export const NewFeedback = Schema.Struct({
  /** Whether the answer was useful. */
  useful: Schema.Boolean,
  /** A comment. */
  comment: optional(text(0, 2_000))
})
export type NewFeedback = typeof NewFeedback.Type

export const Feedback = Schema.Struct({
  /** Whether the answer was useful. */
  useful: Schema.Boolean,
  /** A comment. Null: none. */
  comment: Schema.NullOr(Schema.String),
  /** When it was given. */
  given_at: Timestamp
}).annotate({ identifier: "Feedback" })
export type Feedback = typeof Feedback.Type

export const Question = Schema.Struct({
  /** The question's id: `X-Question-Id` of its answer, or the id of its job. */
  question_id: QuestionId,
  /** The question. */
  query: Schema.String,
  /** Whether the evidence was sufficient to answer it. */
  answered: Schema.Boolean,
  /** What wrote the answer. */
  model: Schema.String,
  /** The sources of the documents that the answer cites. */
  sources: Schema.Array(Schema.String),
  /** The ids of the documents that the answer cites. They may be deleted by now. */
  documents: Schema.Array(DocumentId),
  /** The time until the answer was complete, in milliseconds. */
  duration_ms: Schema.Int,
  /** When it was asked. */
  asked_at: Timestamp,
  /** Who asked. */
  principal: Principal,
  /** The latest feedback. Null: none. */
  feedback: Schema.NullOr(Feedback)
}).annotate({ identifier: "Question" })
export type Question = typeof Question.Type
