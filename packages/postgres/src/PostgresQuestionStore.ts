/** Questions on Postgres. */
import type { QuestionId, WorkspaceId } from "@tributary/core/model/Id"
import { type AskedQuestion, type QuestionRecord, QuestionStore } from "@tributary/core/ports/QuestionStore"
import { MAX_REMOVED_QUESTIONS } from "@tributary/core/ports/removedQuestions"
import { storedFeedback } from "@tributary/core/ports/storedFeedback"
import { Effect, Layer } from "effect"
import type { Columns } from "./internal/rows/Columns.ts"
import { arrayLiteral } from "./internal/arrayLiteral.ts"
import { Database } from "./internal/Database.ts"
import { first } from "./internal/first.ts"
import { moment } from "./internal/moment.ts"
import { GREATEST_ID, limitTo } from "./internal/page.ts"
import { deleteSteps } from "./internal/pruning.ts"
import { execute, stored } from "./internal/storageErrors.ts"

type QuestionColumns = Columns<QuestionRecord, "sources" | "documents" | "principal" | "feedback">

const toQuestion = (row: QuestionColumns): QuestionRecord => ({
  ...row,
  sources: JSON.parse(row.sources),
  documents: JSON.parse(row.documents),
  principal: JSON.parse(row.principal),
  feedback: storedFeedback(row.feedback)
})

/** The number of questions deleted at a time. */
const STEP = 500

/** Of ids, each with a comma. */
const REMOVED_LENGTH = MAX_REMOVED_QUESTIONS * 37

/** Separate statements, so that each uses the index that fits it. */
const ANSWERED = new Map([[null, "true"], [false, "q.answered = false"], [true, "q.answered = true"]])

