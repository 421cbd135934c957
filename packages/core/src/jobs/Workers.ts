/** The background work of one process: builds, ask jobs, syncs, watches, webhooks, deletions and pruning. */
import { Clock, Duration, Effect, FiberSet, Latch, Layer, Option, Schedule } from "effect"
import { answerQuestion } from "../ask/answerQuestion.ts"
import { Narrowed } from "../people/Narrowed.ts"
import { ASK_QUEUE, readRequest, writeAnswer } from "../ask/askJobs.ts"
import { Asking, QuestionLog, type Questions } from "../ask/Questions.ts"
import { CONTEXT_QUEUE, isRebuild } from "../context/contextJobs.ts"
import { ContextViews } from "../context/ContextViews.ts"
import { embedContext } from "../search/embedContext.ts"
import { remindHiding } from "../context/purge.ts"
import { maintenance } from "./maintenance.ts"
import { MAINTENANCE_QUEUE } from "./maintenanceJobs.ts"
import type { VectorSearch } from "../search/VectorSearch.ts"
import { retryRead } from "../context/retryRead.ts"
import { rebuildContext } from "../context/rebuildContext.ts"
import { refreshContext } from "../context/refreshContext.ts"
import { SYNC_QUEUE } from "../sync/run/syncJobs.ts"
import { syncResource } from "../sync/run/syncResource.ts"
import { WATCH_QUEUE } from "../sync/run/watchJobs.ts"
import { watchConnection } from "../sync/run/watchConnection.ts"
import { type Attempt, type Handler, LEASE, runJob } from "./runJob.ts"
import type { StorageUnavailable } from "../model/Error.ts"
import { QuestionId } from "../model/Id.ts"
import { OPERATOR } from "../model/Principal.ts"
import { SESSION_IDLE } from "../model/Session.ts"
import { DAY, dayOf } from "../model/Day.ts"
import { MAX_HISTORY_DAYS } from "../model/UsageHistory.ts"
import type { Answerer } from "../ports/Answerer.ts"
import { ApiKeyStore } from "../ports/ApiKeyStore.ts"
import { AuditStore } from "../ports/AuditStore.ts"
import type { ConnectionStore } from "../ports/ConnectionStore.ts"
import type { ConnectorStore } from "../ports/ConnectorStore.ts"
import { DocumentStore } from "../ports/DocumentStore.ts"
import { type Claim, JobStore } from "../ports/JobStore.ts"
import type { KnowledgeStore } from "../ports/KnowledgeStore.ts"
import { PeopleStore } from "../ports/PeopleStore.ts"
import { QuestionStore } from "../ports/QuestionStore.ts"
import { SessionStore } from "../ports/SessionStore.ts"
import type { TextExtractor } from "../ports/TextExtractor.ts"
import { UsageStore } from "../ports/UsageStore.ts"
import { UsageLog } from "../usage/UsageLog.ts"
import type { WorkspaceStore } from "../ports/WorkspaceStore.ts"
import { announceAsk, queueAnnouncement } from "../webhooks/run/announceAsk.ts"
import { publishRebuilt } from "../webhooks/publishRebuilt.ts"
import { serveWebhook } from "../webhooks/run/serveWebhook.ts"
import { ANNOUNCEMENT_QUEUE, startDueWebhooks, WEBHOOK_QUEUE } from "../webhooks/run/webhookJobs.ts"
import { Providers } from "../sync/Providers.ts"
import { Syncs } from "../sync/Syncs.ts"
import { webhookStore } from "../webhooks/webhookStore.ts"

/** How many jobs run in one process at a time. */
const CONCURRENCY = 4

/** How many syncs run in addition: they take long, and must not delay other jobs. */
const SYNCS = 4

/**
 * How many resources one process watches. Others wait for another process or a free place, and are pulled on schedule.
 */
const WATCHES = 100

/** How many webhooks one process handles at a time: they mostly wait for their receivers. */
const WEBHOOKS = 16

/** How soon a job without a notification is found. */
const POLL = Duration.seconds(1)

const JOBS_KEPT = 30 * DAY
const EVENTS_KEPT = 90 * DAY
const AUDIT_KEPT = 365 * DAY
const QUESTIONS_KEPT = 30 * DAY
const TRAFFIC_KEPT = 31 * DAY
const DELIVERIES_KEPT = 30 * DAY
const USAGE_KEPT = MAX_HISTORY_DAYS * DAY

