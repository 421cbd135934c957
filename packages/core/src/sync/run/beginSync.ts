/** Begins a sync of one resource, unless it is not wanted any more. */
import { Clock, Effect, Option, Schema } from "effect"
import type { Attempt } from "../../jobs/runJob.ts"
import { resolveRange } from "../../model/TemporalRange.ts"
import { type ConnectionRecord, ConnectionStore } from "../../ports/ConnectionStore.ts"
import type { FencingToken } from "../../ports/JobStore.ts"
import { WorkspaceStore } from "../../ports/WorkspaceStore.ts"
import { type ActiveSync, heldState } from "./ActiveSync.ts"
import { countLeftOut } from "./leftOut.ts"
import { takeOver } from "./queueSyncs.ts"
import { ResourceTask } from "./syncJobs.ts"
import { started } from "./syncStates.ts"

/**
 * None if the sync is not wanted any more, or not while the workspace is suspended: its state then stays without a job,
 * and is due when the suspension is lifted.
 */
const findWanted = Effect.fnUntraced(
  function*({ job: { job_id, payload, workspace_id } }: Attempt, fencingToken: FencingToken) {
    const store = yield* ConnectionStore
    const { connection_id, is_complete = false, is_further, resource } = yield* Effect.orDie(
      Schema.decodeEffect(ResourceTask)(payload)
    )
    const workspace = yield* (yield* WorkspaceStore).find(workspace_id)
    const connection = yield* store.find(workspace_id, connection_id)
    const present = yield* store.findState(workspace_id, { connection_id, resource })
    if (Option.isNone(workspace) || Option.isNone(connection) || Option.isNone(present)) return Option.none()
    if (connection.value.status === "paused") return Option.none()
    const known = present.value.job_id !== job_id && is_further === true
      ? yield* takeOver(workspace_id, present.value, is_complete, fencingToken)
      : Option.filter(present, (state) => state.job_id === job_id)
    if (workspace.value.suspended) return Option.none()
    return Option.map(known, (state) => ({ workspace: workspace.value, connection: connection.value, state }))
  }
)

const startOfWindow = ({ sync_config: { start } }: ConnectionRecord, now: number): Date | null => {
  const { from } = resolveRange({ start, end: null }, now)
  return from === -Infinity ? null : new Date(from)
}

export const beginSync = Effect.fnUntraced(function*(attempt: Attempt) {
  const fencingToken = { job_id: attempt.job.job_id, lease: attempt.lease }
  const wanted = yield* findWanted(attempt, fencingToken)
  if (Option.isNone(wanted)) return Option.none<ActiveSync>()
  const { connection, state, workspace } = wanted.value
  const { connection_id, resource } = state
  const { workspace_id } = workspace
  const states = yield* (yield* ConnectionStore).states(workspace_id, connection_id)
  const now = yield* Clock.currentTimeMillis
  const sync: ActiveSync = {
    ...heldState(workspace_id, state, fencingToken),
    fencingToken,
    workspace,
    connection,
    ref: { connection_id, resource },
    states,
    since: startOfWindow(connection, now),
    began: now,
    leftOut: countLeftOut(),
    report: attempt.report
  }
  yield* sync.save(started(state, connection.revision))
  return Option.some(sync)
})
