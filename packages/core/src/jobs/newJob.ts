/** A job that is due at once, in the trace of the caller. */
import type { JobId, WorkspaceId } from "../model/Id.ts"
import type { NewJob } from "../ports/JobStore.ts"
import { uuid7 } from "../internal/uuid7.ts"
import { currentTrace } from "./jobTrace.ts"

interface Work extends Pick<NewJob, "queue" | "payload" | "max_attempts" | "deadline_seconds" | "joins"> {
  /** Without a key, it waits for no other job. */
  readonly key?: string
}

export const newJob = (workspace_id: WorkspaceId, now: number, work: Work): NewJob => {
  const job_id = uuid7<JobId>(now)
  const at = new Date(now)
  return { job_id, workspace_id, key: job_id, ...work, created_at: at, run_at: at, trace: currentTrace() }
}
