/** Runs one attempt of one job: with its lease, its deadline and its result. */
import { Cause, Clock, Context, Duration, Effect, Exit, Schedule, Tracer } from "effect"
import type { StorageUnavailable } from "../model/Error.ts"
import { type Claim, type Job, type JobError, JobStore, UNTIL_DONE } from "../ports/JobStore.ts"
import { retryPause } from "../ports/retryPause.ts"
import { TraceSampling } from "../ports/TraceSampling.ts"
import { isCollected, withSampling } from "../internal/collectedTraces.ts"
import { recordAttempt } from "./jobMetrics.ts"
import { spanOf } from "./jobTrace.ts"

/** The length of a lease. */
export const LEASE = Duration.seconds(30)

/** How often it is renewed. */
const BEAT = Duration.divideUnsafe(LEASE, 3)

/** Made once, because every job needs it, and parsing its text takes longer than storing an outcome in memory. */
const RETRY = { times: 5, schedule: Schedule.exponential(Duration.millis(100)) }

export interface Attempt extends Claim {
  /** Stores progress; interrupts the attempt if the job does not belong to this worker any more. */
  readonly report: (done: number, total: number) => Effect.Effect<void>
}

/** Returns the job's result as JSON text, or null. */
export type Handler<R> = (attempt: Attempt) => Effect.Effect<string | null, StorageUnavailable, R>

const UNEXPECTED: JobError = { error_code: "internal_server_error", message: "An unexpected error occurred." }
const UNAVAILABLE: JobError = {
  error_code: "service_unavailable",
  message: "The service is currently experiencing issues. Please try again later."
}
const LATE: JobError = { error_code: "deadline_exceeded", message: "It took longer than it may." }

/** What prevents an attempt may be over at any time, such as a full disk. */
const MAX_PAUSE = 60_000

/**
 * Somebody waits for a job with few attempts, and no longer than its deadline. While the storage is unavailable, which
 * is no fault of the job, it has as many attempts as that allows.
 */
const isOver = ({ attempt, deadline_seconds, max_attempts, started_at }: Job, error: JobError, now: number) => {
  if (error === LATE) return max_attempts < UNTIL_DONE
  if (attempt < max_attempts) return false
  return error !== UNAVAILABLE || now >= (started_at?.getTime() ?? 0) + 1_000 * deadline_seconds
}

const outcome = (job: Job, exit: Exit.Exit<string | null, StorageUnavailable>, timedOut: boolean, now: number) => {
  if (Exit.isSuccess(exit)) return { _tag: "Succeeded", result: exit.value } as const
  if (!timedOut && Cause.hasInterruptsOnly(exit.cause)) return { _tag: "Released" } as const
  const error = timedOut ? LATE : Cause.hasDies(exit.cause) ? UNEXPECTED : UNAVAILABLE
  return isOver(job, error, now)
    ? { _tag: "Failed", error } as const
    : { _tag: "Retry", error, at: new Date(now + Math.min(MAX_PAUSE, retryPause(job.attempt))) } as const
}

/** Of the trace in which the job was queued: under its span, and linked to it, since that may have ended long ago. */
const inTrace = ({ attempt, job_id, queue, trace, workspace_id }: Job) => {
  const parent = spanOf(trace)
  const ids = { job_id, queue, attempt, ...(parent === undefined ? {} : { trace_id: parent.traceId }) }
  const attributes = {
    "tributary.job.queue": queue,
    "tributary.job.id": job_id,
    "tributary.job.attempt": attempt,
    "tributary.workspace.id": workspace_id
  }
  const links = parent === undefined ? [] : [{ span: parent, attributes: {} }]
  return <A, E, R>(handled: Effect.Effect<A, E, R>) =>
    Effect.withFiber<A, E, R>((fiber) => {
      const sampling = Context.get(fiber.context, TraceSampling)
      if (sampling === null && !isCollected(fiber)) return handled
      const options = { kind: "consumer", parent, links, attributes, captureStackTrace: false } as const
      return parent?.sampled ?? sampling?.begins() ?? true
        ? withSampling(Effect.withSpan(handled, `job ${queue}`, options), sampling)
        : Effect.provideService(handled, Tracer.Tracer, Tracer.nativeTracer)
    }).pipe(Effect.annotateLogs(ids))
}

const finish = Effect.fnUntraced(function*(
  { job, lease }: Claim,
  exit: Exit.Exit<string | null, StorageUnavailable>,
  timedOut: boolean,
  began: number
) {
  const jobs = yield* JobStore
  const now = yield* Clock.currentTimeMillis
  const end = outcome(job, exit, timedOut, now)
  yield* recordAttempt(job, end._tag.toLowerCase(), began, now)
  // If this write fails, the lease expires and the job runs again, so a failure only delays it.
  yield* Effect.ignore(Effect.retry(jobs.finish(job.job_id, lease, end, new Date(now)), RETRY))
})

export const runJob = Effect.fnUntraced(function*<R>({ job, lease }: Claim, handler: Handler<R>) {
  const jobs = yield* JobStore
  /** Interrupts the attempt if the job was taken away: cancelled, superseded, or the lease was lost. */
  const renew = (progress: Job["progress"]) =>
    Effect.flatMap(
      Effect.orElseSucceed(jobs.heartbeat(job.job_id, lease, LEASE, progress), () => true),
      (held) => held ? Effect.void : Effect.interrupt
    )
  const lost = Effect.forever(Effect.delay(renew(null), BEAT))
  const report = (done: number, total: number) => renew({ done, total })

  const began = yield* Clock.currentTimeMillis
  let timedOut = false
  const late = Effect.sync(() => {
    timedOut = true
  }).pipe(Effect.delay(Duration.seconds(job.deadline_seconds)), Effect.andThen(Effect.interrupt))
  const attempt = Effect.raceAllFirst([handler({ job, lease, report }), lost, late]).pipe(
    Effect.onError((cause) => Cause.hasDies(cause) ? Effect.logError("job failed", cause) : Effect.void),
    inTrace(job)
  )
  yield* Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.exit(restore(attempt)), (exit) => finish({ job, lease }, exit, timedOut, began))
  )
})
