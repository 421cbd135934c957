/** The questions of each workspace. Optional: a backend without it keeps none. */
import { Context, Effect, type Option } from "effect"
import type { QuestionId, WorkspaceId } from "../model/Id.ts"
import type { Feedback, Question } from "../model/Question.ts"
import type { Stored } from "./Storage.ts"

export interface QuestionRecord extends Question {
  /** A digest of the filter of the token that asked; null without a filter. */
  readonly filter_digest: string | null
}

export interface AskedQuestion extends QuestionRecord {
  readonly workspace_id: WorkspaceId
}

export interface QuestionStore {
  /** Ignores questions of absent workspaces, those that were deleted before, and ids that are stored already. */
  append(questions: ReadonlyArray<AskedQuestion>): Stored<void>
  find(workspaceId: WorkspaceId, questionId: QuestionId): Stored<Option.Option<QuestionRecord>>
  /** By id, descending (so newest first), after the given one; with `answered` only those that were, or were not. */
  list(workspaceId: WorkspaceId, options: {
    readonly answered: boolean | null
    readonly after: QuestionId | null
    readonly limit: number
  }): Stored<ReadonlyArray<QuestionRecord>>
  /** Replaces earlier feedback; none if the question is absent. */
  rate(
    workspaceId: WorkspaceId,
    questionId: QuestionId,
    feedback: Feedback
  ): Stored<Option.Option<QuestionRecord>>
  /**
   * Returns whether it existed. The last `MAX_REMOVED_QUESTIONS` stay deleted if they are appended again, by a server that
   * did not get the answer the first time.
   */
  remove(workspaceId: WorkspaceId, questionId: QuestionId): Stored<boolean>
  /**
   * Deletes up to `limit` questions of a workspace from before `before`. Returns their number. Those that are appended
   * later are deleted, too: each server holds questions for a moment.
   */
  removeBefore(workspaceId: WorkspaceId, before: Date, limit: number): Stored<number>
  /** Deletes questions from before `before`, in every workspace. */
  prune(before: Date): Stored<void>
}

/** The default: keeps no questions. */
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
