/** What the fields of questions and their feedback mean, in words. */
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
  DeleteQuestionResponse: { question_id: "The question's id." }
}
