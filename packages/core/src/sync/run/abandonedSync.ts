/** Syncs whose job has failed without them, as at its deadline: the job alone knows why. */
import { Clock, Effect, Option, Random } from "effect"
import { SyncRunId, type WorkspaceId } from "../../model/Id.ts"
import { ConnectionStore, type SyncRecord } from "../../ports/ConnectionStore.ts"
import { type Job, JobStore } from "../../ports/JobStore.ts"
import { publishFailure } from "../../webhooks/publishSync.ts"
import { backoff } from "../backoff.ts"
import { countLeftOut } from "./leftOut.ts"
import { SYNC_QUEUE } from "./syncJobs.ts"
import { recordRun } from "./syncRuns.ts"
import { failed, isLive } from "./syncStates.ts"

const HOUR = 3_600

const reasonOf = ({ deadline_seconds, error }: Job): string =>
  error?.error_code === "deadline_exceeded"
    ? `It took longer than ${deadline_seconds / HOUR} hours. The next one continues from its last checkpoint.`
    : error?.message ?? "It ended without a reason."

/** The failed job of a sync that has not ended. */
const failedJob = (workspaceId: WorkspaceId, state: SyncRecord) =>
  isLive(state)
    ? Effect.map(
      Effect.flatMap(JobStore, (jobs) => jobs.find(workspaceId, SYNC_QUEUE, state.job_id!)),
      Option.filter(({ status }) => status === "failed")
    )
    : Effect.succeedNone

const report = Effect.fnUntraced(function*(workspaceId: WorkspaceId, ended: SyncRecord, job: Job) {
  const connection = yield* (yield* ConnectionStore).find(workspaceId, ended.connection_id)
  if (Option.isSome(connection)) yield* publishFailure(reasonOf(job))(workspaceId, connection.value, ended)
  const began = (job.started_at ?? job.created_at).getTime()
  const run = { began, leftOut: countLeftOut(), run_id: SyncRunId.make(job.job_id) }
  yield* recordRun(workspaceId, run, ended, "failed")
})

/** Reports why the sync before this state's next one has ended, if nobody did. Done again, it changes nothing. */
export const reportAbandoned = Effect.fnUntraced(function*(workspaceId: WorkspaceId, state: SyncRecord) {
  const job = yield* failedJob(workspaceId, state)
  if (Option.isSome(job)) yield* report(workspaceId, failed(state, reasonOf(job.value), null), job.value)
})

/** Fails the sync for the reason of its job, and says whether it did. */
export const endAbandoned = Effect.fnUntraced(function*(workspaceId: WorkspaceId, state: SyncRecord) {
  const job = yield* failedJob(workspaceId, state)
  if (Option.isNone(job)) return false
  const now = yield* Clock.currentTimeMillis
  const dueAt = new Date(now + backoff(state.attempt, undefined, yield* Random.next))
  const ended = failed(state, reasonOf(job.value), dueAt)
  // Before it ends: after a crash in between, it is reported again.
  yield* report(workspaceId, ended, job.value)
  // Without its job, so that one of several nodes ends it.
  const stored = { ...ended, job_id: null, updated_at: new Date(now) }
  yield* (yield* ConnectionStore).saveState(workspaceId, stored, state.job_id, null)
  return true
})
