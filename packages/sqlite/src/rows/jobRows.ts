/** Jobs as rows. */
import type { Job } from "@tributary/core/ports/JobStore"
import { type Columns, date } from "./Columns.ts"

export type JobColumns = Columns<Job, "progress" | "error">

export const JOB =
  `job_id, workspace_id, queue, key, payload, status, attempt, max_attempts, deadline_seconds, created_at,
  run_at, started_at, finished_at, progress, error, result, trace`

export const toJob = (row: JobColumns): Job => ({
  ...row,
  created_at: new Date(row.created_at),
  run_at: new Date(row.run_at),
  started_at: date(row.started_at),
  finished_at: date(row.finished_at),
  progress: row.progress === null ? null : JSON.parse(row.progress),
  error: row.error === null ? null : JSON.parse(row.error)
})
