/** One sync of one resource: from the last checkpoint to the source's end, or as far as it comes. */
import { Cause, Clock, Effect, Exit, Option, Random, Schema, Stream } from "effect"
import { DigestSet } from "../DigestSet.ts"
import { type StorageUnavailable } from "../model/Error.ts"
import { ConnectorId } from "../model/Id.ts"
import { resolveRange } from "../model/KnowledgeSettings.ts"
import { type ConnectionRecord, ConnectionStore, type SyncRecord } from "../ports/ConnectionStore.ts"
import type { DocumentStore } from "../ports/DocumentStore.ts"
import type { JobStore } from "../ports/JobStore.ts"
import { FatalFailure, type Provider, type PulledItem, type SyncFailure, type SyncStep } from "../ports/Provider.ts"
import type { TextExtractor } from "../ports/TextExtractor.ts"
import { WorkspaceStore } from "../ports/WorkspaceStore.ts"
import { Providers } from "../Providers.ts"
import { SecretBox } from "../SecretBox.ts"
import { openConfig, sealSecrets } from "./connectionConfig.ts"
import { addResources, dropResource, looksForMore, namedNow } from "./discovery.ts"
import { nextSync, pauseAfter } from "./pauses.ts"
import { carryOutDeletions, deletionsToHold, noteMissing } from "./pulledDeletions.ts"
import { takeIn } from "./pullAdmission.ts"
import { takeOver } from "./queueSyncs.ts"
import type { Attempt } from "./runJob.ts"
import { ResourceTask } from "./syncJobs.ts"
import { named, without } from "./syncStates.ts"
import { seeToWatch } from "./watchJobs.ts"

/** So many items, or so many bytes of files, are taken in at a time. */
const BATCH = 100
const BATCH_BYTES = 8_000_000

/** How often a sync asks whether it is still wanted. */
const WATCH = "2 seconds"

type Services = ConnectionStore | DocumentStore | JobStore | TextExtractor | WorkspaceStore

const weight = (item: PulledItem): number => "file" in item ? item.file.bytes.length : 0

/** What cannot be gone on with is told as the source's own failures are. */
const OUTSIDE = new FatalFailure({ message: "The provider named a document outside of the resource that it pulled." })