export const layer = Layer.effect(
  QuestionStore,
  Effect.gen(function*() {
    const { isOpen, our, sql } = yield* Database
    const columns = sql.literal(
      `q.question_id::text AS question_id, q.query, q.answered, q.model, q.sources, q.documents,
      q.duration_ms, q.asked_at, q.principal, q.filter_digest, q.feedback`
    )

    const one = (workspaceId: WorkspaceId, questionId: QuestionId) =>
      sql`q.workspace_id = ${workspaceId}::uuid AND q.question_id = ${questionId}::uuid AND ${isOpen(workspaceId)}`

    const all = (questions: ReadonlyArray<AskedQuestion>, read: (question: AskedQuestion) => string | boolean | null) =>
      arrayLiteral(questions.map(read))

    return {
      append: (questions) =>
        execute(
          // The lock blocks a concurrent closing of the workspace, and a deletion of its questions.
          sql`INSERT INTO ${our("questions")} (workspace_id, question_id, query, answered, model, sources, documents,
              duration_ms, asked_at, principal, filter_digest, feedback)
            SELECT w.workspace_id, q.question_id, q.query, q.answered, q.model, q.sources, q.documents,
              q.duration_ms, q.asked_at, q.principal, q.filter_digest, q.feedback
            FROM unnest(${all(questions, ({ workspace_id }) => workspace_id)}::uuid[],
              ${all(questions, ({ question_id }) => question_id)}::uuid[],
              ${all(questions, ({ query }) => query)}::text[],
              ${all(questions, ({ answered }) => answered)}::boolean[],
              ${all(questions, ({ model }) => model)}::text[],
              ${all(questions, ({ sources }) => JSON.stringify(sources))}::text[],
              ${all(questions, ({ documents }) => JSON.stringify(documents))}::text[],
              ${all(questions, ({ duration_ms }) => String(duration_ms))}::integer[],
              ${all(questions, ({ asked_at }) => moment(asked_at))}::timestamptz[],
              ${all(questions, ({ principal }) => JSON.stringify(principal))}::text[],
              ${all(questions, ({ filter_digest }) => filter_digest)}::text[],
              ${all(questions, ({ feedback }) => feedback === null ? null : JSON.stringify(feedback))}::text[]
            ) AS q(workspace_id, question_id, query, answered, model, sources, documents, duration_ms, asked_at,
              principal, filter_digest, feedback)
            JOIN ${our("workspaces")} w ON w.workspace_id = q.workspace_id
              AND q.asked_at >= coalesce(w.questions_deleted_before, '-infinity')
              AND strpos(coalesce(w.removed_questions, ''), q.question_id::text) = 0
            ORDER BY w.workspace_id, q.question_id FOR KEY SHARE OF w
            ON CONFLICT (workspace_id, question_id) DO NOTHING`
        ),

      find: (workspaceId, questionId) =>
        stored(
          sql<QuestionColumns>`SELECT ${columns} FROM ${our("questions")} q WHERE ${one(workspaceId, questionId)}`,
          first(toQuestion)
        ),

      list: (workspaceId, { after, answered, limit }) =>
        stored(
          sql<QuestionColumns>`SELECT ${columns} FROM ${our("questions")} q
            WHERE q.workspace_id = ${workspaceId}::uuid AND q.question_id < ${after ?? GREATEST_ID}::uuid
              AND ${sql.literal(ANSWERED.get(answered)!)} AND ${isOpen(workspaceId)}
            ORDER BY q.workspace_id DESC, q.question_id DESC ${limitTo(sql, limit)}`,
          (rows) => rows.map(toQuestion)
        ),

      rate: (workspaceId, questionId, feedback) =>
        stored(
          sql<QuestionColumns>`UPDATE ${our("questions")} q SET feedback = ${JSON.stringify(feedback)}::text
            WHERE ${one(workspaceId, questionId)} RETURNING ${columns}`,
          first(toQuestion)
        ),

      remove: (workspaceId, questionId) =>
        stored(
          // Waits for questions that are being appended again.
          sql`WITH locked AS MATERIALIZED (
              SELECT workspace_id FROM ${our("workspaces")} WHERE workspace_id = ${workspaceId}::uuid FOR UPDATE
            ), gone AS (
              DELETE FROM ${our("questions")} q USING locked WHERE ${one(workspaceId, questionId)}
              RETURNING q.question_id
            ), noted AS (
              UPDATE ${our("workspaces")} w
                SET removed_questions = left(g.question_id || ',' || coalesce(w.removed_questions, ''),
                  ${REMOVED_LENGTH}::integer)
                FROM gone g WHERE w.workspace_id = ${workspaceId}::uuid
            )
            SELECT 1 AS one FROM gone`,
          (rows) => rows.length > 0
        ),

      removeBefore: (workspaceId, before, limit) => {
        const until = sql`${moment(before)}::timestamptz`
        // Waits for questions that are being appended, which only a further statement sees.
        const mark = execute(
          sql`WITH locked AS MATERIALIZED (
              SELECT FROM ${our("workspaces")} WHERE workspace_id = ${workspaceId}::uuid FOR UPDATE
            )
            UPDATE ${our("workspaces")} w
              SET questions_deleted_before = greatest(w.questions_deleted_before, ${until})
              FROM locked WHERE w.workspace_id = ${workspaceId}::uuid`
        )
        const remove = stored(
          // The first rows from the workspace on, in the order of an index: no plan takes them for most of the table.
          sql`DELETE FROM ${our("questions")} WHERE ctid = ANY (ARRAY(
            SELECT q.ctid FROM (
              SELECT ctid, workspace_id, asked_at FROM ${our("questions")} WHERE workspace_id >= ${workspaceId}::uuid
                ORDER BY workspace_id, asked_at ${limitTo(sql, limit)}
            ) q
            WHERE q.workspace_id = ${workspaceId}::uuid AND q.asked_at < ${until}
              AND ${isOpen(workspaceId)})) RETURNING 1 AS one`,
          (rows) => rows.length
        )
        return Effect.andThen(mark, remove)
      },

      prune: (before) =>
        Effect.asVoid(deleteSteps(
          sql,
          STEP,
          our("questions"),
          sql`SELECT ctid FROM ${our("questions")} WHERE asked_at < ${moment(before)}::timestamptz
            ORDER BY asked_at ${limitTo(sql, STEP)}`
        ))
    }
  })
)
