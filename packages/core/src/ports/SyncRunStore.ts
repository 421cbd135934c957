/** Past syncs of each connection, deleted with it. Optional: a backend without it keeps none. */
import { Context, Effect } from "effect"
import type { ConnectionId, SyncRunId, WorkspaceId } from "../model/Id.ts"
import type { SyncRun } from "../model/SyncRun.ts"
import type { Stored } from "./Storage.ts"

export interface SyncRunStore {
  /** Keeps the last `kept` of each resource. Ignores an absent connection, and a run whose id is stored already. */
  append(workspaceId: WorkspaceId, run: SyncRun, kept: number): Stored<void>
  /** By id, descending (so newest first), after the given one; of one resource, or of all (null). */
  list(workspaceId: WorkspaceId, connectionId: ConnectionId, options: {
    readonly resource: string | null
    readonly after: SyncRunId | null
    readonly limit: number
  }): Stored<ReadonlyArray<SyncRun>>
}

export const SyncRunStore = Context.Reference<SyncRunStore>("@tributary/core/ports/SyncRunStore", {
  defaultValue: () => ({ append: () => Effect.void, list: () => Effect.succeed([]) })
})