const ask = Effect.fnUntraced(function*({ job }: Attempt) {
  const { principal = OPERATOR, shown = null, ...request } = yield* Effect.orDie(readRequest(job.payload))
  // A retried attempt logs the same question.
  const asker = { principal, question_id: QuestionId.make(job.job_id) }
  const answer = yield* answerQuestion(job.workspace_id, request).pipe(
    Effect.provideService(Asking, asker),
    Effect.provideService(Narrowed, shown),
    Effect.onError(() => Effect.ignore(queueAnnouncement(job)))
  )
  yield* queueAnnouncement(job)
  return yield* Effect.orDie(writeAnswer(answer))
})

const build = Effect.fnUntraced(function*({ job, lease, report }: Attempt) {
  const { job_id, workspace_id } = job
  const tenure = { job_id, lease }
  if (isRebuild(job)) {
    yield* rebuildContext(workspace_id, tenure, report)
    yield* publishRebuilt(workspace_id, job_id)
  } else {
    yield* retryRead(workspace_id, refreshContext(workspace_id, tenure))
  }
  yield* retryRead(workspace_id, embedContext(workspace_id, tenure))
  return null
})

const handlers = Effect.gen(function*() {
  const context = yield* Effect.context<
    | Answerer
    | ConnectorStore
    | ContextViews
    | DocumentStore
    | JobStore
    | KnowledgeStore
    | Questions
    | VectorSearch
    | WorkspaceStore
  >()
  const maintain = yield* maintenance
  return new Map<string, Handler>([
    [ASK_QUEUE, (attempt) => Effect.provide(ask(attempt), context)],
    [CONTEXT_QUEUE, (attempt) => Effect.provide(build(attempt), context)],
    [MAINTENANCE_QUEUE, ({ job }) => maintain(job)]
  ])
})

const syncing = Effect.gen(function*() {
  const context = yield* Effect.context<
    ConnectionStore | DocumentStore | JobStore | TextExtractor | WorkspaceStore
  >()
  const usage = yield* UsageLog
  return new Map<string, Handler>([[
    SYNC_QUEUE,
    (attempt) => Effect.ensuring(Effect.provide(syncResource(attempt), context), usage.touch(attempt.job.workspace_id))
  ]])
})

const watching = Effect.gen(function*() {
  const context = yield* Effect.context<ConnectionStore | DocumentStore | JobStore | WorkspaceStore>()
  return new Map<string, Handler>([[
    WATCH_QUEUE,
    // It may last for days, and what it starts then is no part of what began it.
    (attempt) => Effect.withTracerEnabled(Effect.provide(watchConnection(attempt), context), false)
  ]])
})

const delivering = Effect.gen(function*() {
  const context = yield* Effect.context<
    ApiKeyStore | DocumentStore | JobStore | WorkspaceStore
  >()
  return new Map<string, Handler>([
    [WEBHOOK_QUEUE, (attempt) => Effect.provide(serveWebhook(attempt), context)],
    [ANNOUNCEMENT_QUEUE, (attempt) => Effect.provide(announceAsk(attempt), context)]
  ])
})

/** Background work continues after storage failures and defects, but not after an interruption. */
const goesOn = <A, R>(task: Effect.Effect<A, StorageUnavailable, R>): Effect.Effect<Option.Option<A>, never, R> =>
  task.pipe(
    Effect.asSome,
    Effect.catch(() => Effect.succeedNone),
    Effect.catchDefect((defect) => Effect.as(Effect.logError("background work failed", defect), Option.none()))
  )

/** Queues whose jobs share places in this process. */
interface Lane {
  readonly handlers: ReadonlyMap<string, Handler>
  readonly places: number
}

/**
 * Claims and runs jobs for the lifetime of the layer. Running jobs are requeued at its end. One loop claims for all
 * lanes, because every change wakes each loop, and each asks the store.
 */
