/** Writes of the questions that were asked. */
import type { QuestionId, WorkspaceId } from "@tributary/core/model/Id"
import type { Feedback } from "@tributary/core/model/Question"
import type { AskedQuestion, QuestionRecord } from "@tributary/core/ports/QuestionStore"
import { MAX_REMOVED_QUESTIONS } from "@tributary/core/ports/removedQuestions"
import { type QuestionColumns, toQuestion } from "../rows/questionRows.ts"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"

/** Of ids, each with a comma. */
const REMOVED_LENGTH = MAX_REMOVED_QUESTIONS * 37

export const questionWrites = {
  appendQuestions: (db: SqliteConnection, asked: ReadonlyArray<AskedQuestion>): void => {
    for (const question of asked) {
      db.run(
        `INSERT INTO questions (workspace_id, question_id, query, answered, model, sources, documents, duration_ms,
            asked_at, principal, filter_digest, feedback)
          SELECT workspace_id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM workspaces
            WHERE workspace_id = ? AND (questions_deleted_before IS NULL OR questions_deleted_before <= ?)
              AND instr(coalesce(removed_questions, ''), ?) = 0
          ON CONFLICT DO NOTHING`,
        question.question_id,
        question.query,
        question.answered,
        question.model,
        JSON.stringify(question.sources),
        JSON.stringify(question.documents),
        question.duration_ms,
        question.asked_at,
        JSON.stringify(question.principal),
        question.filter_digest,
        question.feedback === null ? null : JSON.stringify(question.feedback),
        question.workspace_id,
        question.asked_at,
        question.question_id
      )
    }
  },

  rateQuestion: (
    db: SqliteConnection,
    workspaceId: WorkspaceId,
    questionId: QuestionId,
    feedback: Feedback
  ): QuestionRecord | null => {
    const row = db.get<QuestionColumns>(
      `UPDATE questions SET feedback = ?3 WHERE workspace_id = ?1 AND question_id = ?2
          AND EXISTS (SELECT 1 FROM workspaces WHERE workspace_id = ?1) RETURNING *`,
      workspaceId,
      questionId,
      JSON.stringify(feedback)
    )
    return row === undefined ? null : toQuestion(row)
  },

  removeQuestion: (db: SqliteConnection, workspaceId: WorkspaceId, questionId: QuestionId): boolean => {
    const removed = db.run(
      `DELETE FROM questions WHERE workspace_id = ?1 AND question_id = ?2
        AND EXISTS (SELECT 1 FROM workspaces WHERE workspace_id = ?1)`,
      workspaceId,
      questionId
    )
    if (removed === 0) return false
    db.run(
      `UPDATE workspaces SET removed_questions = substr(?2 || ',' || coalesce(removed_questions, ''), 1, ?3)
        WHERE workspace_id = ?1`,
      workspaceId,
      questionId,
      REMOVED_LENGTH
    )
    return true
  },

  removeQuestionsBefore: (db: SqliteConnection, workspaceId: WorkspaceId, before: Date, limit: number): number => {
    const marked = db.run(
      `UPDATE workspaces SET questions_deleted_before = max(coalesce(questions_deleted_before, ?2), ?2)
        WHERE workspace_id = ?1`,
      workspaceId,
      before
    )
    if (marked === 0) return 0
    return db.run(
      `DELETE FROM questions WHERE rowid IN (
        SELECT rowid FROM questions WHERE workspace_id = ?1 AND asked_at < ?2 LIMIT ?3)`,
      workspaceId,
      before,
      limit
    )
  },

  pruneQuestions: (db: SqliteConnection, before: Date, limit: number): number =>
    db.run(
      "DELETE FROM questions WHERE rowid IN (SELECT rowid FROM questions WHERE asked_at < ? LIMIT ?)",
      before,
      limit
    )
}
