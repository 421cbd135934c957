/** Records past syncs. */
import { Clock, Effect } from "effect"
import { uuid7 } from "../../internal/uuid7.ts"
import type { SyncRunId, WorkspaceId } from "../../model/Id.ts"
import type { SyncRun } from "../../model/SyncRun.ts"
import type { SyncRecord } from "../../ports/ConnectionStore.ts"
import { SyncRunStore } from "../../ports/SyncRunStore.ts"
import type { LeftOutCount } from "./leftOut.ts"

/** Per resource. */
const KEPT = 100

interface Run {
  readonly began: number
  readonly leftOut: LeftOutCount
  /** Of a run that may have been recorded before. */
  readonly run_id?: SyncRunId
}

export const recordRun = Effect.fnUntraced(function*(
  workspaceId: WorkspaceId,
  { began, leftOut, run_id }: Run,
  state: SyncRecord,
  status: SyncRun["status"]
) {
  const now = yield* Clock.currentTimeMillis
  const run: SyncRun = {
    run_id: run_id ?? uuid7<SyncRunId>(now),
    connection_id: state.connection_id,
    resource: state.resource,
    status,
    started_at: new Date(began),
    ended_at: new Date(now),
    items_ingested: state.items_ingested,
    items_deleted: state.items_deleted,
    deletions_held: state.deletions_held,
    left_out: leftOut.list(),
    error: status === "failed" ? state.error : null,
    next_attempt_at: state.due_at
  }
  yield* (yield* SyncRunStore).append(workspaceId, run, KEPT)
})
