/** Descriptions of the fields of questions and feedback. */
import type { Words } from "./Words.ts"

const FEEDBACK: Words = {
  useful: "Whether the answer was of use.",
  comment: "What else there is to say. Null: nothing."
}

export const QUESTION_FIELDS: Readonly<Record<string, Words>> = {
  Question: {
    question_id: "The question's id: `X-Question-Id` of its answer, or the id of its job.",
    query: "What was asked.",
    answered: "Whether the answer claimed to be one.",
    model: "What answered.",
    sources: "The sources of the documents that the answer cites.",
    documents: "The ids of the documents that the answer cites. They may be deleted by now.",
    duration_ms: "Milliseconds from the question to the whole answer.",
    asked_at: "When it was asked.",
    principal: "Who asked.",
    "principal.type": "A person, or a key.",
    "principal.id": "The user's or the key's id.",
    feedback: "What somebody said of the answer, last. Null: nobody has."
  },
  Feedback: { ...FEEDBACK, given_at: "When it was given." },
  RateQuestionRequest: { ...FEEDBACK, comment: "What else there is to say." },
  ListQuestionsResponse: { questions: "Newest first." },
  DeleteQuestionsResponse: { questions_deleted: "How many there were." },
  AuditEntry: {
    entry_id: "The entry's id.",
    action: "What was done.",
    actor: "Who did it.",
    "actor.type": "A person, or a key.",
    "actor.id": "The user's or the key's id; `operator` for the operator of the service.",
    workspace_id: "Where. Null: it concerns the account.",
    subject: "What it was done to, by its id.",
    details: "What else there is to know of it.",
    address: "The network address that it came from. Null: from none.",
    created_at: "When."
  },
  ListAuditLogResponse: {
    entries: "Newest first. Where little matches, a page may be short, or empty, and not be the last."
  },
  DeleteQuestionResponse: { question_id: "The question's id." }
}
