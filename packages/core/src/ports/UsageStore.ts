/** The use of each operation in each workspace, by day. Optional: a backend without it keeps none. */
import { Context, Effect } from "effect"
import type { Day } from "../model/ApiKey.ts"
import type { WorkspaceId } from "../model/Id.ts"
import type { Stored } from "./Storage.ts"

export interface UsageCount {
  readonly operation: string
  /** `ok`, or the `error_code` of the refusal. */
  readonly outcome: string
  /** A bucket of the histogram of durations. */
  readonly bucket: number
  readonly requests: number
}

export interface WorkspaceUsage {
  readonly workspace_id: WorkspaceId
  readonly counts: ReadonlyArray<UsageCount>
}

export interface StoredDay {
  readonly day: Day
  readonly documents: number
  /** In bytes. */
  readonly storage: number
  /** In any order. */
  readonly counts: ReadonlyArray<UsageCount>
}

export interface UsageBatch {
  /** A UUID of the process that counted. */
  readonly writer: string
  /** Grows from batch to batch of a writer. */
  readonly number: number
  readonly day: Day
  readonly usage: ReadonlyArray<WorkspaceUsage>
}

export interface UsageStore {
  /**
   * Adds to the counts of a day, and stores the current meters of each workspace. Ignores absent workspaces.
   *
   * Ignores a batch whose number is not greater than the last one of its writer: a writer repeats a batch if the answer
   * was lost.
   */
  add(batch: UsageBatch): Stored<void>
  /** Days from `since` on with any data, oldest first. */
  history(workspaceId: WorkspaceId, since: Day): Stored<ReadonlyArray<StoredDay>>
  /** Deletes the days before `day`, and the writers whose last batch is of one of them. */
  prune(day: Day): Stored<void>
}

export const UsageStore = Context.Reference<UsageStore>("@tributary/core/ports/UsageStore", {
  defaultValue: () => ({ add: () => Effect.void, history: () => Effect.succeed([]), prune: () => Effect.void })
})
