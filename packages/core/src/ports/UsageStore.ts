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

export interface UsageStore {
  /** Adds to the counts of a day, and stores the current meters of each workspace. Ignores absent workspaces. */
  add(day: Day, usage: ReadonlyArray<WorkspaceUsage>): Stored<void>
  /** Days from `since` on with any data, oldest first. */
  history(workspaceId: WorkspaceId, since: Day): Stored<ReadonlyArray<StoredDay>>
  /** Deletes the days before `day`. */
  prune(day: Day): Stored<void>
}

export const UsageStore = Context.Reference<UsageStore>("@tributary/core/ports/UsageStore", {
  defaultValue: () => ({ add: () => Effect.void, history: () => Effect.succeed([]), prune: () => Effect.void })
})
