/** Syncs of connections, on request and on schedule. */
import { Clock, Context, Effect, Layer, Option } from "effect"
import { Connections } from "./Connections.ts"
import { endAbandoned } from "./run/abandonedSync.ts"
import { findConnection } from "./findConnection.ts"
import { carryOutDeletions } from "./run/pulledDeletions.ts"
import { rewriteState } from "./run/rewriteStates.ts"
import { nextSync } from "./backoff.ts"
import { queueAsked, queueDue } from "./run/queueSyncs.ts"
import { furtherSyncJob } from "./run/syncJobs.ts"
import { cancelled, shownState } from "./run/syncStates.ts"
import { dueTimes } from "../scheduling/dueTimes.ts"
import { paged } from "../internal/paged.ts"
import type { HeldDeletions, SyncConfigPatch, SyncState } from "../model/Connection.ts"
import { cursorOf } from "../model/Cursor.ts"
import {
  BadRequest,
  ConnectionNotFound,
  type InvalidConfig,
  type StorageUnavailable,
  type Unprocessable
} from "../model/Error.ts"
import { SyncRunId, type WorkspaceId } from "../model/Id.ts"
import type { InvalidCursor, Page, PageRequest } from "../model/Page.ts"
import type { Principal } from "../model/Principal.ts"
import type { SyncRun } from "../model/SyncRun.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import { type ConnectionRecord, ConnectionStore, type ResourceRef, type SyncRecord } from "../ports/ConnectionStore.ts"
import type { DocumentStore } from "../ports/DocumentStore.ts"
import { JobStore } from "../ports/JobStore.ts"
import { SyncRunStore } from "../ports/SyncRunStore.ts"
import type { WorkspaceStore } from "../ports/WorkspaceStore.ts"

const cursor = cursorOf("sync runs", SyncRunId)

/** How many syncs are queued at a time. */
const AT_ONCE = 1_000

/** How many connections' states are read at a time. */
const READ_AT_ONCE = 8

