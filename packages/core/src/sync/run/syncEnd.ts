/** What the end of a sync leaves: the state of the resource, the record of the run, and that of the connection. */
import { Clock, Effect, Option, Random } from "effect"
import { ConnectionStore } from "../../ports/ConnectionStore.ts"
import { publishHeld } from "../../webhooks/publishSync.ts"
import { nextSync } from "../backoff.ts"
import { restartReappeared } from "../discovery.ts"
import type { ActiveSync } from "./ActiveSync.ts"
import { countStored } from "./pulledDeletions.ts"
import type { pullResource } from "./pullResource.ts"
import { rewriteState } from "./rewriteStates.ts"
import { recordRun } from "./syncRuns.ts"
import { completed } from "./syncStates.ts"

export const endCompleted = Effect.fnUntraced(function*(
  sync: ActiveSync,
  { isDropped, ...deletions }: Effect.Success<ReturnType<typeof pullResource>>
) {
  const { connection, ref, workspace: { workspace_id } } = sync
  const store = yield* ConnectionStore
  const now = yield* Clock.currentTimeMillis
  const { held } = deletions
  // Credentials that were corrected at the source: a client that sees the sync completed finds the connection active.
  const { connection_id, revision } = connection
  if (connection.resources.includes(ref.resource)) {
    yield* store.update(workspace_id, connection_id, { status: "active", error: null }, { status: "error", revision })
  }
  // Deletions that were held before are not published again by each sync.
  if (held > sync.state().deletions_held) yield* publishHeld(held)(workspace_id, connection, sync.state())
  const dueAt = isDropped ? null : nextSync(connection, now, yield* Random.next)
  yield* sync.save(completed(sync.state(), deletions, now, dueAt))
  // A confirmation that came while they were decided is in a state that this one has replaced.
  if (held > 0 && (yield* store.countDeletions(workspace_id, ref)) === 0) {
    const left = yield* countStored(workspace_id, ref)
    yield* rewriteState(workspace_id, ref, (state) => ({ ...state, deletions_held: 0, documents: left }), now)
  }
  if (isDropped) yield* restartReappeared(workspace_id, ref)
  yield* recordRun(workspace_id, sync, sync.state(), "completed")
})

/** Cancelled by a user. A sync that is interrupted because its server stops is resumed, and not over. */
export const endCancelled = Effect.fnUntraced(function*(sync: ActiveSync) {
  const { ref, workspace: { workspace_id } } = sync
  const stored = yield* (yield* ConnectionStore).findState(workspace_id, ref)
  if (Option.isNone(stored) || stored.value.status !== "cancelled") return
  yield* recordRun(workspace_id, sync, { ...sync.state(), due_at: stored.value.due_at }, "cancelled")
})
