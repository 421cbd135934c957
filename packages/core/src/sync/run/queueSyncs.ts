/** Beginning syncs. */
import { Clock, Effect, Option } from "effect"
import type { JobId, WorkspaceId } from "../../model/Id.ts"
import { limitsFor } from "../../model/Workspace.ts"
import { ConnectionStore, type SyncRecord } from "../../ports/ConnectionStore.ts"
import { DocumentStore } from "../../ports/DocumentStore.ts"
import { JobStore } from "../../ports/JobStore.ts"
import { WorkspaceStore } from "../../ports/WorkspaceStore.ts"
import { furtherSyncJob, syncJob } from "./syncJobs.ts"
import { queued } from "./syncStates.ts"

/** Fuller than that, a workspace would have everything pulled again and again for what still does not fit. */
const NEARLY_FULL = 0.95

/** Of the resource that the state is of, `again` from its beginning. Where another was quicker, that one's will do. */
export const queueSync = Effect.fnUntraced(function*(workspaceId: WorkspaceId, state: SyncRecord, anew: boolean) {
  const now = yield* Clock.currentTimeMillis
  const job = syncJob(workspaceId, state, now)
  const next = queued(anew ? { ...state, cursor: null } : state, job.job_id, now)
  yield* (yield* ConnectionStore).saveState(workspaceId, next, state.job_id, job)
})

const missesSome = ({ rejected }: SyncRecord): boolean => rejected.length > 0

/** As somebody asks for it: what runs already began before, and is followed by one more. */
export const queueAsked = Effect.fnUntraced(function*(workspaceId: WorkspaceId, state: SyncRecord) {
  if (state.status !== "running") return yield* queueSync(workspaceId, state, missesSome(state))
  const job = furtherSyncJob(workspaceId, state, yield* Clock.currentTimeMillis)
  yield* (yield* JobStore).enqueue(job, null)
})

/** What one more sync goes on from, once its job begins; none when somebody has stopped the resource meanwhile. */
export const takeOver = Effect.fnUntraced(function*(workspaceId: WorkspaceId, state: SyncRecord, jobId: JobId) {
  if (state.job_id === null) return Option.none()
  const next = queued(missesSome(state) ? { ...state, cursor: null } : state, jobId, yield* Clock.currentTimeMillis)
  const isOurs = yield* (yield* ConnectionStore).saveState(workspaceId, next, state.job_id, null)
  return isOurs ? Option.some(next) : Option.none()
})

const hasRoomAgain = Effect.fnUntraced(function*(workspaceId: WorkspaceId) {
  const workspace = yield* (yield* WorkspaceStore).find(workspaceId)
  if (Option.isNone(workspace)) return false
  const limits = limitsFor(workspace.value)
  const used = yield* (yield* DocumentStore).meters(workspaceId)
  return (["documents", "storage"] as const).every((meter) => used[meter] < (limits[meter] ?? Infinity) * NEARLY_FULL)
})

/** As `queueSync`: again when something did not fit under the plan last time, and there is room now. */
export const queueDue = Effect.fnUntraced(function*(workspaceId: WorkspaceId, state: SyncRecord) {
  const anew = missesSome(state) && (yield* hasRoomAgain(workspaceId))
  yield* queueSync(workspaceId, state, anew)
})
