/** Changes the states of resources from outside their syncs. */
import { Effect, Option } from "effect"
import { StorageUnavailable } from "../../model/Error.ts"
import type { WorkspaceId } from "../../model/Id.ts"
import { ConnectionStore, type ResourceRef, type SyncRecord } from "../../ports/ConnectionStore.ts"
import { JobStore } from "../../ports/JobStore.ts"
import { SYNC_QUEUE } from "./syncJobs.ts"
import { isLive } from "./syncStates.ts"

/** A sync writes its state only when it starts and ends, so a second attempt nearly always succeeds. */
const TRIES = 5

/**
 * Replaces a state by `next` of it and returns that; none if the resource has no state. If the state's job changes, the
 * previous job is cancelled.
 */
export const rewriteState = Effect.fnUntraced(function*(
  workspaceId: WorkspaceId,
  ref: ResourceRef,
  next: (state: SyncRecord, now: number) => SyncRecord,
  now: number
) {
  const store = yield* ConnectionStore
  const jobs = yield* JobStore
  for (let tried = 0; tried < TRIES; tried++) {
    const found = yield* store.findState(workspaceId, ref)
    if (Option.isNone(found)) return found
    const state = found.value
    const rewritten = next(state, now)
    if (rewritten === state) return found
    if (yield* store.saveState(workspaceId, rewritten, state.job_id, null)) {
      if (isLive(state) && rewritten.job_id === null) {
        yield* jobs.cancel(workspaceId, SYNC_QUEUE, state.job_id!, new Date(now))
      }
      return Option.some(rewritten)
    }
  }
  return yield* new StorageUnavailable({ cause: "the state of a sync does not come to rest" })
})
