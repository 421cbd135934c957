/** The states of a sync and their transitions. */
import type { SyncState } from "../../model/Connection.ts"
import type { ConnectionId, JobId } from "../../model/Id.ts"
import { isUnderWay, type SyncRecord, type SyncSummary } from "../../ports/ConnectionStore.ts"

const NOTHING_YET = {
  total_windows: 0,
  completed_windows: 0,
  items_ingested: 0,
  items_deleted: 0
}

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

export const queued = (state: SyncRecord, job_id: JobId, now: number): SyncRecord => ({
  ...state,
  ...NOTHING_YET,
  status: "pending",
  updated_at: new Date(now),
  job_id,
  due_at: null
})

export const isLive = (state: SyncSummary): boolean => state.job_id !== null && isUnderWay(state)

export const cancelled = (state: SyncRecord, now: number, dueAt: Date | null): SyncRecord => ({
  ...state,
  status: "cancelled",
  updated_at: new Date(now),
  job_id: null,
  due_at: dueAt
})

export const shownState = (
  { cursor: _c, due_at: _d, job_id: _j, revision: _r, ...state }: SyncSummary & Partial<SyncRecord>
): SyncState => state

/** How many left-out items are named. */
export const NAMED = 100

export const named = <A>(known: ReadonlyArray<A>, more: ReadonlyArray<A>): ReadonlyArray<A> =>
  known.length >= NAMED || more.length === 0 ? known : [...known, ...more].slice(0, NAMED)

/** Items that are processed again are removed from the list of left-out ones. */
export const without = <A extends { readonly external_id: string }>(
  known: ReadonlyArray<A>,
  processed: ReadonlySet<string>
): ReadonlyArray<A> => known.length === 0 ? known : known.filter(({ external_id }) => !processed.has(external_id))
