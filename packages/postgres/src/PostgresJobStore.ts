/** Durable jobs on Postgres: one table, leases by the database's clock. */
import type { JobId } from "@tributary/core/model/Id"
import { JobStore, type ReapedJob } from "@tributary/core/ports/JobStore"
import { LEASE_LOST } from "@tributary/core/ports/leaseLost"
import { MAX_DOUBLINGS } from "@tributary/core/ports/retryPause"
import { Duration, Effect, Layer, Option } from "effect"
import { Database } from "./internal/Database.ts"
import { first } from "./internal/first.ts"
import { type JobColumns, jobColumns, toJob, underLease } from "./internal/rows/jobRows.ts"
import { JobSignal } from "./internal/JobSignal.ts"
import { deleteSteps } from "./internal/pruning.ts"
import { moment } from "./internal/moment.ts"
import { GREATEST_ID, limitTo } from "./internal/page.ts"
import { stored } from "./internal/storageErrors.ts"
import { asyncCommit } from "./internal/asyncCommit.ts"

/** The number of jobs deleted at a time. */
const STEP = 500

const isAny = (rows: ReadonlyArray<unknown>): boolean => rows.length > 0

export const layer = Layer.effect(
  JobStore,
  Effect.gen(function*() {
    const database = yield* Database
    const { isOpen, our, sql } = database
    const { announcing, changed } = yield* JobSignal
    const columns = jobColumns(database)
    const jobs = our("jobs")

    const held = (jobId: JobId, lease: string) => underLease(sql, jobId, lease)
    const inQueue = (workspaceId: string, queue: string) =>
      sql`j.workspace_id = ${workspaceId}::uuid AND j.queue = ${queue}::text AND ${isOpen(workspaceId)}`
    const released = sql.literal("lease = NULL, lease_until = NULL")
    const pause = sql.literal(`make_interval(secs => 2 ^ least(j.attempt - 1, ${MAX_DOUBLINGS}))`)

    return JobStore.of({
      enqueue: (job, maxWaiting) =>
        announcing(stored(
          sql<{ readonly job_id: JobId | null }>`
            SELECT ${our("enqueue")}(${JSON.stringify(job)}::text::jsonb, ${maxWaiting}::integer)::text AS job_id`,
          ([row]) => Option.fromNullishOr(row?.job_id)
        )),

      claim: (queues, lease, now, passedOver = []) =>
        stored(
          sql<JobColumns & { readonly lease: string }>`SELECT ${columns}, j.lease
            FROM ${our("claim")}(${[...queues]}::text[], ${Duration.toSeconds(lease)}::double precision,
              ${moment(now)}::timestamptz, ${[...passedOver]}::uuid[]) j`,
          first(({ lease, ...fields }) => ({ job: toJob(fields), lease }))
        ),

      heartbeat: (jobId, lease, length, progress) =>
        stored(
          sql`UPDATE ${jobs} j SET
              lease_until = clock_timestamp() + make_interval(secs => ${Duration.toSeconds(length)}::double precision),
              progress = coalesce(${progress === null ? null : JSON.stringify(progress)}::text, j.progress)
            FROM ${asyncCommit(sql)}
            WHERE ${held(jobId, lease)} RETURNING 1 AS one`,
          isAny
        ),

      finish: (jobId, lease, outcome, now) => {
        const ended = (status: string) =>
          sql`status = ${status}::text, finished_at = ${moment(now)}::timestamptz, ${released}`
        const change = () => {
          switch (outcome._tag) {
            case "Succeeded":
              return sql`${ended("succeeded")}, result = ${outcome.result}::text`
            case "Failed":
              return sql`${ended("failed")}, error = ${JSON.stringify(outcome.error)}::text`
            case "Retry":
              return sql`status = 'queued', run_at = ${moment(outcome.at)}::timestamptz, queued_at = clock_timestamp(),
                due_at = clock_timestamp() + (${moment(outcome.at)}::timestamptz - ${moment(now)}::timestamptz),
                error = ${JSON.stringify(outcome.error)}::text, ${released}`
            case "Released":
              return sql`status = 'queued', attempt = j.attempt - 1, progress = NULL, ${released},
                started_at = CASE WHEN j.attempt = 1 THEN NULL ELSE j.started_at END`
          }
        }
        return announcing(stored(
          sql`UPDATE ${jobs} j SET ${change()} WHERE ${held(jobId, lease)} RETURNING 1 AS one`,
          isAny
        ))
      },

      // One statement that also touches a finished job: it returns the current state once it has the row.
      cancel: (workspaceId, queue, jobId, now) =>
        announcing(stored(
          sql<JobColumns>`UPDATE ${jobs} j SET
              status = CASE WHEN j.finished_at IS NULL THEN 'cancelled' ELSE j.status END,
              finished_at = coalesce(j.finished_at, ${moment(now)}::timestamptz), ${released}
            WHERE j.job_id = ${jobId}::uuid AND ${inQueue(workspaceId, queue)} RETURNING ${columns}`,
          first(toJob)
        )),

      find: (workspaceId, queue, jobId) =>
        stored(
          sql<JobColumns>`SELECT ${columns} FROM ${jobs} j
            WHERE j.job_id = ${jobId}::uuid AND ${inQueue(workspaceId, queue)}`,
          first(toJob)
        ),

      list: (workspaceId, queue, { after, limit, status }) =>
        stored(
          sql<JobColumns>`SELECT ${columns}
            FROM ${our("jobs_before")}(${workspaceId}::uuid, ${queue}::text, ${status}::text,
              ${after ?? GREATEST_ID}::uuid, ${limit}::integer) j
            WHERE ${isOpen(workspaceId)} ORDER BY j.job_id DESC`,
          (rows) => rows.map(toJob)
        ),

      // Rows that another node takes back at this moment are left to it.
      reap: (now) =>
        announcing(stored(
          sql<ReapedJob>`UPDATE ${jobs} j SET
              status = CASE WHEN j.attempt >= j.max_attempts THEN 'failed' ELSE 'queued' END,
              finished_at = CASE WHEN j.attempt >= j.max_attempts THEN ${moment(now)}::timestamptz END,
              run_at = ${moment(now)}::timestamptz + ${pause}, due_at = clock_timestamp() + ${pause},
              queued_at = clock_timestamp(),
              error = ${JSON.stringify(LEASE_LOST)}::text, ${released}
            WHERE j.job_id = ANY (ARRAY(
              SELECT r.job_id FROM ${jobs} r WHERE r.status = 'running' AND r.lease_until <= clock_timestamp()
                FOR UPDATE SKIP LOCKED))
            RETURNING j.job_id::text AS job_id, j.workspace_id::text AS workspace_id, j.queue, j.status`,
          (rows) => rows
        )),

      prune: (before) =>
        deleteSteps(
          sql,
          STEP,
          jobs,
          sql`SELECT ctid FROM ${jobs} WHERE finished_at < ${moment(before)}::timestamptz
            ORDER BY finished_at ${limitTo(sql, STEP)}`
        ),

      // Whole rows are compared, so that Postgres does not look through the later jobs of all workspaces.
      pruneFollowed: (exceptOf, before) =>
        deleteSteps(
          sql,
          STEP,
          jobs,
          sql`SELECT j.ctid FROM ${jobs} j
            WHERE j.finished_at < ${moment(before)}::timestamptz AND j.queue <> ${exceptOf}::text
              AND EXISTS (SELECT FROM ${jobs} later
                WHERE later.workspace_id = j.workspace_id AND later.queue = j.queue
                  AND (later.workspace_id, later.queue, later.job_id) > (j.workspace_id, j.queue, j.job_id)
                  AND later.finished_at IS NOT NULL)
            ORDER BY j.finished_at ${limitTo(sql, STEP)}`
        ),

      changed
    })
  })
)
