/**
 * Publishes how an ask job ended. The job cannot do that itself, because it has ended only when its result is stored.
 * So it queues an announcement first, which waits for the end.
 */
import { Clock, Effect, Option, Schema } from "effect"
import { ASK_QUEUE } from "../../ask/askJobs.ts"
import type { Attempt } from "../../jobs/runJob.ts"
import { type Job, JobStore } from "../../ports/JobStore.ts"
import { derivedId } from "../messages.ts"
import { publish, subscribesTo } from "../publish.ts"
import { announcementJob, AnnouncementTask } from "./webhookJobs.ts"
import { webhookStore } from "../webhookStore.ts"

const POLL = "200 millis"

const TYPES = { succeeded: "ask.succeeded", failed: "ask.failed", cancelled: "ask.cancelled" } as const

/**
 * Called at the end of an attempt, and when a job is cancelled. Called at its start, too, with a delay: after the end of
 * its server and of the one that notices it, nobody else announces it.
 */
export const queueAnnouncement = Effect.fnUntraced(
  function*({ job_id, workspace_id }: Pick<Job, "job_id" | "workspace_id">, delay_seconds = 0) {
    const webhooks = yield* (yield* webhookStore).list(workspace_id)
    if (!webhooks.some((webhook) => Object.values(TYPES).some((type) => subscribesTo(type)(webhook)))) return
    const now = yield* Clock.currentTimeMillis
    const run_at = new Date(now + delay_seconds * 1_000)
    yield* (yield* JobStore).enqueue({ ...announcementJob(workspace_id, job_id, now), run_at }, null)
  }
)

/** A question that will be retried is announced by its next attempt. */
export const announceAsk = Effect.fn("webhooks.announce")(function*({ job: { payload, workspace_id } }: Attempt) {
  const jobs = yield* JobStore
  const { job_id } = yield* Effect.orDie(Schema.decodeEffect(AnnouncementTask)(payload))
  const find = jobs.find(workspace_id, ASK_QUEUE, job_id)
  let found = yield* find
  while (Option.exists(found, ({ status }) => status === "running")) found = yield* Effect.delay(find, POLL)
  if (Option.isNone(found)) return null
  const { attempt, created_at, error, finished_at, status } = found.value
  if (finished_at === null || status === "queued" || status === "running") return null
  const event = {
    id: derivedId(`ask ${job_id}`),
    subject: job_id,
    at: finished_at,
    data: {
      job_id,
      status,
      attempt,
      created_at: created_at.toISOString(),
      finished_at: finished_at.toISOString(),
      error: status === "failed" ? error : null
    }
  }
  yield* publish(workspace_id, TYPES[status], Effect.succeed(event))
  return null
})
