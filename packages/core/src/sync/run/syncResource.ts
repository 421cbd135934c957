/** One sync of one resource, from the last checkpoint to the end of the source. */
import { Cause, Clock, Effect, Exit, Option, Random, Schema, Stream } from "effect"
import { DigestSet } from "../../ingest/DigestSet.ts"
import { type StorageUnavailable } from "../../model/Error.ts"
import { isSuspended } from "../../people/suspension.ts"
import { resolveRange } from "../../model/TemporalRange.ts"
import { type ConnectionRecord, ConnectionStore } from "../../ports/ConnectionStore.ts"
import type { DocumentStore } from "../../ports/DocumentStore.ts"
import type { JobStore } from "../../ports/JobStore.ts"
import { FatalFailure, type Provider, PulledFor } from "../../ports/Provider.ts"
import type { TextExtractor } from "../../ports/TextExtractor.ts"
import { WorkspaceStore } from "../../ports/WorkspaceStore.ts"
import { publishHeld } from "../../webhooks/publishSync.ts"
import { Providers } from "../Providers.ts"
import { SecretBox } from "../SecretBox.ts"
import { openConfig } from "../connectionConfig.ts"
import { addResources, dropResource, looksForMore, namedNow } from "../discovery.ts"
import { nextSync } from "../backoff.ts"
import { rewrap } from "../rewrapping.ts"
import { countStored, decideDeletions, noteMissing } from "./pulledDeletions.ts"
import { takeOver } from "./queueSyncs.ts"
import { rewriteState } from "./rewriteStates.ts"
import type { Attempt } from "../../jobs/runJob.ts"
import { countLeftOut } from "./leftOut.ts"
import { runningSync } from "./runningSync.ts"
import { noteFailure, UNEXPECTED } from "./syncFailure.ts"
import { ResourceTask } from "./syncJobs.ts"
import { completed, started } from "./syncStates.ts"
import { noteRun } from "./syncRuns.ts"
import { applySteps } from "./applySteps.ts"
import { seeToWatch } from "./watchJobs.ts"

/** How often a sync checks whether it is still wanted. */
const WATCH = "2 seconds"

type Services = ConnectionStore | DocumentStore | JobStore | TextExtractor | WorkspaceStore

/**
 * The connection and its states; none if the sync is not wanted any more, or not while the workspace is suspended. Then
 * its state stays, without a job, and is due when the suspension is lifted.
 */
const begun = Effect.fnUntraced(function*({ job: { job_id, payload, workspace_id } }: Attempt) {
  const store = yield* ConnectionStore
  const { connection_id, is_further, resource } = yield* Effect.orDie(Schema.decodeEffect(ResourceTask)(payload))
  const workspace = yield* (yield* WorkspaceStore).find(workspace_id)
  const connection = yield* store.find(workspace_id, connection_id)
  const present = yield* store.findState(workspace_id, { connection_id, resource })
  if (Option.isNone(workspace) || Option.isNone(connection) || Option.isNone(present)) return Option.none()
  if (connection.value.status === "paused") return Option.none()
  const known = present.value.job_id !== job_id && is_further === true
    ? yield* takeOver(workspace_id, present.value, job_id)
    : Option.filter(present, (state) => state.job_id === job_id)
  if (workspace.value.suspended) return Option.none()
  return Option.map(known, (state) => ({
    workspace: workspace.value,
    connection: connection.value,
    resource,
    sync: runningSync(workspace_id, state, job_id)
  }))
})

const sinceWhen = ({ sync_config: { start } }: ConnectionRecord) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const { from } = resolveRange({ start, end: null }, now)
    return from === -Infinity ? null : new Date(from)
  })

