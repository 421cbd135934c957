/** The log of questions, and feedback on answers. */
import * as Core from "@tributary/core/Questions"
import { Effect } from "effect"
import { toPageRequest } from "../api/Parameters.ts"
import type { Questions } from "../api/Questions.ts"
import type { Handlers } from "../Handlers.ts"

export const questions = Effect.map(Core.Questions, (questions): Handlers<typeof Questions> => ({
  listQuestions: ({ caller: { workspace }, query }) =>
    Effect.map(
      questions.list(workspace.workspace_id, query.answered ?? null, toPageRequest(query)),
      ({ items, next }) => ({ questions: items, next_cursor: next })
    ),
  rateQuestion: ({ caller: { principal, workspace }, params, payload }) =>
    questions.rate(workspace.workspace_id, params.question_id, payload, principal),
  deleteQuestions: ({ caller: { workspace }, query }) =>
    Effect.map(
      questions.clear(workspace.workspace_id, query.before ?? null),
      (questions_deleted) => ({ status: "deleted" as const, questions_deleted })
    ),
  deleteQuestion: ({ caller: { workspace }, params }) =>
    Effect.map(
      questions.remove(workspace.workspace_id, params.question_id),
      (question_id) => ({ status: "deleted" as const, question_id })
    )
}))
