/** Jobs that serve webhooks, at most one at a time for each, and jobs that announce ask jobs. */
import { Clock, Effect, Schema } from "effect"
import { JobId, WebhookId, type WorkspaceId } from "../../model/Id.ts"
import { JobStore, type NewJob } from "../../ports/JobStore.ts"
import { webhookStore } from "../webhookStore.ts"
import { newJob } from "../../jobs/newJob.ts"
import { dueTimes } from "../../scheduling/dueTimes.ts"

export const WEBHOOK_QUEUE = "webhooks"
export const ANNOUNCEMENT_QUEUE = "announcements"

export const WebhookTask = Schema.fromJsonString(Schema.Struct({ webhook_id: WebhookId }))
export const AnnouncementTask = Schema.fromJsonString(Schema.Struct({ job_id: JobId }))

const job = (workspaceId: WorkspaceId, queue: string, key: string, payload: string, now: number): NewJob =>
  newJob(workspaceId, now, {
    queue,
    key,
    payload,
    // For nodes that die and storage failures; errors of the receiver are not failures of the job.
    max_attempts: 100,
    deadline_seconds: 3_600,
    joins: true
  })

export const announcementJob = (workspaceId: WorkspaceId, job_id: JobId, now: number): NewJob =>
  job(workspaceId, ANNOUNCEMENT_QUEUE, job_id, JSON.stringify({ job_id }), now)

/** How many webhooks are queued at a time. */
const AT_ONCE = 1_000

/** Returns what queues a job for each due webhook; an already queued one is joined. */
export const startingDueWebhooks = () => {
  const dueUntil = dueTimes()
  return Effect.gen(function*() {
    const jobs = yield* JobStore
    const now = yield* Clock.currentTimeMillis
    const due = yield* (yield* webhookStore).due(dueUntil(now), AT_ONCE)
    yield* Effect.forEach(
      due,
      ({ webhook_id, workspace_id }) =>
        jobs.enqueue(job(workspace_id, WEBHOOK_QUEUE, webhook_id, JSON.stringify({ webhook_id }), now), null),
      { discard: true }
    )
  })
}
