/** Writes of jobs. */
import { randomUUID } from "node:crypto"
import { isOpen } from "../internal/isOpen.ts"
import type { JobId, WorkspaceId } from "@tributary/core/model/Id"
import type { AttemptOutcome, Claim, FencingToken, Job, NewJob, ReapedJob } from "@tributary/core/ports/JobStore"
import { LEASE_LOST } from "@tributary/core/ports/leaseLost"
import { MAX_DOUBLINGS } from "@tributary/core/ports/retryPause"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import { JOB, type JobColumns, toJob } from "../rows/jobRows.ts"

const RELEASED = "lease = NULL, lease_until = NULL"

/**
 * The oldest job that is due, or began to wait before the clock was set back, and whose key has no running job, of any
 * workspace but those that are passed over.
 */
export const NEXT = `SELECT job_id FROM jobs j
  WHERE status = 'queued' AND queue IN (SELECT value FROM json_each(?1)) AND (run_at <= ?2 OR coalesce(queued_at, created_at) > ?2)
    AND NOT EXISTS (SELECT 1 FROM jobs r WHERE r.queue = j.queue AND r.key = j.key AND r.status = 'running')
    AND workspace_id NOT IN (SELECT value FROM json_each(?3))
  ORDER BY created_at, job_id LIMIT 1`

/** The same job, if it is queued already; it runs at the earlier of the two times, unless it failed before. */
const join = (db: SqliteConnection, job: NewJob): JobId | null => {
  const queued = db.get<{ readonly job_id: JobId; readonly run_at: number; readonly attempt: number }>(
    `SELECT job_id, run_at, attempt FROM jobs
      WHERE queue = ? AND key = ? AND status = 'queued' AND payload = ? AND +workspace_id = ?
      ORDER BY created_at, job_id LIMIT 1`,
    job.queue,
    job.key,
    job.payload,
    job.workspace_id
  )
  if (queued === undefined) return null
  if (queued.attempt === 0 && job.run_at.getTime() < queued.run_at) {
    db.run("UPDATE jobs SET run_at = ? WHERE job_id = ?", job.run_at, queued.job_id)
  }
  return queued.job_id
}

export const enqueue = (db: SqliteConnection, job: NewJob, maxWaiting: number | null): JobId | null => {
  if (db.get("SELECT 1 FROM jobs WHERE job_id = ?", job.job_id) !== undefined) return job.job_id
  if (!isOpen(db, job.workspace_id)) return null
  const joined = job.joins ? join(db, job) : null
  if (joined !== null) return joined
  if (maxWaiting !== null) {
    const { waiting } = db.get<{ readonly waiting: number }>(
      "SELECT count(*) AS waiting FROM jobs WHERE queue = ? AND status = 'queued' AND +workspace_id = ?",
      job.queue,
      job.workspace_id
    )!
    if (waiting >= maxWaiting) return null
  }
  db.run(
    `INSERT INTO jobs (job_id, workspace_id, queue, key, payload, status, max_attempts, deadline_seconds, created_at,
      queued_at, run_at, trace) VALUES (?1, ?2, ?3, ?4, ?5, 'queued', ?6, ?7, ?8, ?8, ?9, ?10)`,
    job.job_id,
    job.workspace_id,
    job.queue,
    job.key,
    job.payload,
    job.max_attempts,
    job.deadline_seconds,
    job.created_at,
    job.run_at,
    job.trace
  )
  return job.job_id
}

/** Cancels all jobs of a workspace, or only those of one queue and key. */
export const cancelJobs = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  at: Date,
  only: { readonly queue: string; readonly key: string } | null
): void => {
  db.run(
    `UPDATE jobs SET status = 'cancelled', finished_at = ?2, ${RELEASED}
      WHERE workspace_id = ?1 AND status IN ('queued', 'running') AND (?3 IS NULL OR (queue = ?3 AND key = ?4))`,
    workspaceId,
    at,
    only?.queue ?? null,
    only?.key ?? null
  )
}

const holds = (db: SqliteConnection, jobId: JobId, lease: string, millis: number): boolean =>
  db.get(
    "SELECT 1 FROM jobs WHERE job_id = ? AND status = 'running' AND lease = ? AND lease_until > ?",
    jobId,
    lease,
    millis
  ) !== undefined

/** A fencing token with the time by the store's clock. */
export interface TimedFencingToken extends FencingToken {
  readonly millis: number
}

/** Whether an attempt may write; what is no attempt always may. */
export const mayWrite = (db: SqliteConnection, fencingToken: TimedFencingToken | undefined): boolean =>
  fencingToken === undefined || holds(db, fencingToken.job_id, fencingToken.lease, fencingToken.millis)

