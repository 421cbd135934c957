/** A sync of one resource, from its start until it ends or another job takes over its state. */
import { Clock, Effect } from "effect"
import type { Attempt } from "../../jobs/runJob.ts"
import type { StorageUnavailable } from "../../model/Error.ts"
import type { WorkspaceId } from "../../model/Id.ts"
import type { WorkspaceRecord } from "../../model/Workspace.ts"
import {
  type ConnectionRecord,
  ConnectionStore,
  type ResourceRef,
  type SyncRecord,
  type SyncSummary
} from "../../ports/ConnectionStore.ts"
import type { FencingToken } from "../../ports/JobStore.ts"
import type { LeftOutCount } from "./leftOut.ts"

interface State {
  readonly state: () => SyncRecord
  /** Stored with the next `save`. */
  readonly note: (change: Partial<SyncRecord>) => void
  /** Ends the sync if another job, or another attempt, has taken over the state. */
  readonly save: (change: Partial<SyncRecord>) => Effect.Effect<void, StorageUnavailable, ConnectionStore>
}

export interface ActiveSync extends State {
  /** Every write of the sync carries it. */
  readonly fencingToken: FencingToken
  readonly workspace: WorkspaceRecord
  readonly connection: ConnectionRecord
  readonly ref: ResourceRef
  /** The states of all resources of the connection, as of the start. */
  readonly states: ReadonlyArray<SyncSummary>
  /** Older documents are outside the window; null for no limit. */
  readonly since: Date | null
  readonly began: number
  readonly leftOut: LeftOutCount
  readonly report: Attempt["report"]
}

/** The state of a resource while it belongs to a job. */
export const heldState = (workspaceId: WorkspaceId, known: SyncRecord, fencingToken: FencingToken): State => {
  let state = known
  return {
    state: () => state,
    note: (change) => {
      state = { ...state, ...change }
    },
    save: Effect.fnUntraced(function*(change) {
      const store = yield* ConnectionStore
      const { deletions_held: held, ...rest } = { ...state, ...change }
      // Some may have been confirmed meanwhile.
      const deletions_held = held === 0 ? 0 : Math.min(held, yield* store.countDeletions(workspaceId, state))
      const next = { ...rest, deletions_held, updated_at: new Date(yield* Clock.currentTimeMillis) }
      const isOurs = yield* store.saveState(workspaceId, next, fencingToken.job_id, null, fencingToken)
      if (!isOurs) return yield* Effect.interrupt
      state = next
    })
  }
}