/** Pulls one resource; its state is the sync's own until `job_id` stands in it no more. */
export const syncResource = Effect.fn("sync.run")(function*(
  { job, report }: Attempt
): Effect.fn.Return<string | null, StorageUnavailable, Services> {
  const store = yield* ConnectionStore
  const providers = yield* Providers
  const box = yield* SecretBox
  const { connection_id, is_further, resource } = yield* Effect.orDie(Schema.decodeEffect(ResourceTask)(job.payload))
  const { job_id, workspace_id } = job
  const of = { connection_id, resource }

  const workspace = yield* (yield* WorkspaceStore).find(workspace_id)
  const found = yield* store.find(workspace_id, connection_id)
  const present = yield* store.findState(workspace_id, of)
  if (Option.isNone(workspace) || Option.isNone(found) || Option.isNone(present)) return null
  if (found.value.status === "paused") return null
  const known = present.value.job_id !== job_id && is_further === true
    ? yield* takeOver(workspace_id, present.value, job_id)
    : Option.filter(present, (state) => state.job_id === job_id)
  if (Option.isNone(known)) return null
  const connection = found.value
  const states = yield* store.states(workspace_id, connection_id)
  const others = states.map((state) => state.resource).filter((other) => other !== resource)

  let state: SyncRecord = known.value
  /** Ends the sync when the state is another's by now. */
  const save = Effect.fnUntraced(function*(change: Partial<SyncRecord>) {
    const now = yield* Clock.currentTimeMillis
    const next = { ...state, ...change, updated_at: new Date(now) }
    if (!(yield* store.saveState(workspace_id, next, job_id, null))) return yield* Effect.interrupt
    state = next
  })

  // What was synced under an older configuration, or a shorter reach, says nothing of where to begin.
  const isCurrent = state.revision === connection.revision
  const since = yield* Effect.map(Clock.currentTimeMillis, (now) => {
    const { from } = resolveRange({ start: connection.sync_config.start, end: null }, now)
    return from === -Infinity ? null : new Date(from)
  })
  const cursor = isCurrent ? state.cursor : null
  yield* save({
    status: "running",
    error: null,
    attempt: state.attempt + 1,
    cursor,
    revision: connection.revision,
    // What could not be taken in is told again only by a sync that pulls everything.
    ...(cursor === null ? { rejected: [], skipped: [] } : {})
  })

  const origin = { connector_id: ConnectorId.make(connection_id), source: `${connection.provider}:${connection_id}` }
  let items: Array<PulledItem> = []
  let bytes = 0
  let gone = new Set<string>()
  let skipped: Array<SyncRecord["skipped"][number]> = []
  const listed = new DigestSet()

  /** Makes durable what came so far. */
  const flush = Effect.gen(function*() {
    const [taken, leaving, told] = [items, gone, skipped]
    ;[items, bytes, gone, skipped] = [[], 0, new Set(), []]
    const judged = new Set([...taken, ...told].map(({ external_id }) => external_id).concat([...leaving]))
    state = { ...state, rejected: without(state.rejected, judged), skipped: without(state.skipped, judged) }
    if (taken.length > 0) {
      const result = yield* takeIn(workspace.value, origin, taken)
      if (result === null) return yield* Effect.interrupt
      state = {
        ...state,
        items_ingested: state.items_ingested + result.ingested,
        rejected: named(state.rejected, result.rejected),
        skipped: named(state.skipped, result.skipped)
      }
    }
    state = { ...state, skipped: named(state.skipped, told) }
    const there = taken.map(({ external_id }) => external_id).filter((external_id) => !leaving.has(external_id))
    if (leaving.size > 0 || there.length > 0) {
      yield* store.noteDeletions(workspace_id, of, { gone: [...leaving], there })
    }
  })

  const isOurs = (external_id: string): boolean => external_id.startsWith(`${resource}/`)

  const take = Effect.fnUntraced(
    function*(step: SyncStep): Effect.fn.Return<void, FatalFailure | StorageUnavailable, Services> {
      switch (step._tag) {
        case "Upsert":
          if (!isOurs(step.item.external_id)) return yield* OUTSIDE
          gone.delete(step.item.external_id)
          items.push(step.item)
          bytes += weight(step.item)
          return items.length >= BATCH || bytes >= BATCH_BYTES ? yield* flush : undefined
        case "Delete":
          if (!isOurs(step.external_id)) return yield* OUTSIDE
          gone.add(step.external_id)
          return gone.size >= BATCH * 10 ? yield* flush : undefined
        case "Skipped":
          if (skipped.length < BATCH) skipped.push({ external_id: step.external_id, reason: step.reason })
          return
        case "Checkpoint":
          yield* flush
          yield* save({ cursor: step.cursor, completed_windows: step.done, total_windows: step.total })
          return yield* report(step.done, step.total)
        case "Listed":
          for (const external_id of step.external_ids) listed.add(external_id)
          return
        case "Complete":
          yield* flush
          state = {
            ...state,
            rejected: state.rejected.filter(({ external_id }) => listed.has(external_id)),
            skipped: state.skipped.filter(({ external_id }) => listed.has(external_id))
          }
          return yield* noteMissing(workspace_id, of, others, listed, since)
      }
    }
  )

  const concluded = Effect.gen(function*() {
    const held = yield* deletionsToHold(workspace_id, of, others)
    return { held, deleted: held > 0 ? 0 : yield* carryOutDeletions(workspace_id, of) }
  })

  const pull = Effect.fnUntraced(function*(provider: Provider) {
    const { config, isStale, secrets } = yield* openConfig(box, provider, workspace_id, connection)
    if (isStale) yield* sealAnew(connection, secrets)
    const gone = yield* Stream.runForEach(provider.sync({ config, resource, cursor: state.cursor, since }), take).pipe(
      Effect.as(null),
      Effect.catchTag("SourceGone", (failure) => Effect.succeed(failure))
    )
    yield* flush
    const there = gone !== null || looksForMore(connection, resource, states)
      ? yield* namedNow(provider, config)
      : Option.none<ReadonlyArray<string>>()
    if (gone !== null) {
      // Only a list of what there is tells that it is gone, and not away.
      if (Option.isNone(there) || there.value.includes(resource)) return yield* gone
      yield* noteMissing(workspace_id, of, others, new DigestSet(), null)
    }
    if (Option.isSome(there)) yield* addResources(workspace_id, connection, there.value)
    const end = yield* concluded
    const isOver = gone !== null && end.held === 0 && (yield* dropResource(workspace_id, connection, resource))
    if (gone === null && provider.changes !== undefined) yield* seeToWatch(workspace_id, of)
    return { ...end, isOver }
  })

  const sealAnew = Effect.fnUntraced(
    function*({ secrets: before }: ConnectionRecord, secrets: Parameters<typeof sealSecrets>[3]) {
      const sealed = yield* Effect.orDie(sealSecrets(box, workspace_id, connection_id, secrets))
      const present = yield* store.find(workspace_id, connection_id)
      if (Option.isNone(present) || present.value.secrets !== before) return
      yield* store.update(workspace_id, connection_id, { secrets: sealed }, null)
    }
  )

  /** What a failure means for the resource, and for its connection. */
  const failed = Effect.fnUntraced(function*(failure: SyncFailure | { readonly _tag: "Unexpected"; message: string }) {
    const now = yield* Clock.currentTimeMillis
    const random = yield* Random.next
    const { message } = failure
    const later = (pause: number) => new Date(now + pause)
    if (failure._tag === "CredentialsRefused") {
      yield* store.update(workspace_id, connection_id, { status: "error", error: message }, "active")
    }
    const dueAt = {
      RetryableFailure: () =>
        later(pauseAfter(state.attempt, "retry_after_seconds" in failure ? failure.retry_after_seconds : 0, random)),
      Unexpected: () => later(pauseAfter(state.attempt, 0, random)),
      SourceGone: () => nextSync(connection, now, random),
      CredentialsRefused: () => later(0),
      FatalFailure: () => null
    }[failure._tag]()
    yield* save({ status: "failed", error: message, due_at: dueAt })
  })

  const wanted = Effect.forever(
    Effect.delay(Effect.suspend(() => report(state.completed_windows, state.total_windows)), WATCH)
  )
  const provider = providers.find(({ provider }) => provider === connection.provider)
  const work = provider === undefined
    ? Effect.fail(new FatalFailure({ message: "This server does not offer the connection's provider any more." }))
    : pull(provider)
  const exit = yield* Effect.exit(Effect.raceFirst(work, wanted))

  if (Exit.isSuccess(exit)) {
    const now = yield* Clock.currentTimeMillis
    yield* save({
      status: "completed",
      completed_windows: state.total_windows,
      items_deleted: state.items_deleted + exit.value.deleted,
      deletions_held: exit.value.held,
      attempt: 0,
      error: null,
      last_synced_at: new Date(now),
      due_at: exit.value.isOver ? null : nextSync(connection, now, yield* Random.next)
    })
    // Credentials that were put right at the source are right again.
    yield* store.update(workspace_id, connection_id, { status: "active", error: null }, "error")
    return null
  }
  const error = Cause.findErrorOption(exit.cause)
  if (Option.isSome(error)) {
    if (error.value._tag === "StorageUnavailable") return yield* error.value
    yield* failed(error.value)
    return null
  }
  if (!Cause.hasDies(exit.cause)) return yield* Effect.failCause(exit.cause as Cause.Cause<never>)
  yield* Effect.logError("sync failed", exit.cause).pipe(
    Effect.annotateLogs({ connection_id, provider: connection.provider })
  )
  yield* failed({ _tag: "Unexpected", message: "Something unexpected went wrong. It is tried again." })
  return null
})
