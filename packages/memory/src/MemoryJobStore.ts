/** Durable jobs in memory: they outlive the fiber that runs them, not the process. */
import { JobStore } from "@tributary/core/ports/JobStore"
import { Clock, Duration, Effect, Layer, Match, Option } from "effect"
import { found } from "./internal/copied.ts"
import { State } from "./internal/State.ts"

export const layer = Layer.effect(
  JobStore,
  Effect.gen(function*() {
    const { jobs } = yield* State

    return JobStore.of({
      enqueue: (job, maxWaiting) => Effect.sync(() => Option.fromNullOr(jobs.enqueue(job, maxWaiting))),

      claim: (queues, lease, now, passedOver = []) =>
        Effect.map(
          Clock.currentTimeMillis,
          (millis) =>
            Option.fromNullOr(jobs.claim(queues, { until: millis + Duration.toMillis(lease) }, now, passedOver))
        ),

      heartbeat: (jobId, lease, length, progress) =>
        Effect.map(Clock.currentTimeMillis, (millis) => {
          const row = jobs.held(jobId, lease, millis)
          if (row === undefined) return false
          row.lease.until = millis + Duration.toMillis(length)
          if (progress !== null) jobs.update(row, { progress })
          return true
        }),

      finish: (jobId, lease, outcome, now) =>
        Effect.map(Clock.currentTimeMillis, (millis) => {
          const row = jobs.held(jobId, lease, millis)
          if (row === undefined) return false
          const { attempt, started_at } = row.job
          Match.valueTags(outcome, {
            Succeeded: ({ result }) => jobs.update(row, { status: "succeeded", finished_at: now, result }),
            Failed: ({ error }) => jobs.update(row, { status: "failed", finished_at: now, error }),
            Retry: ({ at, error }) => jobs.requeue(row, { run_at: at, error }, now),
            Released: () =>
              jobs.update(row, {
                status: "queued",
                attempt: attempt - 1,
                started_at: attempt === 1 ? null : started_at,
                progress: null
              })
          })
          return true
        }),

      cancel: (workspaceId, queue, jobId, now) =>
        Effect.sync(() => {
          const row = jobs.find(workspaceId, queue, jobId)
          if (row !== undefined) jobs.cancel(row, now)
          return found(row?.job)
        }),

      find: (workspaceId, queue, jobId) => Effect.sync(() => found(jobs.find(workspaceId, queue, jobId)?.job)),

      list: (workspaceId, queue, options) => Effect.sync(() => jobs.list(workspaceId, queue, options)),

      reap: (now) => Effect.map(Clock.currentTimeMillis, (millis) => jobs.reap(millis, now)),

      prune: (before) => Effect.sync(() => jobs.prune(before)),

      pruneFollowed: (exceptOf, before) => Effect.sync(() => jobs.pruneFollowed(exceptOf, before)),

      changed: jobs.changed
    })
  })
)
