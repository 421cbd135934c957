/** The questions that were asked in each workspace. A backend that keeps none leaves the port as it is. */
import { Context, Effect, type Option } from "effect"
import type { QuestionId, WorkspaceId } from "../model/Id.ts"
import type { Feedback, Question } from "../model/Question.ts"
import type { Stored } from "./Storage.ts"

export interface QuestionRecord extends Question {
  /** A digest of the filter of the token that asked; null when there was none. */
  readonly filter_digest: string | null
}

export interface AskedQuestion extends QuestionRecord {
  readonly workspace_id: WorkspaceId
}

export interface QuestionStore {
  /** Leaves out those of absent workspaces, and those whose id is stored already. */
  append(questions: ReadonlyArray<AskedQuestion>): Stored<void>
  find(workspaceId: WorkspaceId, questionId: QuestionId): Stored<Option.Option<QuestionRecord>>
  /** By id, descending (so newest first), after the given one; with `answered` only those that were, or were not. */
  list(workspaceId: WorkspaceId, options: {
    readonly answered: boolean | null
    readonly after: QuestionId | null
    readonly limit: number
  }): Stored<ReadonlyArray<QuestionRecord>>
  /** Replaces earlier feedback; none when the question is absent. */
  rate(
    workspaceId: WorkspaceId,
    questionId: QuestionId,
    feedback: Feedback
  ): Stored<Option.Option<QuestionRecord>>
  /** Says whether it was there. */
  remove(workspaceId: WorkspaceId, questionId: QuestionId): Stored<boolean>
  /** Removes up to `limit` questions of a workspace that were asked before `before`; says how many. */
  removeBefore(workspaceId: WorkspaceId, before: Date, limit: number): Stored<number>
  /** Removes what was asked before `before`, in every workspace. */
  prune(before: Date): Stored<void>
}

/** Of a backend that keeps no questions. */
export const NO_QUESTIONS: QuestionStore = {
  append: () => Effect.void,
  find: () => Effect.succeedNone,
  list: () => Effect.succeed([]),
  rate: () => Effect.succeedNone,
  remove: () => Effect.succeed(false),
  removeBefore: () => Effect.succeed(0),
  prune: () => Effect.void
}

export const QuestionStore = Context.Reference<QuestionStore>("@tributary/core/ports/QuestionStore", {
  defaultValue: () => NO_QUESTIONS
})
