/** Questions in memory. */
import type { QuestionId, WorkspaceId } from "@tributary/core/model/Id"
import { QuestionStore } from "@tributary/core/ports/QuestionStore"
import { MAX_REMOVED_QUESTIONS } from "@tributary/core/ports/removedQuestions"
import { Effect, Layer, Option, Struct } from "effect"
import { copied, found } from "./internal/copied.ts"
import { State } from "./internal/State.ts"

export const layer = Layer.effect(
  QuestionStore,
  Effect.gen(function*() {
    const { workspaces } = yield* State

    const rowOf = (workspaceId: WorkspaceId, questionId: QuestionId) =>
      workspaces.get(workspaceId)?.questions
        .ascending(1, ({ record }) => record.question_id >= questionId)
        .find(({ record }) => record.question_id === questionId)

    const askedBefore = (workspaceId: WorkspaceId, before: Date, limit: number) =>
      workspaces.get(workspaceId)?.questions
        .where(({ record }) => record.asked_at < before, limit) ?? []

    return {
      append: (asked) =>
        Effect.sync(() => {
          for (const question of asked) {
            const workspace = workspaces.get(question.workspace_id)
            if (workspace === undefined || question.asked_at.getTime() < workspace.questionsDeletedBefore) continue
            if (workspace.removedQuestions.has(question.question_id)) continue
            if (rowOf(question.workspace_id, question.question_id) !== undefined) continue
            workspace.questions.add({ record: copied(Struct.omit(question, ["workspace_id"])) })
          }
        }),

      find: (workspaceId, questionId) => Effect.sync(() => found(rowOf(workspaceId, questionId)?.record)),

      list: (workspaceId, { after, answered, limit }) =>
        Effect.sync(() =>
          (workspaces.get(workspaceId)?.questions.descending(
            limit,
            ({ record }) => after !== null && record.question_id >= after,
            ({ record }) => answered === null || record.answered === answered
          ) ?? []).map(({ record }) => copied(record))
        ),

      rate: (workspaceId, questionId, feedback) =>
        Effect.sync(() => {
          const row = rowOf(workspaceId, questionId)
          if (row === undefined) return Option.none()
          row.record = { ...row.record, feedback: copied(feedback) }
          return Option.some(copied(row.record))
        }),

      remove: (workspaceId, questionId) =>
        Effect.sync(() => {
          const workspace = workspaces.get(workspaceId)
          const row = rowOf(workspaceId, questionId)
          if (workspace === undefined || row === undefined) return false
          const { questions, removedQuestions: removed } = workspace
          questions.remove(row)
          removed.add(questionId)
          if (removed.size > MAX_REMOVED_QUESTIONS) removed.delete(removed.values().next().value!)
          return true
        }),

      removeBefore: (workspaceId, before, limit) =>
        Effect.sync(() => {
          const workspace = workspaces.get(workspaceId)
          if (workspace === undefined) return 0
          workspace.questionsDeletedBefore = Math.max(workspace.questionsDeletedBefore, before.getTime())
          const rows = askedBefore(workspaceId, before, limit)
          for (const row of rows) workspace.questions.remove(row)
          return rows.length
        }),

      prune: (before) =>
        Effect.sync(() => {
          for (const [workspaceId, { questions }] of workspaces) {
            for (const row of askedBefore(workspaceId, before, Infinity)) questions.remove(row)
          }
        })
    }
  })
)