export const jobWrites = {
  enqueue,

  claim: (
    db: SqliteConnection,
    queues: string,
    now: Date,
    passedOver: string,
    until: number
  ): Claim | null => {
    const next = db.get<{ readonly job_id: JobId }>(NEXT, queues, now, passedOver)
    if (next === undefined) return null
    const lease = randomUUID()
    const row = db.get<JobColumns>(
      `UPDATE jobs SET status = 'running', attempt = attempt + 1, started_at = coalesce(started_at, ?), progress = NULL,
        lease = ?, lease_until = ? WHERE job_id = ? RETURNING ${JOB}`,
      now,
      lease,
      until,
      next.job_id
    )!
    return { job: toJob(row), lease }
  },

  heartbeat: (
    db: SqliteConnection,
    jobId: JobId,
    lease: string,
    millis: number,
    until: number,
    progress: Job["progress"]
  ): boolean => {
    if (!holds(db, jobId, lease, millis)) return false
    const noted = progress === null ? null : JSON.stringify(progress)
    db.run("UPDATE jobs SET lease_until = ?, progress = coalesce(?, progress) WHERE job_id = ?", until, noted, jobId)
    return true
  },

  finish: (
    db: SqliteConnection,
    jobId: JobId,
    lease: string,
    millis: number,
    outcome: AttemptOutcome,
    now: Date
  ): boolean => {
    if (!holds(db, jobId, lease, millis)) return false
    const change = (fields: string, ...values: ReadonlyArray<string | Date | null>) =>
      db.run(`UPDATE jobs SET ${fields}, ${RELEASED} WHERE job_id = ?`, ...values, jobId)
    switch (outcome._tag) {
      case "Succeeded":
        change("status = 'succeeded', result = ?, finished_at = ?", outcome.result, now)
        break
      case "Failed":
        change("status = 'failed', error = ?, finished_at = ?", JSON.stringify(outcome.error), now)
        break
      case "Retry":
        change(
          "status = 'queued', error = ?, queued_at = ?, run_at = ?",
          JSON.stringify(outcome.error),
          now,
          outcome.at
        )
        break
      case "Released":
        change(`status = 'queued', attempt = attempt - 1, started_at = iif(attempt = 1, NULL, started_at),
          progress = NULL`)
    }
    return true
  },

  cancel: (db: SqliteConnection, workspaceId: WorkspaceId, queue: string, jobId: JobId, now: Date): Job | null => {
    if (!isOpen(db, workspaceId)) return null
    const row = db.get<JobColumns>(
      `UPDATE jobs SET status = iif(finished_at IS NULL, 'cancelled', status), finished_at = coalesce(finished_at, ?),
        ${RELEASED} WHERE job_id = ? AND workspace_id = ? AND queue = ? RETURNING ${JOB}`,
      now,
      jobId,
      workspaceId,
      queue
    )
    return row === undefined ? null : toJob(row)
  },

  reap: (db: SqliteConnection, millis: number, now: Date): ReadonlyArray<ReapedJob> =>
    db.all<ReapedJob>(
      `UPDATE jobs SET status = iif(attempt >= max_attempts, 'failed', 'queued'),
        finished_at = iif(attempt >= max_attempts, ?1, NULL), error = ?2, ${RELEASED},
        queued_at = ?1, run_at = ?1 + (1000 << min(attempt - 1, ${MAX_DOUBLINGS}))
        WHERE status = 'running' AND lease_until <= ?3 RETURNING job_id, workspace_id, queue, status`,
      now,
      JSON.stringify(LEASE_LOST),
      millis
    ),

  pruneJobs: (db: SqliteConnection, before: Date, limit: number): number =>
    db.run("DELETE FROM jobs WHERE job_id IN (SELECT job_id FROM jobs WHERE finished_at < ? LIMIT ?)", before, limit),

  pruneFollowedJobs: (db: SqliteConnection, exceptOf: string, before: Date, limit: number): number =>
    db.run(
      `DELETE FROM jobs WHERE job_id IN (
        SELECT job_id FROM jobs j
          WHERE finished_at < ? AND queue <> ?
            AND EXISTS (SELECT 1 FROM jobs later WHERE later.workspace_id = j.workspace_id AND later.queue = j.queue
              AND later.job_id > j.job_id AND later.finished_at IS NOT NULL)
          ORDER BY finished_at LIMIT ?)`,
      before,
      exceptOf,
      limit
    )
}
