/** Waiting for changes at a source, where its provider can tell of them: each begins a sync at once. */
import { Clock, Duration, Effect, Option, Random, Result, Schema, Stream } from "effect"
import type { StorageUnavailable } from "../model/Error.ts"
import { type ConnectionRecord, ConnectionStore } from "../ports/ConnectionStore.ts"
import type { DocumentStore } from "../ports/DocumentStore.ts"
import { JobStore } from "../ports/JobStore.ts"
import type { SyncFailure } from "../ports/Provider.ts"
import type { WorkspaceStore } from "../ports/WorkspaceStore.ts"
import { Providers } from "../Providers.ts"
import { SecretBox } from "../SecretBox.ts"
import { openConfig } from "./connectionConfig.ts"
import { pauseAfter } from "./pauses.ts"
import { queueDue } from "./queueSyncs.ts"
import type { Attempt } from "./runJob.ts"
import { ResourceTask } from "./syncJobs.ts"
import { isLive } from "./syncStates.ts"
import { watchJob } from "./watchJobs.ts"

/** A change is seldom alone: a file is written in several acts, and mails come together. */
const QUIET = "1 second"

/** The least time from the end of a sync to the next that a change begins. */
const PAUSE = "5 seconds"

/** How often a watch asks whether a sync is over, and whether it is still wanted. */
const LOOK = "1 second"
const WANTED = "5 seconds"

/** A watch that stood as long has not failed in a row. */
const STEADY = Duration.toMillis("10 minutes")

const TENURE = "6 hours"

type Services = ConnectionStore | DocumentStore | JobStore | WorkspaceStore

/** Ends when there is nothing to be watched any more. */
export const watchResource = Effect.fn("watch.run")(function*(
  { job }: Attempt
): Effect.fn.Return<null, StorageUnavailable, Services> {
  const store = yield* ConnectionStore
  const providers = yield* Providers
  const box = yield* SecretBox
  const { workspace_id } = job
  const of = yield* Effect.orDie(Schema.decodeEffect(ResourceTask)(job.payload))

  const wanted = Effect.map(
    store.find(workspace_id, of.connection_id),
    (found) => Option.filter(found, ({ resources, status }) => status === "active" && resources.includes(of.resource))
  )

  const isSynced = Effect.map(
    store.states(workspace_id, of.connection_id),
    (states) => states.some((state) => state.resource === of.resource && isLive(state))
  )

  /** A change that comes while a sync runs may have come too late for it. */
  const syncNow = Effect.gen(function*() {
    yield* Effect.sleep(QUIET)
    while (yield* isSynced) yield* Effect.sleep(LOOK)
    const state = yield* store.findState(workspace_id, of)
    // One that failed, or that somebody stopped, has its own time to go on.
    if (Option.isNone(state) || state.value.status !== "completed") return
    yield* queueDue(workspace_id, state.value)
    yield* Effect.sleep(PAUSE)
  })

  const told = Effect.fnUntraced(
    function*(connection: ConnectionRecord): Effect.fn.Return<
      void,
      SyncFailure | StorageUnavailable,
      Services
    > {
      const provider = providers.find(({ provider }) => provider === connection.provider)
      if (provider?.changes === undefined) return
      const { config } = yield* openConfig(box, provider, workspace_id, connection)
      yield* provider.changes(config, of.resource).pipe(
        // What comes meanwhile is one change.
        Stream.buffer({ capacity: 1, strategy: "sliding" }),
        Stream.runForEach(() => syncNow)
      )
    }
  )

  /** Watches again after what passes by itself. */
  const watch = Effect.fnUntraced(function*(connection: ConnectionRecord) {
    for (let failures = 0;;) {
      const began = yield* Clock.currentTimeMillis
      const ended = yield* Effect.result(told(connection))
      if (Result.isSuccess(ended)) return
      const failure = ended.failure
      if (failure._tag === "StorageUnavailable") return yield* failure
      if (failure._tag === "CredentialsRefused") {
        yield* store.update(workspace_id, of.connection_id, { status: "error", error: failure.message }, "active")
      }
      if (failure._tag !== "RetryableFailure") return
      failures = (yield* Clock.currentTimeMillis) - began > STEADY ? 1 : failures + 1
      yield* Effect.sleep(pauseAfter(failures, failure.retry_after_seconds, yield* Random.next))
    }
  })

  /** Ends when the connection is not as it was any more. */
  const changed = ({ revision }: ConnectionRecord) =>
    Effect.repeat(Effect.delay(wanted, WANTED), {
      while: (found) => Option.isSome(found) && found.value.revision === revision
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

  // A job has a bounded time and a bounded number of attempts: it is relieved by one that has them anew.
  const relieved = Effect.gen(function*() {
    yield* Effect.sleep(TENURE)
    const now = yield* Clock.currentTimeMillis
    yield* (yield* JobStore).enqueue(watchJob(workspace_id, of, now), null)
  })
  yield* Effect.raceFirst(watchWhileWanted, relieved)
  return null
})
