/** The log of questions, which shows what the documents of a workspace do not answer. */
import { Schema } from "effect"
import { DocumentId, QuestionId } from "./Id.ts"
import { optional } from "./optional.ts"
import { Principal } from "./Principal.ts"
import { text } from "./Text.ts"
import { Timestamp } from "./Timestamp.ts"

export const NewFeedback = Schema.Struct({
  /** Whether the answer was of use. */
  useful: Schema.Boolean,
  /** What else there is to say. */
  comment: optional(text(0, 2_000))
})
export type NewFeedback = typeof NewFeedback.Type

export const Feedback = Schema.Struct({
  /** Whether the answer was of use. */
  useful: Schema.Boolean,
  /** What else there is to say. Null: nothing. */
  comment: Schema.NullOr(Schema.String),
  /** When it was given. */
  given_at: Timestamp
}).annotate({ identifier: "Feedback" })
export type Feedback = typeof Feedback.Type

export const Question = Schema.Struct({
  /** The question's id: `X-Question-Id` of its answer, or the id of its job. */
  question_id: QuestionId,
  /** What was asked. */
  query: Schema.String,
  /** Whether the answer claimed to be one. */
  answered: Schema.Boolean,
  /** What answered. */
  model: Schema.String,
  /** The sources of the documents that the answer cites. */
  sources: Schema.Array(Schema.String),
  /** The ids of the documents that the answer cites. They may be deleted by now. */
  documents: Schema.Array(DocumentId),
  /** Milliseconds from the question to the whole answer. */
  duration_ms: Schema.Int,
  /** When it was asked. */
  asked_at: Timestamp,
  /** Who asked. */
  principal: Principal,
  /** What somebody said of the answer, last. Null: nobody has. */
  feedback: Schema.NullOr(Feedback)
}).annotate({ identifier: "Question" })
export type Question = typeof Question.Type
