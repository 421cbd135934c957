/** Watches a source for changes, if its provider supports that; each change starts a sync. */
import { Clock, Duration, Effect, Option, Random, Result, Schema } from "effect"
import type { StorageUnavailable } from "../../model/Error.ts"
import { type ConnectionRecord, ConnectionStore } from "../../ports/ConnectionStore.ts"
import type { DocumentStore } from "../../ports/DocumentStore.ts"
import { JobStore } from "../../ports/JobStore.ts"
import { CurrentWorkspace } from "../../ports/Provider.ts"
import type { WorkspaceStore } from "../../ports/WorkspaceStore.ts"
import { isSuspended } from "../../people/suspension.ts"
import { backoff } from "../backoff.ts"
import { followChanges } from "./followChanges.ts"
import type { Attempt } from "../../jobs/runJob.ts"
import { rewriteState } from "./rewriteStates.ts"
import { unwatched } from "./syncStates.ts"
import { watchJob, WatchTask } from "./watchJobs.ts"

/** How often a watch checks whether it is still wanted. */
const WANTED = "5 seconds"

/** After this time, a failure of a watch does not count as consecutive. */
const STEADY = Duration.toMillis("10 minutes")

/** How often a watch looks whether its source is back, as when a folder is replaced; later, the next sync sees to it. */
const RETURNS = 3

/** A job has limited time and attempts, so it is replaced by a new one in time. */
const MAX_RUN = "6 hours"

type Services = ConnectionStore | DocumentStore | JobStore | WorkspaceStore

/** Ends when there is nothing to watch. */
export const watchConnection = Effect.fn("watch.run")(function*(
  { job }: Attempt
): Effect.fn.Return<null, StorageUnavailable, Services> {
  const store = yield* ConnectionStore
  const { workspace_id } = job
  const { connection_id } = yield* Effect.orDie(Schema.decodeEffect(WatchTask)(job.payload))

  const wanted = Effect.gen(function*() {
    if (yield* isSuspended(workspace_id)) return Option.none()
    const found = yield* store.find(workspace_id, connection_id)
    return Option.filter(found, ({ resources, status }) => status === "active" && resources.length > 0)
  })

  /** Restarts after transient failures, and when its source is back soon. */
  const watch = Effect.fnUntraced(function*(connection: ConnectionRecord) {
    for (let failures = 0;;) {
      const began = yield* Clock.currentTimeMillis
      const ended = yield* Effect.result(followChanges(workspace_id, connection))
      if (Result.isSuccess(ended)) return
      const failure = ended.failure
      if (failure._tag === "StorageUnavailable") return yield* failure
      if (failure._tag === "CredentialsRefused") {
        const refused = { status: "error", error: failure.message } as const
        yield* store.update(workspace_id, connection_id, refused, { status: "active", revision: connection.revision })
      }
      if (failure._tag !== "RetryableFailure" && failure._tag !== "SourceGone") return
      failures = (yield* Clock.currentTimeMillis) - began > STEADY ? 1 : failures + 1
      if (failure._tag === "SourceGone" && failures > RETURNS) return
      const retryAfter = failure._tag === "SourceGone" ? undefined : failure.retry_after_seconds
      yield* Effect.sleep(backoff(failures, retryAfter, yield* Random.next))
    }
  })

  /** Completes when the connection has changed. */
  const changed = ({ resources, revision }: ConnectionRecord) =>
    Effect.repeat(Effect.delay(wanted, WANTED), {
      while: (found) =>
        Option.isSome(found) && found.value.revision === revision &&
        JSON.stringify(found.value.resources) === JSON.stringify(resources)
    })

  const watchWhileWanted = Effect.gen(function*() {
    for (let connection = yield* wanted; Option.isSome(connection); connection = yield* wanted) {
      const over = yield* Effect.raceFirst(
        Effect.as(watch(connection.value), true),
        Effect.as(changed(connection.value), false)
      )
      if (over) return
    }
  })

  /** Nobody watches while the workspace is suspended, so the resources are due at once afterwards. */
  const syncAfterwards = Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    for (const { resource } of yield* store.states(workspace_id, connection_id)) {
      yield* rewriteState(workspace_id, { connection_id, resource }, unwatched, now)
    }
  })

  const relieved = Effect.gen(function*() {
    yield* Effect.sleep(MAX_RUN)
    const now = yield* Clock.currentTimeMillis
    yield* (yield* JobStore).enqueue(watchJob(workspace_id, connection_id, now), null)
  })
  yield* Effect.raceFirst(watchWhileWanted, relieved)
  if (yield* isSuspended(workspace_id)) yield* syncAfterwards
  return null
}, (watched, { job: { workspace_id } }) => Effect.provideService(watched, CurrentWorkspace, workspace_id))