export class Syncs extends Context.Service<Syncs, {
  /**
   * Starts a sync of every resource; a running one is followed by another. `BadRequest`: the connection is paused.
   * Items over the plan's caps are pulled again.
   */
  start(
    workspaceId: WorkspaceId,
    connectionId: string
  ): Effect.Effect<ReadonlyArray<SyncState>, BadRequest | ConnectionNotFound | StorageUnavailable>
  /** Changes the settings of the connection first, if there are any. */
  startWith(
    workspace: WorkspaceRecord,
    connectionId: string,
    settings: SyncConfigPatch | null | undefined,
    by: Principal
  ): Effect.Effect<
    ReadonlyArray<SyncState>,
    BadRequest | ConnectionNotFound | InvalidConfig | StorageUnavailable | Unprocessable
  >
  /** By resource. */
  states(
    workspaceId: WorkspaceId,
    connectionId: string
  ): Effect.Effect<ReadonlyArray<SyncState>, ConnectionNotFound | StorageUnavailable>
  /** Of the connections that have any. */
  heldDeletions(workspaceId: WorkspaceId): Effect.Effect<ReadonlyArray<HeldDeletions>, StorageUnavailable>
  /** Past syncs, newest first: the last 100 of each resource. */
  runs(
    workspaceId: WorkspaceId,
    connectionId: string,
    resource: string | null,
    page: PageRequest
  ): Effect.Effect<Page<SyncRun>, ConnectionNotFound | InvalidCursor | StorageUnavailable>
  /** Cancels a sync within seconds. Its documents stay, and the next sync resumes from the last checkpoint. */
  cancel(
    workspaceId: WorkspaceId,
    connectionId: string,
    resource: string
  ): Effect.Effect<SyncState, ConnectionNotFound | StorageUnavailable>
  /** Deletes the documents that are held. */
  confirmDeletions(
    workspaceId: WorkspaceId,
    connectionId: string,
    resource: string
  ): Effect.Effect<SyncState, ConnectionNotFound | StorageUnavailable>
  /** Queues due syncs in every workspace. */
  readonly startDue: Effect.Effect<void, StorageUnavailable>
}>()("@tributary/core/Syncs") {
  static readonly layer = Layer.effect(
    Syncs,
    Effect.gen(function*() {
      const connections = yield* Connections
      const store = yield* ConnectionStore
      const ended = yield* SyncRunStore
      const dueUntil = dueTimes()
      const context = yield* Effect.context<ConnectionStore | DocumentStore | JobStore | WorkspaceStore>()

      const statesOf = Effect.fnUntraced(
        function*(workspaceId: WorkspaceId, { connection_id, resources }: ConnectionRecord) {
          const pulled = new Set(resources)
          // With former ones whose deletions wait for a confirmation.
          return (yield* store.states(workspaceId, connection_id))
            .filter(({ deletions_held, resource }) => pulled.has(resource) || deletions_held > 0)
        }
      )

      const states = Effect.fn("Syncs.states")(function*(workspaceId: WorkspaceId, connectionId: string) {
        const connection = yield* findConnection(store, workspaceId, connectionId)
        return (yield* statesOf(workspaceId, connection)).map(shownState)
      })

      const heldDeletions = Effect.fn("Syncs.heldDeletions")(function*(workspaceId: WorkspaceId) {
        const held = yield* Effect.forEach(
          yield* store.list(workspaceId),
          ({ connection_id }) =>
            Effect.map(store.states(workspaceId, connection_id), (states) => ({
              connection_id,
              deletions_held: states.reduce((sum, { deletions_held }) => sum + deletions_held, 0)
            })),
          { concurrency: READ_AT_ONCE }
        )
        return held.filter(({ deletions_held }) => deletions_held > 0)
      })

      const runs = Effect.fn("Syncs.runs")(
        function*(workspaceId: WorkspaceId, connectionId: string, resource: string | null, page: PageRequest) {
          const { connection_id } = yield* findConnection(store, workspaceId, connectionId)
          return yield* paged(
            cursor,
            page,
            (run: SyncRun) => run.run_id,
            (after, limit) => ended.list(workspaceId, connection_id, { resource, after, limit })
          )
        }
      )

      const start = Effect.fn("Syncs.start")(function*(workspaceId: WorkspaceId, connectionId: string) {
        const connection = yield* findConnection(store, workspaceId, connectionId)
        if (connection.status === "paused") {
          return yield* new BadRequest({ message: "This connection is paused. It is synced again once it is active." })
        }
        for (const ref of yield* statesOf(workspaceId, connection)) {
          const found = yield* store.findState(workspaceId, ref)
          if (Option.isSome(found)) yield* queueAsked(workspaceId, found.value)
        }
        return (yield* statesOf(workspaceId, connection)).map(shownState)
      })

      const startWith = Effect.fn("Syncs.startWith")(
        function*(
          workspace: WorkspaceRecord,
          connectionId: string,
          settings: SyncConfigPatch | null | undefined,
          by: Principal
        ) {
          if (settings) yield* connections.update(workspace, connectionId, { sync_config: settings }, by)
          return yield* start(workspace.workspace_id, connectionId)
        }
      )

      const answer = (found: Option.Option<SyncRecord>) =>
        Effect.map(Effect.fromOption(found, () => new ConnectionNotFound()), shownState)

      const cancel = Effect.fn("Syncs.cancel")(
        function*(workspaceId: WorkspaceId, connectionId: string, resource: string) {
          const connection = yield* findConnection(store, workspaceId, connectionId)
          const { connection_id } = connection
          const now = yield* Clock.currentTimeMillis
          const next = nextSync(connection, now, 0.5)
          const ref = { connection_id, resource }
          return yield* answer(yield* rewriteState(workspaceId, ref, (state) => cancelled(state, now, next), now))
        }
      )

      const confirmDeletions = Effect.fn("Syncs.confirmDeletions")(
        function*(workspaceId: WorkspaceId, connectionId: string, resource: string) {
          const { connection_id } = yield* findConnection(store, workspaceId, connectionId)
          const ref = { connection_id, resource }
          const found = yield* store.findState(workspaceId, ref)
          if (!Option.exists(found, ({ deletions_held }) => deletions_held > 0)) return yield* answer(found)
          const deleted = yield* carryOutDeletions(workspaceId, ref)
          const now = yield* Clock.currentTimeMillis
          const done = (state: SyncRecord): SyncRecord => ({
            ...state,
            // A document that is back at its source is sent again at least by a complete sync.
            cursor: state.status === "running" ? state.cursor : null,
            deletions_held: 0,
            items_deleted: state.items_deleted + deleted,
            documents: state.documents === null ? null : state.documents - deleted,
            updated_at: new Date(now)
          })
          const changed = yield* rewriteState(workspaceId, ref, done, now)
          if (Option.exists(changed, ({ status }) => status === "running")) {
            yield* (yield* JobStore).enqueue(furtherSyncJob(workspaceId, ref, now, true), null)
          }
          return yield* answer(changed)
        }
      )

      const startOne = Effect.fnUntraced(
        function*(workspaceId: WorkspaceId, ref: ResourceRef) {
          const found = yield* store.findState(workspaceId, ref)
          if (Option.isNone(found)) return
          if (!(yield* endAbandoned(workspaceId, found.value))) yield* queueDue(workspaceId, found.value)
        }
      )

      const startDue = Effect.gen(function*() {
        const now = yield* Clock.currentTimeMillis
        const due = yield* store.due(dueUntil(now), AT_ONCE)
        yield* Effect.forEach(
          due,
          ({ workspace_id, ...ref }) => startOne(workspace_id, ref),
          { discard: true }
        )
      })

      return Syncs.of({
        start: (...args) => Effect.provide(start(...args), context),
        startWith: (...args) => Effect.provide(startWith(...args), context),
        states,
        heldDeletions,
        runs,
        cancel: (...args) => Effect.provide(cancel(...args), context),
        confirmDeletions: (...args) => Effect.provide(confirmDeletions(...args), context),
        startDue: Effect.provide(startDue, context)
      })
    })
  )
}
