/**
 * Durable jobs: `queued → running → succeeded | failed | cancelled`.
 *
 * At most one job of a (queue, key) runs at a time, oldest first. A running job belongs to the one who holds its lease; a
 * lease that is not renewed in time is lost, and the job is queued again or, out of attempts, failed. Times of leases
 * are the store's own clock.
 */
import { Context, type Duration, type Effect, type Option } from "effect"
import type { JobId, WorkspaceId } from "../model/Id.ts"
import type { Stored } from "./Storage.ts"

export interface NewJob {
  readonly job_id: JobId
  readonly workspace_id: WorkspaceId
  readonly queue: string
  /** Jobs of one queue with the same key run one after the other. */
  readonly key: string
  /** JSON text. */
  readonly payload: string
  readonly created_at: Date
  /** Not before. */
  readonly run_at: Date
  readonly max_attempts: number
  /** How long one attempt may take, in seconds. */
  readonly deadline_seconds: number
  /** Joins a job of the same queue, key and payload that is still queued, at the earlier `run_at` of the two. */
  readonly joins: boolean
}

export type JobStatus = "queued" | "running" | "succeeded" | "failed" | "cancelled"

export interface JobError {
  readonly error_code: string
  readonly message: string
}

export interface Job extends Omit<NewJob, "joins"> {
  readonly status: JobStatus
  /** How many attempts have begun. */
  readonly attempt: number
  readonly started_at: Date | null
  readonly finished_at: Date | null
  readonly progress: { readonly done: number; readonly total: number | null } | null
  /** Of the last attempt that failed. */
  readonly error: JobError | null
  /** JSON text. */
  readonly result: string | null
}

/** A claimed job, and the token that fences it. */
export interface Claim {
  readonly job: Job
  readonly lease: string
}

export class JobStore extends Context.Service<JobStore, {
  /**
   * The id of the job that will do it: a joined one's, when it joined. None when `maxWaiting` of its queue wait in the
   * workspace. A job of an id that was queued before, whatever became of it, is not queued again.
   */
  enqueue(job: NewJob, maxWaiting: number | null): Stored<Option.Option<JobId>>
  /** The next job of these queues that may run, with a lease of this length. */
  claim(queues: ReadonlyArray<string>, lease: Duration.Duration, now: Date): Stored<Option.Option<Claim>>
  /** Renews the lease and notes progress (null: as it was); false when the lease is lost, or the job was cancelled. */
  heartbeat(jobId: JobId, lease: string, length: Duration.Duration, progress: Job["progress"]): Stored<boolean>
  /** Ends the attempt; false, with nothing changed, when the lease is lost. `retry` queues it again at that moment. */
  finish(
    jobId: JobId,
    lease: string,
    outcome:
      | { readonly _tag: "Succeeded"; readonly result: string | null }
      | { readonly _tag: "Failed"; readonly error: JobError }
      | { readonly _tag: "Retry"; readonly error: JobError; readonly at: Date }
      /** Gives the attempt back, as if it had not begun. */
      | { readonly _tag: "Released" },
    now: Date
  ): Stored<boolean>
  /** Cancels a queued or running job; a finished one stays as it is. None when the workspace's queue has no such job. */
  cancel(workspaceId: WorkspaceId, queue: string, jobId: JobId, now: Date): Stored<Option.Option<Job>>
  find(workspaceId: WorkspaceId, queue: string, jobId: JobId): Stored<Option.Option<Job>>
  /** By job id, descending (so newest first), after the given one. */
  list(workspaceId: WorkspaceId, queue: string, options: {
    readonly status: JobStatus | null
    readonly after: JobId | null
    readonly limit: number
  }): Stored<ReadonlyArray<Job>>
  /** Takes back what is running under a lease that has run out; says how many. */
  reap(now: Date): Stored<number>
  /** Forgets jobs that ended before `before`; says how many. */
  prune(before: Date): Stored<number>
  /** Ends when a job may have become ready, or ended, since it was called. A hint: poll as well. */
  readonly changed: Effect.Effect<void>
}>()("@tributary/core/ports/JobStore") {}