/** Syncs one resource. Its state belongs to this sync until `job_id` changes. */
export const syncResource = Effect.fn("sync.run")(function*(
  attempt: Attempt
): Effect.fn.Return<string | null, StorageUnavailable, Services> {
  const store = yield* ConnectionStore
  const wanted = yield* begun(attempt)
  if (Option.isNone(wanted)) return null
  const { connection, resource, sync, workspace } = wanted.value
  const { connection_id } = connection
  const { workspace_id } = workspace
  const of = { connection_id, resource }
  const states = yield* store.states(workspace_id, connection_id)
  const others = states.map((state) => state.resource).filter((other) => other !== resource)
  const since = yield* sinceWhen(connection)
  const run = { began: yield* Clock.currentTimeMillis, leftOut: countLeftOut() }
  yield* sync.save(started(sync.state(), connection.revision))

  const pull = Effect.fnUntraced(function*(provider: Provider) {
    const config = yield* openConfig(yield* SecretBox, provider, workspace_id, connection)
    yield* Effect.catchTag(rewrap(workspace_id, connection), "Sealed", Effect.die)
    const { flush, take } = applySteps(
      { workspace, connection, resource, others, since },
      sync,
      run.leftOut,
      attempt.report
    )
    const steps = provider.sync({ config, resource, cursor: sync.state().cursor, since })
    const gone = yield* Stream.runForEach(steps, take).pipe(
      Effect.as(null),
      Effect.catchTag("SourceGone", (failure) => Effect.succeed(failure))
    )
    yield* flush
    const there = gone !== null || looksForMore(connection, resource, states)
      ? yield* namedNow(provider, config)
      : Option.none<ReadonlyArray<string>>()
    if (gone !== null) {
      // Only a listing of all resources shows that it is gone and not just unavailable.
      if (Option.isNone(there) || there.value.includes(resource)) return yield* gone
      yield* noteMissing(workspace_id, of, others, new DigestSet(), null)
    }
    if (Option.isSome(there)) yield* addResources(workspace_id, connection, there.value)
    const deletions = yield* decideDeletions(workspace_id, of, others)
    const isOver = gone !== null && deletions.held === 0 && (yield* dropResource(workspace_id, connection, resource))
    if (gone === null && provider.changes !== undefined) yield* seeToWatch(workspace_id, connection_id)
    return { ...deletions, isOver }
  })

  const noteCompletion = Effect.fnUntraced(function*(
    { isOver, ...deletions }: Effect.Success<ReturnType<typeof pull>>
  ) {
    const now = yield* Clock.currentTimeMillis
    const { held } = deletions
    // Credentials that were corrected at the source: a client that sees the sync completed finds the connection active.
    yield* store.update(workspace_id, connection_id, { status: "active", error: null }, "error")
    if (held > 0) yield* publishHeld(held)(workspace_id, connection, sync.state())
    const dueAt = isOver ? null : nextSync(connection, now, yield* Random.next)
    yield* sync.save(completed(sync.state(), deletions, now, dueAt))
    // A confirmation that came while they were decided is in a state that this one has replaced.
    if (held > 0 && (yield* store.countDeletions(workspace_id, of)) === 0) {
      const left = yield* countStored(workspace_id, of, others)
      yield* rewriteState(workspace_id, of, (state) => ({ ...state, deletions_held: 0, documents: left }), now)
    }
    yield* noteRun(workspace_id, sync.state(), "completed", run)
  })

  const fail = Effect.fnUntraced(function*(failure: Parameters<typeof noteFailure>[3]) {
    yield* noteFailure(workspace_id, connection, sync, failure)
    yield* noteRun(workspace_id, sync.state(), "failed", run)
  })

  /** Cancelled by a user. A sync that is interrupted because its server stops is resumed, and not over. */
  const noteCancellation = Effect.gen(function*() {
    const state = yield* store.findState(workspace_id, of)
    if (Option.isNone(state) || state.value.status !== "cancelled") return
    yield* noteRun(workspace_id, { ...sync.state(), due_at: state.value.due_at }, "cancelled", run)
  })

  const stillWanted = Effect.suspend(() => {
    const { completed_windows, total_windows } = sync.state()
    return attempt.report(completed_windows, total_windows)
  }).pipe(
    Effect.andThen(isSuspended(workspace_id)),
    // The job is queued again and ends at its start.
    Effect.flatMap((suspended) => suspended ? Effect.interrupt : Effect.void)
  )
  const provider = (yield* Providers).find(({ provider }) => provider === connection.provider)
  const work = provider === undefined
    ? Effect.fail(new FatalFailure({ message: "This server does not offer the connection's provider any more." }))
    : pull(provider)
  const exit = yield* Effect.raceFirst(work, Effect.forever(Effect.delay(stillWanted, WATCH))).pipe(
    Effect.onInterrupt(() => Effect.ignore(noteCancellation)),
    Effect.exit
  )

  if (Exit.isSuccess(exit)) {
    yield* noteCompletion(exit.value)
    return null
  }
  const error = Cause.findErrorOption(exit.cause)
  if (Option.isSome(error)) {
    if (error.value._tag === "StorageUnavailable") return yield* error.value
    yield* fail(error.value)
    return null
  }
  if (!Cause.hasDies(exit.cause)) return yield* Effect.failCause(exit.cause as Cause.Cause<never>)
  yield* Effect.logError("sync failed", exit.cause).pipe(
    Effect.annotateLogs({ connection_id, provider: connection.provider })
  )
  yield* fail(UNEXPECTED)
  return null
}, (pulled, { job: { workspace_id } }) => Effect.provideService(pulled, PulledFor, workspace_id))
