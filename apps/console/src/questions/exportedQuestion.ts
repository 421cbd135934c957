import type { Question } from "../api/models.ts"
import type { Row } from "../lists/exporting.ts"

export const exportedQuestion = ({ feedback, ...question }: Question): Row => ({
  question_id: question.question_id,
  asked_at: question.asked_at,
  query: question.query,
  answered: String(question.answered),
  model: question.model,
  duration_ms: question.duration_ms,
  sources: question.sources.join(" "),
  useful: feedback === null ? null : String(feedback.useful),
  comment: feedback?.comment ?? null
})
