/** The jobs of every workspace. Each method is one synchronous step. */
import type { JobId, WorkspaceId } from "@tributary/core/model/Id"
import { ChangeSignal } from "@tributary/core/ports/ChangeSignal"
import {
  type Claim,
  type FencingToken,
  type Job,
  type JobStatus,
  type NewJob,
  queuedJob,
  type ReapedJob
} from "@tributary/core/ports/JobStore"
import { LEASE_LOST } from "@tributary/core/ports/leaseLost"
import { retryPause } from "@tributary/core/ports/retryPause"
import type { Effect } from "effect"
import { copied } from "./copied.ts"
import { byText, Ordered } from "./Ordered.ts"

export interface JobRow {
  job: Job
  /** When it began to wait. */
  queuedAt: Date
  /** Null while it does not run. */
  lease: { readonly token: string; until: number } | null
}

/** The jobs of one workspace in one queue. */
interface Lane {
  readonly jobs: Ordered<JobRow>
  readonly waiting: Set<JobRow>
}

const byAge = (left: JobRow, right: JobRow): number =>
  left.job.created_at.getTime() - right.job.created_at.getTime() || byText(left.job.job_id, right.job.job_id)

/** No queue and no key holds a NUL. */
const serialKey = ({ key, queue }: { readonly queue: string; readonly key: string }): string => `${queue}\0${key}`

export class JobTable {
  readonly #rows = new Map<JobId, JobRow>()
  readonly #lanes = new Map<WorkspaceId, Map<string, Lane>>()
  readonly #waiting = new Map<string, Ordered<JobRow>>()
  readonly #running = new Map<string, JobRow>()
  readonly #isOpen: (workspaceId: WorkspaceId) => boolean
  readonly #signal = new ChangeSignal()

  /** Jobs of a closed workspace are seen by their workers only. */
  constructor(isOpen: (workspaceId: WorkspaceId) => boolean) {
    this.#isOpen = isOpen
  }

  /** Ends at the next change. */
  get changed(): Effect.Effect<void> {
    return this.#signal.changed
  }

