/** Questions in SQLite. */
import { QuestionStore } from "@tributary/core/ports/QuestionStore"
import { repeatSteps } from "@tributary/core/ports/repeatSteps"
import { Effect, Layer, Option } from "effect"
import { Database } from "./internal/Database.ts"
import { first } from "./rows/first.ts"
import { type QuestionColumns, toQuestion } from "./rows/questionRows.ts"

const PRUNED_AT_ONCE = 5_000

const OPEN = "EXISTS (SELECT 1 FROM workspaces WHERE workspace_id = ?1)"

/** Separate statements, so that each uses the index that fits it. */
const ANSWERED = new Map([[null, "true"], [false, "answered = 0"], [true, "answered = 1"]])

export const layer = Layer.effect(
  QuestionStore,
  Effect.gen(function*() {
    const { read, write } = yield* Database

    return {
      append: (questions) => write("appendQuestions", questions),

      find: (workspaceId, questionId) =>
        read((db) =>
          first(
            db.get<QuestionColumns>(
              `SELECT * FROM questions WHERE workspace_id = ?1 AND question_id = ?2 AND ${OPEN}`,
              workspaceId,
              questionId
            ),
            toQuestion
          )
        ),

      list: (workspaceId, { after, answered, limit }) =>
        read((db) =>
          db.all<QuestionColumns>(
            `SELECT * FROM questions WHERE workspace_id = ?1 AND ${OPEN} AND ${ANSWERED.get(answered)}
                ${after === null ? "AND ?2 IS NULL" : "AND question_id < ?2"} ORDER BY question_id DESC LIMIT ?3`,
            workspaceId,
            after,
            limit
          ).map(toQuestion)
        ),

      rate: (workspaceId, questionId, feedback) =>
        Effect.map(write("rateQuestion", workspaceId, questionId, feedback), Option.fromNullOr),

      remove: (workspaceId, questionId) => write("removeQuestion", workspaceId, questionId),

      removeBefore: (workspaceId, before, limit) => write("removeQuestionsBefore", workspaceId, before, limit),

      prune: (before) => Effect.asVoid(repeatSteps(PRUNED_AT_ONCE, write("pruneQuestions", before, PRUNED_AT_ONCE)))
    }
  })
)
