/**
 * The states of a resource's sync, and every transition between them.
 *
 * A user sees the `status`: how the current or the last sync goes. What happens next follows from `job_id` and `due_at`:
 *
 * - live: a job for it is queued or running. Only its job, or a cancellation, changes it.
 * - scheduled: the next sync starts at `due_at`.
 * - stopped: neither. It stays so until its resource appears again, its connection changes, or a user asks for a sync.
 *
 *     newState -> scheduled -- queued -> live -- started ... completed, failed, cancelled -> scheduled or stopped
 *
 * A state belongs to the job in `job_id`. `ConnectionStore.saveState` compares and sets: it changes nothing if the state
 * belongs to another job by then. Five functions call it:
 *
 * - `queueSync` gives the state to a new job, unless its job is queued or running.
 * - `takeOver` gives it to a further job, which starts after its job has ended.
 * - `ActiveSync` writes for its job, and ends the sync if the state belongs to another one.
 * - `endAbandoned` ends it if its job has failed without it.
 * - `rewriteState` writes from outside, and tries again. A cancellation leaves the state without a job.
 */
import type { SyncState } from "../../model/Connection.ts"
import type { ConnectionId, JobId } from "../../model/Id.ts"
import { isUnderWay } from "../../model/isUnderWay.ts"
import type { SyncRecord, SyncSummary } from "../../ports/ConnectionStore.ts"

export const isLive = (state: SyncSummary): boolean => state.job_id !== null && isUnderWay(state)

export const isStopped = (state: SyncSummary): boolean => state.due_at === null && !isLive(state)

const NOTHING_YET = {
  total_windows: 0,
  completed_windows: 0,
  items_ingested: 0,
  items_deleted: 0
}

/** Due at once. */
export const newState = (connection_id: ConnectionId, resource: string, now: number): SyncRecord => ({
  ...NOTHING_YET,
  connection_id,
  resource,
  status: "pending",
  documents: null,
  rejected: [],
  skipped: [],
  deletions_held: 0,
  last_synced_at: null,
  error: null,
  attempt: 0,
  updated_at: new Date(now),
  cursor: null,
  revision: 0,
  job_id: null,
  due_at: new Date(now)
})

/** `fromStart`: without the cursor. */
export const queued = (state: SyncRecord, job_id: JobId, fromStart: boolean, now: number): SyncRecord => ({
  ...state,
  ...NOTHING_YET,
  cursor: fromStart ? null : state.cursor,
  status: "pending",
  updated_at: new Date(now),
  job_id,
  due_at: null
})

/** `revision` is that of the connection. */
export const started = (state: SyncRecord, revision: number): SyncRecord => {
  // A cursor of an older configuration, or a shorter window, is not valid any more.
  const cursor = state.revision === revision ? state.cursor : null
  return {
    ...state,
    status: "running",
    error: null,
    attempt: state.attempt + 1,
    cursor,
    revision,
    // Items that did not fit are emitted again only by a complete sync.
    ...(cursor === null ? { rejected: [], skipped: [] } : {})
  }
}

/** `dueAt` is null if the resource is gone. */
export const completed = (
  state: SyncRecord,
  { deleted, documents, held }: { readonly deleted: number; readonly documents: number; readonly held: number },
  now: number,
  dueAt: Date | null
): SyncRecord => ({
  ...state,
  status: "completed",
  completed_windows: state.total_windows,
  items_deleted: state.items_deleted + deleted,
  documents,
  deletions_held: held,
  attempt: 0,
  error: null,
  last_synced_at: new Date(now),
  due_at: dueAt
})

/** `dueAt` is null if another attempt would fail, too. */
export const failed = (state: SyncRecord, error: string, dueAt: Date | null): SyncRecord => ({
  ...state,
  status: "failed",
  error,
  due_at: dueAt
})

/** Ends what is live, or waits to be queued for the first time. */
export const cancelled = (state: SyncRecord, now: number, dueAt: Date | null): SyncRecord =>
  isUnderWay(state) ? { ...state, status: "cancelled", updated_at: new Date(now), job_id: null, due_at: dueAt } : state

/** Ends what is live. */
const interrupted = (state: SyncRecord, now: number): SyncRecord =>
  isLive(state) ? cancelled(state, now, new Date(now)) : state

const scheduled = (state: SyncRecord, dueAt: Date | null): SyncRecord =>
  isLive(state) ? state : { ...state, due_at: dueAt }

/** After a time without a watch, which may have missed a change. A failed or cancelled one has its own schedule. */
export const unwatched = (state: SyncRecord, now: number): SyncRecord =>
  state.status === "completed" ? scheduled(state, new Date(now)) : state

/** A change of the connection, as it concerns one of its resources. */
interface Changed {
  /** Whether the resource is still one of the connection. */
  readonly isPulled: boolean
  readonly isPaused: boolean
  /** Whether earlier documents may be missing, or others than before are pulled. */
  readonly restarts: boolean
  /** Whether it was paused, or in error, before. */
  readonly isRevived: boolean
  /** When the next sync is due at the latest. */
  readonly latest: Date
}

export const afterChange = (
  state: SyncRecord,
  { isPaused, isPulled, isRevived, latest, restarts }: Changed,
  now: number
): SyncRecord => {
  // A last sync decides about its documents.
  if (!isPulled && isStopped(state) && !restarts) return state
  if (!isPulled || (restarts && !isPaused)) return scheduled(interrupted(state, now), new Date(now))
  if (isPaused) return interrupted(state, now)
  if (isRevived) return scheduled(state, new Date(now))
  return state.due_at !== null && state.due_at > latest ? scheduled(state, latest) : state
}

export const shownState = (
  { cursor: _c, due_at: _d, job_id: _j, revision: _r, ...state }: SyncSummary & Partial<SyncRecord>
): SyncState => state
