/** Starts syncs. */
import { Clock, Effect, Option } from "effect"
import type { WorkspaceId } from "../../model/Id.ts"
import { limitsFor } from "../../model/Workspace.ts"
import { ConnectionStore, type SyncRecord } from "../../ports/ConnectionStore.ts"
import { DocumentStore } from "../../ports/DocumentStore.ts"
import { type FencingToken, JobStore } from "../../ports/JobStore.ts"
import { WorkspaceStore } from "../../ports/WorkspaceStore.ts"
import { reportAbandoned } from "./abandonedSync.ts"
import { furtherSyncJob, syncJob } from "./syncJobs.ts"
import { queued } from "./syncStates.ts"

/** When the plan is fuller, everything would be pulled again and again for items that do not fit. */
const NEARLY_FULL = 0.95

/** Queues a sync of the state's resource, without its cursor if `fromStart`, unless another caller was faster. */
export const queueSync = Effect.fnUntraced(function*(workspaceId: WorkspaceId, state: SyncRecord, fromStart: boolean) {
  const now = yield* Clock.currentTimeMillis
  const job = syncJob(workspaceId, state, now)
  yield* (yield* ConnectionStore).saveState(workspaceId, queued(state, job.job_id, fromStart, now), state.job_id, job)
})

const missesSome = ({ rejected }: SyncRecord): boolean => rejected.length > 0

/** On request: a running sync is followed by another one, because it may have passed the change. */
export const queueAsked = Effect.fnUntraced(function*(workspaceId: WorkspaceId, state: SyncRecord) {
  if (state.status !== "running") return yield* queueSync(workspaceId, state, missesSome(state))
  const job = furtherSyncJob(workspaceId, state, yield* Clock.currentTimeMillis)
  yield* (yield* JobStore).enqueue(job, null)
})

/**
 * The state from which a following sync continues when its job starts; none if the resource was cancelled meanwhile.
 */
export const takeOver = Effect.fnUntraced(function*(
  workspaceId: WorkspaceId,
  state: SyncRecord,
  fromStart: boolean,
  fencingToken: FencingToken
) {
  if (state.job_id === null) return Option.none()
  const next = queued(state, fencingToken.job_id, fromStart || missesSome(state), yield* Clock.currentTimeMillis)
  yield* reportAbandoned(workspaceId, state)
  const isOurs = yield* (yield* ConnectionStore).saveState(workspaceId, next, state.job_id, null, fencingToken)
  return isOurs ? Option.some(next) : Option.none()
})

const hasRoomAgain = Effect.fnUntraced(function*(workspaceId: WorkspaceId) {
  const workspace = yield* (yield* WorkspaceStore).find(workspaceId)
  if (Option.isNone(workspace)) return false
  const limits = limitsFor(workspace.value)
  const used = yield* (yield* DocumentStore).meters(workspaceId)
  return (["documents", "storage"] as const).every((meter) => used[meter] < (limits[meter] ?? Infinity) * NEARLY_FULL)
})

/** Like `queueSync`, from the start if items did not fit under the plan last time and there is space now. */
export const queueDue = Effect.fnUntraced(function*(workspaceId: WorkspaceId, state: SyncRecord) {
  const fromStart = missesSome(state) && (yield* hasRoomAgain(workspaceId))
  yield* queueSync(workspaceId, state, fromStart)
})
