/** The log of questions, and feedback on answers. */
import * as Core from "@tributary/core/Questions"
import { Effect } from "effect"
import type { Questions } from "../api/Questions.ts"
import type { Handlers } from "./Handlers.ts"
import { page, toPageRequest } from "./paging.ts"

export const questions = Effect.map(Core.Questions, (questions): Handlers<typeof Questions> => ({
  listQuestions: ({ caller: { workspace }, query }) =>
    Effect.map(questions.list(workspace.workspace_id, query.answered ?? null, toPageRequest(query)), page("questions")),
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