const runJobs = Effect.fnUntraced(function*(lanes: ReadonlyArray<Lane>) {
  const jobs = yield* JobStore
  const running = yield* FiberSet.make<void>()
  const free = new Map(lanes.map((lane) => [lane, lane.places]))
  const laneOf = new Map(lanes.flatMap((lane) => [...lane.handlers.keys()].map((queue) => [queue, lane] as const)))
  /** Open after a change, or when a full lane has a place again. */
  const woken = Latch.makeUnsafe()
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(jobs.changed, woken.open)), { startImmediately: true })

  const run = (claimed: Claim, lane: Lane, handler: Handler) =>
    Effect.suspend(() => {
      free.set(lane, free.get(lane)! - 1)
      const leave = Effect.suspend(() => {
        const before = free.get(lane)!
        free.set(lane, before + 1)
        return before === 0 ? woken.open : Effect.void
      })
      return FiberSet.run(running, Effect.ensuring(runJob(claimed, handler), leave))
    })

  const next = Effect.gen(function*() {
    yield* woken.close
    const queues = lanes.flatMap((lane) => free.get(lane)! > 0 ? [...lane.handlers.keys()] : [])
    const claimed = queues.length === 0
      ? Option.none<Claim>()
      : yield* Effect.flatMap(Clock.currentTimeMillis, (now) => jobs.claim(queues, LEASE, new Date(now)))
        .pipe(goesOn, Effect.map(Option.flatten))
    // A timer beside the loop would run on while a test clock moves and claims wait.
    if (Option.isNone(claimed)) return yield* Effect.timeoutOption(woken.await, POLL)
    const { queue } = claimed.value.job
    const lane = laneOf.get(queue)!
    return yield* run(claimed.value, lane, lane.handlers.get(queue)!)
  })
  return yield* Effect.forever(next)
})

/** For a backend without people. */
const sweepPeople = Effect.fnUntraced(function*(now: number) {
  const audit = yield* Effect.serviceOption(AuditStore)
  if (Option.isSome(audit)) yield* audit.value.prune(new Date(now - AUDIT_KEPT))
  const people = yield* Effect.serviceOption(PeopleStore)
  if (Option.isSome(people)) yield* people.value.prune(new Date(now))
  const sessions = yield* Effect.serviceOption(SessionStore)
  if (Option.isSome(sessions)) {
    yield* sessions.value.prune({ now: new Date(now), seenAfter: new Date(now - SESSION_IDLE) })
  }
})

const sweep = Effect.gen(function*() {
  const jobs = yield* JobStore
  const documents = yield* DocumentStore
  const now = yield* Clock.currentTimeMillis
  yield* jobs.prune(new Date(now - JOBS_KEPT))
  yield* documents.pruneEvents(new Date(now - EVENTS_KEPT))
  yield* (yield* ApiKeyStore).pruneTraffic(dayOf(now - TRAFFIC_KEPT))
  yield* (yield* UsageStore).prune(dayOf(now - USAGE_KEPT))
  yield* (yield* QuestionStore).prune(new Date((yield* QuestionLog) ? now - QUESTIONS_KEPT : now + 1))
  yield* sweepPeople(now)
  yield* (yield* webhookStore).prune(new Date(now - DELIVERIES_KEPT))
  yield* remindHiding
  yield* documents.pruneTombstones
  yield* (yield* ContextViews).sweep
})

const reap = Effect.gen(function*() {
  const jobs = yield* JobStore
  const taken = yield* jobs.reap(new Date(yield* Clock.currentTimeMillis))
  // Nobody else says that it ended: who ran its last attempt is gone.
  const ended = taken.filter(({ queue, status }) => queue === ASK_QUEUE && status === "failed")
  yield* Effect.forEach(ended, queueAnnouncement, { discard: true })
})

const every = <R>(interval: Duration.Input, task: Effect.Effect<void, StorageUnavailable, R>) =>
  Effect.repeat(goesOn(task), Schedule.spaced(interval))

export const layer = Layer.effectDiscard(Effect.gen(function*() {
  const watches = (yield* Providers).some(({ changes }) => changes !== undefined)
  yield* Effect.forkScoped(runJobs([
    { handlers: yield* handlers, places: CONCURRENCY },
    { handlers: yield* syncing, places: SYNCS },
    ...(watches ? [{ handlers: yield* watching, places: WATCHES }] : []),
    { handlers: yield* delivering, places: WEBHOOKS }
  ]))
  yield* Effect.forkScoped(every("5 seconds", (yield* Syncs).startDue))
  yield* Effect.forkScoped(every("1 second", startDueWebhooks))
  yield* Effect.forkScoped(every("10 seconds", reap))
  yield* Effect.forkScoped(every("1 hour", sweep))
}))
