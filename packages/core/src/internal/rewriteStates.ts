/** Changing the states of a connection's resources from outside of their syncs. */
import { Effect, Option } from "effect"
import { StorageUnavailable } from "../model/Error.ts"
import type { ConnectionId, WorkspaceId } from "../model/Id.ts"
import { ConnectionStore, type SyncRecord } from "../ports/ConnectionStore.ts"
import { JobStore } from "../ports/JobStore.ts"
import { SYNC_QUEUE } from "./syncJobs.ts"
import { isLive } from "./syncStates.ts"

/** A sync takes its state only as it begins and ends, so a second look nearly always succeeds. */
const TRIES = 5

export const findState = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, connectionId: ConnectionId, resource: string) {
    const states = yield* (yield* ConnectionStore).states(workspaceId, connectionId)
    return Option.fromUndefinedOr(states.find((state) => state.resource === resource))
  }
)

/**
 * Puts `next` of a state in its place, and answers with it. A job that the state was of, and is not any more, is
 * cancelled.
 */
export const rewriteState = Effect.fnUntraced(function*(
  workspaceId: WorkspaceId,
  before: SyncRecord,
  next: (state: SyncRecord) => SyncRecord,
  now: number
) {
  const store = yield* ConnectionStore
  const jobs = yield* JobStore
  let state = before
  for (let tried = 0; tried < TRIES; tried++) {
    const rewritten = next(state)
    if (rewritten === state) return state
    if (yield* store.saveState(workspaceId, rewritten, state.job_id, null)) {
      if (isLive(state) && rewritten.job_id === null) {
        yield* jobs.cancel(workspaceId, SYNC_QUEUE, state.job_id!, new Date(now))
      }
      return rewritten
    }
    const found = yield* findState(workspaceId, state.connection_id, state.resource)
    if (Option.isNone(found)) return state
    state = found.value
  }
  return yield* new StorageUnavailable({ cause: "the state of a sync does not come to rest" })
})
