/**
 * Durable jobs: `queued → running → succeeded   failed   cancelled`.
 *
 * At most one job of a (queue, key) runs at a time, oldest first. A running job belongs to the holder of its lease. If
 * a lease is not renewed in time, it is lost, and the job is queued again after `retryPause` or, without attempts left,
 * failed. Leases use the store's own clock.
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
  /** The earliest start, except of a job that began to wait later than now: the clock was set back. */
  readonly run_at: Date
  /** `UNTIL_DONE`: without end. While the storage is unavailable, there may be more. */
  readonly max_attempts: number
  /** The time limit of one attempt, in seconds. */
  readonly deadline_seconds: number
  /**
   * Joins the oldest queued job of the same queue, key and payload, with the earlier `run_at` of the two. One that waits
   * for another attempt keeps its own.
   */
  readonly joins: boolean
  /** The trace in which it was queued, as a `traceparent` of W3C. A joined job keeps its own. */
  readonly trace: string | null
}

/** More attempts than there is time for, in the 32 bits of a column. */
export const UNTIL_DONE = 2 ** 31 - 1

export type JobStatus = "queued" | "running" | "succeeded" | "failed" | "cancelled"

export interface JobError {
  readonly error_code: string
  readonly message: string
}

export interface Job extends Omit<NewJob, "joins"> {
  readonly status: JobStatus
  /** The number of attempts that have started. */
  readonly attempt: number
  readonly started_at: Date | null
  readonly finished_at: Date | null
  readonly progress: { readonly done: number; readonly total: number | null } | null
  /** The error of the last failed attempt. */
  readonly error: JobError | null
  /** JSON text. */
  readonly result: string | null
}

export const queuedJob = ({ joins: _j, ...job }: NewJob): Job => ({
  ...job,
  status: "queued",
  attempt: 0,
  started_at: null,
  finished_at: null,
  progress: null,
  error: null,
  result: null
})

/** How an attempt ends. */
export type AttemptOutcome =
  | { readonly _tag: "Succeeded"; readonly result: string | null }
  | { readonly _tag: "Failed"; readonly error: JobError }
  | { readonly _tag: "Retry"; readonly error: JobError; readonly at: Date }
  /** Returns the attempt, as if it had not started. */
  | { readonly _tag: "Released" }

/** A claimed job with its lease. */
export interface Claim {
  readonly job: Job
  readonly lease: string
}

/**
 * Passed to a write of an attempt: a method of any port then writes only while the attempt holds its lease. One that was
 * stopped for so long that another has begun changes nothing.
 */
export interface FencingToken {
  readonly job_id: JobId
  readonly lease: string
}

/** A job whose lease expired. */
export type ReapedJob = Pick<Job, "job_id" | "workspace_id" | "queue" | "status">

export class JobStore extends Context.Service<JobStore, {
  /**
   * The id of the job that will do it; with `joins`, possibly of an existing one. None if `maxWaiting` jobs of the queue
   * wait in the workspace, or it is closed. A job whose id was queued before, whatever its state, is not queued again.
   */
  enqueue(job: NewJob, maxWaiting: number | null): Stored<Option.Option<JobId>>
  /**
   * Claims the next job of these queues that can run, with a lease of this length: of any workspace but those that are
   * passed over.
   */
  claim(
    queues: ReadonlyArray<string>,
    lease: Duration.Duration,
    now: Date,
    passedOver?: ReadonlyArray<WorkspaceId>
  ): Stored<Option.Option<Claim>>
  /**
   * Renews the lease and stores the progress (null: unchanged); false if the lease is lost, or the job was cancelled.
   */
  heartbeat(jobId: JobId, lease: string, length: Duration.Duration, progress: Job["progress"]): Stored<boolean>
  /** Ends the attempt; false, without a change, if the lease is lost. `retry` queues the job again for that time. */
  finish(
    jobId: JobId,
    lease: string,
    outcome: AttemptOutcome,
    now: Date
  ): Stored<boolean>
  /** Cancels a queued or running job; a finished one stays as it is. None if the workspace's queue has no such job. */
  cancel(workspaceId: WorkspaceId, queue: string, jobId: JobId, now: Date): Stored<Option.Option<Job>>
  find(workspaceId: WorkspaceId, queue: string, jobId: JobId): Stored<Option.Option<Job>>
  /** By job id, descending (so newest first), after the given one. */
  list(workspaceId: WorkspaceId, queue: string, options: {
    readonly status: JobStatus | null
    readonly after: JobId | null
    readonly limit: number
  }): Stored<ReadonlyArray<Job>>
  /** Requeues, after `retryPause`, or fails running jobs whose lease has expired. Returns them as they are then. */
  reap(now: Date): Stored<ReadonlyArray<ReapedJob>>
  /** Deletes jobs that ended before `before`. Returns their number. */
  prune(before: Date): Stored<number>
  /** Of all queues but one, deletes those of them for which a later job of their workspace and queue has ended, too. */
  pruneFollowed(exceptOf: string, before: Date): Stored<number>
  /** Completes when a job may have become ready, or ended, since the call. Only a hint: poll as well. */
  readonly changed: Effect.Effect<void>
}>()("@tributary/core/ports/JobStore") {}
