/** One sync of one resource, from the last checkpoint to the end of the source. */
import { Cause, Effect, Exit, Option } from "effect"
import type { Attempt } from "../../jobs/runJob.ts"
import type { StorageUnavailable } from "../../model/Error.ts"
import { isSuspended } from "../../people/suspension.ts"
import { ConnectionStore } from "../../ports/ConnectionStore.ts"
import type { DocumentStore } from "../../ports/DocumentStore.ts"
import type { JobStore } from "../../ports/JobStore.ts"
import { CurrentWorkspace, FatalFailure } from "../../ports/Provider.ts"
import type { TextExtractor } from "../../ports/TextExtractor.ts"
import type { WorkspaceStore } from "../../ports/WorkspaceStore.ts"
import { Providers } from "../Providers.ts"
import type { ActiveSync } from "./ActiveSync.ts"
import { beginSync } from "./beginSync.ts"
import { pullResource, removeResource } from "./pullResource.ts"
import { endCancelled, endCompleted } from "./syncEnd.ts"
import { endFailed, UNEXPECTED } from "./syncFailure.ts"

/** How often a sync checks whether it is still wanted. */
const WATCH = "2 seconds"

type Services = ConnectionStore | DocumentStore | JobStore | TextExtractor | WorkspaceStore

const pull = Effect.fnUntraced(function*(sync: ActiveSync) {
  if (!sync.connection.resources.includes(sync.ref.resource)) return yield* removeResource(sync)
  const provider = (yield* Providers).find(({ provider }) => provider === sync.connection.provider)
  return provider === undefined
    ? yield* new FatalFailure({ message: "This server does not offer the connection's provider any more." })
    : yield* pullResource(sync, provider)
})

/** Interrupts a sync that is not wanted any more. */
const checkWanted = Effect.fnUntraced(function*({ report, state, workspace }: ActiveSync) {
  const { completed_windows, total_windows } = state()
  yield* report(completed_windows, total_windows)
  // The job is queued again and ends at its start.
  if (yield* isSuspended(workspace.workspace_id)) return yield* Effect.interrupt
})

/** Changes of the interval apply to a sync that is under way as well: its state shows when the next one is due. */
const withPresentInterval = Effect.fnUntraced(function*(sync: ActiveSync) {
  const { connection, workspace: { workspace_id } } = sync
  const present = yield* (yield* ConnectionStore).find(workspace_id, connection.connection_id)
  const { sync_config } = Option.getOrElse(present, () => connection)
  return { ...sync, connection: { ...connection, sync_config } }
})

/** Its state belongs to this sync until `job_id` changes. */
export const syncResource = Effect.fn("sync.run")(function*(
  attempt: Attempt
): Effect.fn.Return<null, StorageUnavailable, Services> {
  const begun = yield* beginSync(attempt)
  if (Option.isNone(begun)) return null
  const sync = begun.value
  const exit = yield* Effect.raceFirst(pull(sync), Effect.forever(Effect.delay(checkWanted(sync), WATCH))).pipe(
    Effect.onInterrupt(() => Effect.ignore(endCancelled(sync))),
    Effect.exit
  )
  if (Exit.isSuccess(exit)) {
    yield* endCompleted(yield* withPresentInterval(sync), exit.value)
    return null
  }
  const error = Cause.findErrorOption(exit.cause)
  if (Option.isSome(error)) {
    if (error.value._tag === "StorageUnavailable") return yield* error.value
    yield* endFailed(yield* withPresentInterval(sync), error.value)
    return null
  }
  if (!Cause.hasDies(exit.cause)) return yield* Effect.failCause(exit.cause as Cause.Cause<never>)
  const { connection_id, provider } = sync.connection
  yield* Effect.logError("sync failed", exit.cause).pipe(Effect.annotateLogs({ connection_id, provider }))
  yield* endFailed(sync, UNEXPECTED)
  return null
}, (pulled, { job: { workspace_id } }) => Effect.provideService(pulled, CurrentWorkspace, workspace_id))
