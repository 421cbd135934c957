/** Durable jobs in SQLite. */
import { JobStore } from "@tributary/core/ports/JobStore"
import { repeatSteps } from "@tributary/core/ports/repeatSteps"
import { Clock, Duration, Effect, Layer, Option } from "effect"
import { Database } from "./internal/Database.ts"
import { first } from "./rows/first.ts"
import { JOB, type JobColumns, toJob } from "./rows/jobRows.ts"
import { NEXT } from "./writes/jobs.ts"

const PRUNED_AT_ONCE = 5_000

export const layer = Layer.effect(
  JobStore,
  Effect.gen(function*() {
    const { announcing, changed, read, readOpen, write } = yield* Database

    return JobStore.of({
      enqueue: (job, maxWaiting) => announcing(Effect.map(write("enqueue", job, maxWaiting), Option.fromNullOr)),

      // Most polls find nothing, and then no write is needed.
      claim: Effect.fnUntraced(function*(queues, lease, now, passedOver = []) {
        const wanted = [JSON.stringify(queues), now, JSON.stringify(passedOver)] as const
        const isAny = yield* read((db) => db.get(NEXT, ...wanted) !== undefined)
        if (!isAny) return Option.none()
        const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(lease)
        return Option.fromNullOr(yield* write("claim", ...wanted, until))
      }),

      heartbeat: (jobId, lease, length, progress) =>
        Effect.flatMap(
          Clock.currentTimeMillis,
          (millis) => write("heartbeat", jobId, lease, millis, millis + Duration.toMillis(length), progress)
        ),

      finish: (jobId, lease, outcome, now) =>
        announcing(
          Effect.flatMap(Clock.currentTimeMillis, (millis) => write("finish", jobId, lease, millis, outcome, now))
        ),

      cancel: (workspaceId, queue, jobId, now) =>
        announcing(Effect.map(write("cancel", workspaceId, queue, jobId, now), Option.fromNullOr)),

      find: (workspaceId, queue, jobId) =>
        readOpen(workspaceId, Option.none(), (db) =>
          first(
            db.get<JobColumns>(
              `SELECT ${JOB} FROM jobs WHERE job_id = ? AND workspace_id = ? AND queue = ?`,
              jobId,
              workspaceId,
              queue
            ),
            toJob
          )),

      list: (workspaceId, queue, { after, limit, status }) =>
        readOpen(workspaceId, [], (db) =>
          db.all<JobColumns>(
            `SELECT ${JOB} FROM jobs WHERE workspace_id = ?1 AND queue = ?2 AND (?3 IS NULL OR status = ?3)
                ${after === null ? "AND ?4 IS NULL" : "AND job_id < ?4"} ORDER BY job_id DESC LIMIT ?5`,
            workspaceId,
            queue,
            status,
            after,
            limit
          ).map(toJob)),

      reap: (now) => announcing(Effect.flatMap(Clock.currentTimeMillis, (millis) => write("reap", millis, now))),

      prune: (before) => repeatSteps(PRUNED_AT_ONCE, write("pruneJobs", before, PRUNED_AT_ONCE)),

      pruneFollowed: (exceptOf, before) =>
        repeatSteps(PRUNED_AT_ONCE, write("pruneFollowedJobs", exceptOf, before, PRUNED_AT_ONCE)),

      changed
    })
  })
)
