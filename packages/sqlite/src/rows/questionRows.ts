/** Rows of questions and the model that they are read into. */
import type { QuestionRecord } from "@tributary/core/ports/QuestionStore"
import { storedFeedback } from "@tributary/core/ports/storedFeedback"
import type { Columns } from "./Columns.ts"

export type QuestionColumns = Columns<QuestionRecord, "sources" | "documents" | "principal" | "feedback">

export const toQuestion = (row: QuestionColumns): QuestionRecord => ({
  question_id: row.question_id,
  query: row.query,
  answered: row.answered === 1,
  model: row.model,
  sources: JSON.parse(row.sources),
  documents: JSON.parse(row.documents),
  duration_ms: row.duration_ms,
  asked_at: new Date(row.asked_at),
  principal: JSON.parse(row.principal),
  filter_digest: row.filter_digest,
  feedback: storedFeedback(row.feedback)
})
