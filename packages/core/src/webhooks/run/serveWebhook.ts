/** Serves one webhook until nothing is left to send now. Only one job does this at a time. */
import { Clock, Effect, Option, Schema } from "effect"
import type { WebhookId, WorkspaceId } from "../../model/Id.ts"
import type { Attempt } from "../../jobs/runJob.ts"
import type { FencingToken } from "../../ports/JobStore.ts"
import { WorkspaceStore } from "../../ports/WorkspaceStore.ts"
import { MAX_BACKOFF } from "../../sync/backoff.ts"
import { attemptDelivery } from "./attemptDelivery.ts"
import { fanOut } from "./fanOut.ts"
import { checkReceiver } from "./checkReceiver.ts"
import { WebhookTask } from "./webhookJobs.ts"
import { webhookStore } from "../webhookStore.ts"

/** How many events are sent to one receiver at a time; no two of them are about the same document. */
const AT_ONCE = 8

/** How often to check for events without a document change: a changed plan, or a key that expires. */
const CHECK = 3_600_000

/** Then the job makes way for webhooks that wait, and another one continues. In milliseconds. */
const MAX_RUN = 20_000

/** Whether to wait for it. A time that is further ahead than any pause was set before the clock was set back. */
const isAhead = (time: Date | null, now: number): time is Date =>
  time !== null && time.getTime() > now && time.getTime() - now <= MAX_BACKOFF

/** Whether there may be more to do now; for later work the webhook's due time is set. A suspended workspace stays due. */
const round = Effect.fnUntraced(function*(workspaceId: WorkspaceId, webhookId: WebhookId, fencingToken: FencingToken) {
  const store = yield* webhookStore
  const workspace = yield* (yield* WorkspaceStore).find(workspaceId)
  const webhook = yield* store.find(workspaceId, webhookId)
  if (Option.isNone(workspace) || Option.isNone(webhook) || webhook.value.status !== "active") return false
  const now = yield* Clock.currentTimeMillis
  if (workspace.value.suspended) {
    yield* store.wake(workspaceId, webhookId, new Date(now))
    return false
  }
  // While the receiver is paused, too: its events are listed as pending.
  const isMore = yield* fanOut(workspace.value, webhook.value)
  const { paused_until } = webhook.value
  if (isAhead(paused_until, now)) {
    if (!isMore) yield* store.wake(workspaceId, webhookId, paused_until)
    return isMore
  }
  const readyAt = (at: Date) => store.ready(workspaceId, webhookId, at, AT_ONCE)
  let ready = yield* readyAt(new Date(yield* Clock.currentTimeMillis))
  if (ready.length === 0) {
    if (isMore) return true
    const { next } = yield* store.backlog(workspaceId, webhookId, 1)
    if (next === null) return false
    if (isAhead(next, now)) {
      yield* store.wake(workspaceId, webhookId, next)
      return false
    }
    ready = yield* readyAt(next)
  }
  const outcomes = yield* Effect.forEach(
    ready,
    (delivery) => attemptDelivery(workspaceId, webhook.value, delivery, fencingToken),
    { concurrency: AT_ONCE }
  )
  yield* checkReceiver(workspace.value, webhook.value, outcomes, fencingToken)
  return true
})

export const serveWebhook = Effect.fn("webhooks.run")(function*({ job, lease }: Attempt) {
  const store = yield* webhookStore
  const { webhook_id } = yield* Effect.orDie(Schema.decodeEffect(WebhookTask)(job.payload))
  const { job_id, workspace_id } = job
  const began = yield* Clock.currentTimeMillis
  // Events from here on make it due again, so nothing is missed between the last read and the end of the job.
  yield* store.begin(workspace_id, webhook_id, new Date(began + CHECK))
  while (yield* round(workspace_id, webhook_id, { job_id, lease })) {
    const now = yield* Clock.currentTimeMillis
    if (now - began < MAX_RUN) continue
    yield* store.wake(workspace_id, webhook_id, new Date(now))
    break
  }
  return null
})
