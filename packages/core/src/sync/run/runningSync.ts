/** The state of a resource during a sync, until another job takes it over. */
import { Clock, Effect } from "effect"
import type { StorageUnavailable } from "../../model/Error.ts"
import type { JobId, WorkspaceId } from "../../model/Id.ts"
import { ConnectionStore, type SyncRecord } from "../../ports/ConnectionStore.ts"

export interface RunningSync {
  readonly state: () => SyncRecord
  /** Stored with the next `save`. */
  readonly note: (change: Partial<SyncRecord>) => void
  /** Ends the sync if another job has taken over the state. */
  readonly save: (change: Partial<SyncRecord>) => Effect.Effect<void, StorageUnavailable, ConnectionStore>
}

export const runningSync = (workspaceId: WorkspaceId, known: SyncRecord, jobId: JobId): RunningSync => {
  let state = known
  return {
    state: () => state,
    note: (change) => {
      state = { ...state, ...change }
    },
    save: Effect.fnUntraced(function*(change) {
      const next = { ...state, ...change, updated_at: new Date(yield* Clock.currentTimeMillis) }
      const isOurs = yield* (yield* ConnectionStore).saveState(workspaceId, next, jobId, null)
      if (!isOurs) return yield* Effect.interrupt
      state = next
    })
  }
}
