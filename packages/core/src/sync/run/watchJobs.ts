/** Jobs that watch a source: at most one per connection, and so on one node. */
import { Clock, Effect, Schema } from "effect"
import { ConnectionId, type JobId, type WorkspaceId } from "../../model/Id.ts"
import { type Job, JobStore, type NewJob } from "../../ports/JobStore.ts"
import { newJob } from "../../jobs/newJob.ts"

export const WATCH_QUEUE = "watch"

/** The payload of these jobs. */
export const WatchTask = Schema.fromJsonString(Schema.Struct({ connection_id: ConnectionId }))

export const watchJob = (workspaceId: WorkspaceId, connection_id: ConnectionId, now: number): NewJob =>
  newJob(workspaceId, now, {
    queue: WATCH_QUEUE,
    key: connection_id,
    payload: JSON.stringify({ connection_id }),
    // Each node that stops passes its watches on.
    max_attempts: 1_000,
    // It is replaced long before.
    deadline_seconds: 86_400,
    joins: true
  })

const PAGE = 100

const isLive = Effect.fnUntraced(function*({ key, workspace_id }: NewJob) {
  const jobs = yield* JobStore
  // In this order, a job that is claimed in between is not overlooked.
  for (const status of ["queued", "running"] as const) {
    for (let after: JobId | null = null;;) {
      const page: ReadonlyArray<Job> = yield* jobs.list(workspace_id, WATCH_QUEUE, { status, after, limit: PAGE })
      if (page.some((job) => job.key === key)) return true
      if (page.length < PAGE) break
      after = page.at(-1)!.job_id
    }
  }
  return false
})

/** Makes sure that the connection is watched. */
export const ensureWatch = Effect.fnUntraced(function*(workspaceId: WorkspaceId, id: ConnectionId) {
  const job = watchJob(workspaceId, id, yield* Clock.currentTimeMillis)
  if (!(yield* isLive(job))) yield* (yield* JobStore).enqueue(job, null)
})
