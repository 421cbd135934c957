/** The consequences of a failure for the resource and its connection. */
import { Clock, Effect, Random } from "effect"
import type { SyncState } from "../../model/Connection.ts"
import { type ConnectionRecord, ConnectionStore } from "../../ports/ConnectionStore.ts"
import type { SyncFailure } from "../../ports/Provider.ts"
import { publishFailure } from "../../webhooks/publishSync.ts"
import { backoff, nextSync, syncAfterFailures } from "../backoff.ts"
import type { ActiveSync } from "./ActiveSync.ts"
import { recordRun } from "./syncRuns.ts"
import { failed } from "./syncStates.ts"

/** For a bug in the provider or in the service, whose details are not reported. */
export const UNEXPECTED = {
  _tag: "Unexpected",
  message: "Something unexpected went wrong. It is tried again."
} as const

const dueAfter = (
  failure: SyncFailure | typeof UNEXPECTED,
  connection: ConnectionRecord,
  { attempt, last_synced_at }: Pick<SyncState, "attempt" | "last_synced_at">
) =>
  Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const random = yield* Random.next
    switch (failure._tag) {
      case "RetryableFailure":
        return new Date(now + backoff(attempt, failure.retry_after_seconds, random))
      case "Unexpected":
        return new Date(now + backoff(attempt, undefined, random))
      case "SourceGone":
        return nextSync(connection, now, random)
      // As soon as the connection is active again.
      case "CredentialsRefused":
        return new Date(now)
      case "FatalFailure":
        return last_synced_at === null ? null : syncAfterFailures(connection, attempt, now, random)
    }
  })

export const endFailed = Effect.fnUntraced(function*(sync: ActiveSync, failure: SyncFailure | typeof UNEXPECTED) {
  const { connection, save, state, workspace: { workspace_id } } = sync
  if (failure._tag === "CredentialsRefused") {
    const refused = { status: "error", error: failure.message } as const
    const { connection_id, revision } = connection
    yield* (yield* ConnectionStore).update(workspace_id, connection_id, refused, { status: "active", revision })
  }
  const dueAt = yield* dueAfter(failure, connection, state())
  yield* publishFailure(failure.message)(workspace_id, connection, state())
  yield* save(failed(state(), failure.message, dueAt))
  yield* recordRun(workspace_id, sync, state(), "failed")
})
