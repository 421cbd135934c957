/** The background work of one process: builds, ask jobs, syncs, watches, webhooks, deletions and pruning. */
import { Clock, type Duration, Effect, Layer, Schedule } from "effect"
import { answerJob } from "../ask/answerJob.ts"
import { ASK_QUEUE } from "../ask/askJobs.ts"
import { CONTEXT_QUEUE } from "../context/contextJobs.ts"
import { ContextViews } from "../context/ContextViews.ts"
import { queueingPurges } from "../context/purge.ts"
import { updateContext } from "../context/updateContext.ts"
import type { StorageUnavailable } from "../model/Error.ts"
import { DocumentStore } from "../ports/DocumentStore.ts"
import { JobStore } from "../ports/JobStore.ts"
import { Providers } from "../sync/Providers.ts"
import { SYNC_QUEUE } from "../sync/run/syncJobs.ts"
import { syncResource } from "../sync/run/syncResource.ts"
import { watchConnection } from "../sync/run/watchConnection.ts"
import { WATCH_QUEUE } from "../sync/run/watchJobs.ts"
import { Syncs } from "../sync/Syncs.ts"
import { UsageLog } from "../usage/UsageLog.ts"
import { announceAsk, queueAnnouncement } from "../webhooks/run/announceAsk.ts"
import { serveWebhook } from "../webhooks/run/serveWebhook.ts"
import { ANNOUNCEMENT_QUEUE, startingDueWebhooks, WEBHOOK_QUEUE } from "../webhooks/run/webhookJobs.ts"
import { keepRunning } from "./keepRunning.ts"
import { maintenance } from "./maintenance.ts"
import { MAINTENANCE_QUEUE } from "./maintenanceJobs.ts"
import { pruning } from "./retention.ts"
import type { Attempt, Handler } from "./runJob.ts"
import { type Lane, runJobs } from "./runJobs.ts"

/** Its workspace's usage shows what it has added. */
const sync = (attempt: Attempt) =>
  Effect.flatMap(UsageLog, ({ touch }) => Effect.ensuring(syncResource(attempt), touch(attempt.job.workspace_id)))

/** It may last for days, and what it starts then is no part of what began it. */
const watch = (attempt: Attempt) => Effect.withTracerEnabled(watchConnection(attempt), false)

type Services = Effect.Services<
  ReturnType<
    | typeof announceAsk
    | typeof answerJob
    | typeof maintenance
    | typeof serveWebhook
    | typeof sync
    | typeof updateContext
    | typeof watch
  >
>

const lane = (slots: number, handlers: Readonly<Record<string, Handler<Services>>>): Lane<Services> => ({
  slots,
  handlers: new Map(Object.entries(handlers))
})

const jobs = lane(4, { [CONTEXT_QUEUE]: updateContext, [MAINTENANCE_QUEUE]: maintenance })

/** A workspace may queue a thousand questions, of which each may take minutes: no context and no deletion waits for them. */
const asks = lane(4, { [ASK_QUEUE]: answerJob })

/** Syncs take long, and must not delay other jobs. */
const syncs = lane(4, { [SYNC_QUEUE]: sync })

/** Resources that are not watched wait for another process or a free place, and are pulled on schedule. */
const watches = lane(100, { [WATCH_QUEUE]: watch })

/** Webhooks mostly wait for their receivers. */
const webhooks = lane(16, { [WEBHOOK_QUEUE]: serveWebhook, [ANNOUNCEMENT_QUEUE]: announceAsk })

const sweeping = Effect.map(pruning, (prune) => {
  const queuePurges = queueingPurges()
  return Effect.gen(function*() {
    yield* prune
    yield* queuePurges
    yield* (yield* DocumentStore).pruneTombstones
    yield* (yield* ContextViews).sweep
  })
})

const reap = Effect.gen(function*() {
  const jobs = yield* JobStore
  const taken = yield* jobs.reap(new Date(yield* Clock.currentTimeMillis))
  // Nobody else says that it ended: who ran its last attempt is gone.
  const ended = taken.filter(({ queue, status }) => queue === ASK_QUEUE && status === "failed")
  yield* Effect.forEach(ended, queueAnnouncement, { discard: true })
})

const every = <R>(interval: Duration.Input, task: Effect.Effect<void, StorageUnavailable, R>) =>
  Effect.forkScoped(Effect.repeat(keepRunning(task), Schedule.spaced(interval)))

export const layer = Layer.effectDiscard(Effect.gen(function*() {
  const isWatching = (yield* Providers).some(({ changes }) => changes !== undefined)
  yield* runJobs([jobs, asks, syncs, ...(isWatching ? [watches] : []), webhooks])
  yield* every("5 seconds", (yield* Syncs).startDue)
  yield* every("1 second", startingDueWebhooks())
  yield* every("10 seconds", reap)
  yield* every("1 hour", yield* sweeping)
}))
