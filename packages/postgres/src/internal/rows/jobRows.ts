/** The columns of jobs, and the condition that an attempt holds its lease. */
import type { JobId } from "@tributary/core/model/Id"
import type { FencingToken, Job } from "@tributary/core/ports/JobStore"
import type { SqlClient, Statement } from "effect/sql"
import type { Columns } from "./Columns.ts"
import type { Database } from "../Database.ts"

export type JobColumns = Columns<Job, "progress" | "error">

/** For the job `j`. */
export const jobColumns = ({ sql }: Database["Service"]) =>
  sql.literal(`j.job_id::text AS job_id, j.workspace_id::text AS workspace_id, j.queue, j.key, j.payload, j.status,
    j.attempt, j.max_attempts, j.deadline_seconds, j.created_at, j.run_at, j.started_at, j.finished_at, j.progress,
    j.error, j.result, j.trace`)

export const toJob = ({ error, progress, ...fields }: JobColumns): Job => ({
  ...fields,
  progress: progress === null ? null : JSON.parse(progress),
  error: error === null ? null : JSON.parse(error)
})

/** Whether the attempt at the job `j` still belongs to the holder of this lease. */
export const underLease = (sql: SqlClient.SqlClient, jobId: JobId, lease: string) =>
  sql`j.job_id = ${jobId}::uuid AND j.status = 'running' AND j.lease = ${lease}::text
    AND j.lease_until > clock_timestamp()`

/**
 * `held`, for the WITH of a statement: it has a row if an attempt may write, and that keeps its lease until the
 * statement is committed. What is no attempt always may. `first` locks a row before the job, in the order of what
 * cancels jobs.
 */
export const heldBy = (
  { our, sql }: Database["Service"],
  fencingToken: FencingToken | undefined,
  first: Statement.Fragment = sql`SELECT`
) =>
  sql`locked AS MATERIALIZED (${first}), held AS MATERIALIZED (SELECT FROM locked ${
    fencingToken === undefined
      ? sql``
      : sql`JOIN ${our("jobs")} j ON ${underLease(sql, fencingToken.job_id, fencingToken.lease)} FOR SHARE OF j`
  })`