  enqueue(job: NewJob, maxWaiting: number | null): JobId | null {
    if (this.#rows.has(job.job_id)) return job.job_id
    if (!this.#isOpen(job.workspace_id)) return null
    const lane = this.#lane(job.workspace_id, job.queue)
    if (job.joins) {
      const [row] = [...lane.waiting]
        .filter((row) => row.job.key === job.key && row.job.payload === job.payload)
        .sort(byAge)
      if (row !== undefined) {
        if (row.job.attempt === 0 && job.run_at < row.job.run_at) this.#become(row, { run_at: new Date(job.run_at) })
        return row.job.job_id
      }
    }
    if (maxWaiting !== null && lane.waiting.size >= maxWaiting) return null
    const row: JobRow = { job: queuedJob(copied(job)), queuedAt: new Date(job.created_at), lease: null }
    this.#rows.set(job.job_id, row)
    lane.jobs.add(row)
    this.#enter(row)
    this.#signal.announceUnsafe()
    return job.job_id
  }

  claim(
    queues: ReadonlyArray<string>,
    lease: { readonly until: number },
    now: Date,
    passedOver: ReadonlyArray<WorkspaceId>
  ): Claim | null {
    // Later ones were queued before the clock was set back.
    const isDue = ({ job, queuedAt }: JobRow) => job.run_at <= now || queuedAt > now
    const isReady = (row: JobRow) =>
      isDue(row) && !this.#running.has(serialKey(row.job)) && !passedOver.includes(row.job.workspace_id)
    const [row] = queues
      .flatMap((queue) => this.#waiting.get(queue)?.where(isReady, 1) ?? [])
      .sort(byAge)
    if (row === undefined) return null
    const token = crypto.randomUUID()
    row.lease = { token, until: lease.until }
    this.#become(row, {
      status: "running",
      attempt: row.job.attempt + 1,
      started_at: row.job.started_at ?? new Date(now),
      progress: null
    })
    return { job: copied(row.job), lease: token }
  }

  /** The running job, when this lease of it still holds at `millis`. */
  held(jobId: JobId, token: string, millis: number): JobRow & { lease: NonNullable<JobRow["lease"]> } | undefined {
    const row = this.#rows.get(jobId)
    if (row?.lease?.token !== token || row.lease.until <= millis) return undefined
    return row as JobRow & { lease: NonNullable<JobRow["lease"]> }
  }

  /** Whether an attempt may write at `millis`; what is no attempt always may. */
  mayWrite(fencingToken: FencingToken | undefined, millis: number): boolean {
    return fencingToken === undefined || this.held(fencingToken.job_id, fencingToken.lease, millis) !== undefined
  }

  update(row: JobRow, change: Partial<Job>): void {
    this.#become(row, copied(change))
  }

  /** Lets it wait again, until `run_at`. */
  requeue(row: JobRow, change: Pick<Job, "run_at" | "error">, now: Date): void {
    row.queuedAt = new Date(now)
    this.update(row, { ...change, status: "queued" })
  }

  cancel(row: JobRow, now: Date): void {
    if (row.job.finished_at !== null) return
    this.#become(row, { status: "cancelled", finished_at: new Date(now) })
  }

  /** Cancels all jobs of a workspace, or only those of a queue and key. */
  cancelAll(workspaceId: WorkspaceId, now: Date, only?: { readonly queue: string; readonly key: string }): void {
    const lanes = this.#lanes.get(workspaceId)
    const [waiting, running] = only === undefined
      ? [[...lanes?.values() ?? []].flatMap((lane) => [...lane.waiting]), [...this.#running.values()]]
      : [lanes?.get(only.queue)?.waiting ?? [], [this.#running.get(serialKey(only))]]
    for (const row of [...waiting, ...running]) {
      if (row?.job.workspace_id === workspaceId && (only === undefined || row.job.key === only.key)) {
        this.cancel(row, now)
      }
    }
  }

  /** Whether it is queued or running. */
  isLive(jobId: JobId): boolean {
    const job = this.#rows.get(jobId)?.job
    return job !== undefined && job.finished_at === null
  }

  find(workspaceId: WorkspaceId, queue: string, jobId: JobId): JobRow | undefined {
    if (!this.#isOpen(workspaceId)) return undefined
    const row = this.#rows.get(jobId)
    return row?.job.workspace_id === workspaceId && row.job.queue === queue ? row : undefined
  }

  list(
    workspaceId: WorkspaceId,
    queue: string,
    { after, limit, status }: {
      readonly status: JobStatus | null
      readonly after: JobId | null
      readonly limit: number
    }
  ): ReadonlyArray<Job> {
    if (!this.#isOpen(workspaceId)) return []
    const found = this.#lanes.get(workspaceId)?.get(queue)?.jobs.descending(
      limit,
      ({ job }) => after !== null && job.job_id >= after,
      ({ job }) => status === null || job.status === status
    )
    return (found ?? []).map(({ job }) => copied(job))
  }

  reap(millis: number, now: Date): ReadonlyArray<ReapedJob> {
    const lost = [...this.#running.values()].filter(({ lease }) => lease !== null && lease.until <= millis)
    for (const row of lost) {
      const { attempt, max_attempts } = row.job
      if (attempt >= max_attempts) this.update(row, { status: "failed", finished_at: now, error: LEASE_LOST })
      else this.requeue(row, { run_at: new Date(now.getTime() + retryPause(attempt)), error: LEASE_LOST }, now)
    }
    return lost.map(({ job: { job_id, queue, status, workspace_id } }) => ({ job_id, workspace_id, queue, status }))
  }

  prune(before: Date): number {
    const old = [...this.#rows.values()].filter(({ job }) => job.finished_at !== null && job.finished_at < before)
    for (const row of old) this.#drop(row)
    return old.length
  }

  pruneFollowed(exceptOf: string, before: Date): number {
    const old = [...this.#lanes.values()].flatMap((lanes) =>
      [...lanes].flatMap(([queue, { jobs }]) => {
        const ended = queue === exceptOf ? [] : jobs.where(({ job }) => job.finished_at !== null)
        return ended.slice(0, -1).filter(({ job }) => job.finished_at! < before)
      })
    )
    for (const row of old) this.#drop(row)
    return old.length
  }

  /** Deletes all jobs of a workspace except running ones. */
  erase(workspaceId: WorkspaceId): void {
    for (const { jobs } of this.#lanes.get(workspaceId)?.values() ?? []) {
      for (const row of jobs.where(({ job }) => job.status !== "running")) this.#drop(row)
    }
  }

  #lane(workspaceId: WorkspaceId, queue: string): Lane {
    const lanes = this.#lanes.get(workspaceId) ?? new Map<string, Lane>()
    const lane = lanes.get(queue) ?? {
      jobs: new Ordered<JobRow>((left, right) => byText(left.job.job_id, right.job.job_id)),
      waiting: new Set<JobRow>()
    }
    this.#lanes.set(workspaceId, lanes.set(queue, lane))
    return lane
  }

  #become(row: JobRow, change: Partial<Job>): void {
    this.#leave(row)
    row.job = { ...row.job, ...change }
    if (row.job.status !== "running") row.lease = null
    this.#enter(row)
    // A job that starts or continues makes no other job ready.
    if (row.job.status !== "running") this.#signal.announceUnsafe()
  }

  #enter(row: JobRow): void {
    const { queue, status, workspace_id } = row.job
    if (status === "running") this.#running.set(serialKey(row.job), row)
    if (status !== "queued") return
    const waiting = this.#waiting.get(queue) ?? new Ordered(byAge)
    this.#waiting.set(queue, waiting)
    waiting.add(row)
    this.#lane(workspace_id, queue).waiting.add(row)
  }

  #leave(row: JobRow): void {
    const { queue, status, workspace_id } = row.job
    if (status === "running") this.#running.delete(serialKey(row.job))
    if (status !== "queued") return
    this.#waiting.get(queue)?.remove(row)
    this.#lane(workspace_id, queue).waiting.delete(row)
  }

  #drop(row: JobRow): void {
    const { job_id, queue, workspace_id } = row.job
    this.#leave(row)
    this.#rows.delete(job_id)
    const lanes = this.#lanes.get(workspace_id)
    const lane = lanes?.get(queue)
    lane?.jobs.remove(row)
    if (lane?.jobs.size === 0) lanes?.delete(queue)
    if (lanes?.size === 0) this.#lanes.delete(workspace_id)
  }
}
