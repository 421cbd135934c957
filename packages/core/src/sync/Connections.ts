/** Connections: configured sources that are pulled on a schedule. */
import { Clock, Context, Effect, Layer, Struct } from "effect"
import { changeConnection, changesNothing, merged } from "./changeConnection.ts"
import { providerOf } from "./connectionConfig.ts"
import { describeProvider } from "./describeProvider.ts"
import { findConnection, originOf } from "./findConnection.ts"
import { shownSources } from "../ingest/shownSources.ts"
import { deleteDocumentsJob } from "../jobs/maintenanceJobs.ts"
import { queueSync } from "./run/queueSyncs.ts"
import { rewriteState } from "./run/rewriteStates.ts"
import { cancelled, isLive, newState } from "./run/syncStates.ts"
import { rewrapAll } from "./rewrapping.ts"
import { tryConfig } from "./tryConfig.ts"
import { uuid7 } from "../internal/uuid7.ts"
import {
  type Connection,
  type ConnectionPatch,
  MAX_CONNECTIONS,
  type NewConnection,
  type ProviderDescription,
  type Rewrapped
} from "../model/Connection.ts"
import {
  type BadRequest,
  ConnectionNotFound,
  type InvalidConfig,
  type StorageUnavailable,
  Unprocessable
} from "../model/Error.ts"
import { isPushed } from "../model/Connector.ts"
import { ConnectionId, ConnectorId, parseId, type WorkspaceId } from "../model/Id.ts"
import type { Principal } from "../model/Principal.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import { auditing } from "../people/auditing.ts"
import { CurrentTokenFilter } from "../people/CurrentTokenFilter.ts"
import { type ConnectionRecord, ConnectionStore } from "../ports/ConnectionStore.ts"
import { DocumentStore, EVERY_DOCUMENT } from "../ports/DocumentStore.ts"
import { JobStore } from "../ports/JobStore.ts"
import type { WorkspaceStore } from "../ports/WorkspaceStore.ts"
import { Providers } from "./Providers.ts"

/** How many syncs start together with the connection. */
const AT_ONCE = 20

const shown = (record: ConnectionRecord): Connection => Struct.omit(record, ["secrets", "revision"])

/** Without the configuration, which reveals more than the documents. */
const inOutline = (connection: Connection): Connection => ({ ...connection, config: {}, resources: [], error: null })

type Failure = BadRequest | InvalidConfig | Unprocessable | StorageUnavailable

export class Connections extends Context.Service<Connections, {
  readonly providers: ReadonlyArray<ProviderDescription>
  /**
   * `BadRequest`: the source cannot be reached, or refuses the credentials. The first sync starts automatically.
   * `Unprocessable`: unknown provider, or too many connections.
   */
  create(workspace: WorkspaceRecord, wanted: NewConnection, by: Principal): Effect.Effect<Connection, Failure>
  /** Newest first. For a token with a filter: the visible ones, without details. */
  list(workspaceId: WorkspaceId): Effect.Effect<ReadonlyArray<Connection>, StorageUnavailable>
  find(
    workspaceId: WorkspaceId,
    connectionId: string
  ): Effect.Effect<Connection, ConnectionNotFound | StorageUnavailable>
  /**
   * `config` replaces the old one. Omitted secrets are kept only if nothing else changes: otherwise somebody who may
   * edit connections could send them to a server of their own.
   */
  update(
    workspace: WorkspaceRecord,
    connectionId: string,
    patch: ConnectionPatch,
    by: Principal
  ): Effect.Effect<Connection, Failure | ConnectionNotFound>
  /** `deleteDocuments` also deletes its documents, by a job, even if the connection is already deleted. */
  delete(
    workspace: WorkspaceRecord,
    connectionId: string,
    deleteDocuments: boolean,
    by: Principal
  ): Effect.Effect<ConnectionId, ConnectionNotFound | StorageUnavailable>
  /**
   * Encrypts the secrets of all workspaces with the first key. If none is left `unreadable` and no other server uses
   * older keys, those can be removed.
   */
  readonly rewrap: Effect.Effect<Rewrapped, StorageUnavailable>
}>()("@tributary/core/Connections") {
  static readonly layer = Layer.effect(
    Connections,
    Effect.gen(function*() {
      const providers = yield* Providers
      const store = yield* ConnectionStore
      const documents = yield* DocumentStore
      const jobs = yield* JobStore
      const audit = yield* auditing
      const context = yield* Effect.context<ConnectionStore | JobStore | WorkspaceStore>()

      const create = Effect.fn("Connections.create")(
        function*(workspace: WorkspaceRecord, wanted: NewConnection, by: Principal) {
          const { workspace_id } = workspace
          const provider = yield* providerOf(providers, wanted.provider)
          const connection_id = uuid7<ConnectionId>(yield* Clock.currentTimeMillis)
          const tried = yield* Effect.provide(
            tryConfig(workspace_id, connection_id, provider, wanted.config),
            context
          )
          const now = yield* Clock.currentTimeMillis
          const connection: ConnectionRecord = {
            connection_id,
            provider: provider.provider,
            name: wanted.name,
            ...tried,
            sync_config: merged(provider.syncDefaults, wanted.sync_config),
            connected_at: new Date(now),
            created_by: by,
            status: "active",
            error: null,
            revision: 0
          }
          const states = tried.resources.map((resource) => newState(connection_id, resource, now))
          const inserted = audit(store.insert(workspace_id, connection, MAX_CONNECTIONS, states), {
            action: "connection.created",
            by,
            in: workspace,
            subject: connection_id,
            details: { name: connection.name, provider: connection.provider }
          })
          if ((yield* inserted) === "full") {
            return yield* new Unprocessable({ message: `A workspace holds at most ${MAX_CONNECTIONS} connections.` })
          }
          // Syncs that are not started here are due.
          yield* Effect.forEach(states.slice(0, AT_ONCE), (state) => queueSync(workspace_id, state, false)).pipe(
            Effect.provide(context)
          )
          return shown(connection)
        }
      )

      const update = Effect.fn("Connections.update")(
        function*(workspace: WorkspaceRecord, connectionId: string, patch: ConnectionPatch, by: Principal) {
          const { workspace_id } = workspace
          if (changesNothing(patch)) return shown(yield* findConnection(store, workspace_id, connectionId))
          return shown(yield* Effect.provide(changeConnection(workspace, connectionId, patch, by), context))
        }
      )

      const stopSyncs = Effect.fnUntraced(function*(workspaceId: WorkspaceId, connection_id: ConnectionId) {
        const now = yield* Clock.currentTimeMillis
        for (const state of yield* store.states(workspaceId, connection_id)) {
          if (isLive(state)) {
            yield* Effect.provide(
              rewriteState(workspaceId, state, (state) => cancelled(state, now, null), now),
              context
            )
          }
        }
      })

      /** The id of a deleted connection whose documents are still there. */
      const findDeleted = Effect.fnUntraced(function*(workspaceId: WorkspaceId, connectionId: string) {
        const id = yield* Effect.fromOption(parseId(ConnectionId)(connectionId), () => new ConnectionNotFound())
        const filter = { ...EVERY_DOCUMENT, connectorId: ConnectorId.make(id) }
        const [left] = yield* documents.matching(workspaceId, filter, 1)
        // Those of a connector are not deleted by its id as a connection.
        return left === undefined || isPushed(left) ? yield* new ConnectionNotFound() : id
      })

      const remove = Effect.fn("Connections.delete")(
        function*(workspace: WorkspaceRecord, connectionId: string, deleteDocuments: boolean, by: Principal) {
          const { workspace_id } = workspace
          const present = Effect.map(findConnection(store, workspace_id, connectionId), (found) => found.connection_id)
          const connection_id = yield* deleteDocuments
            ? Effect.catchTag(present, "connection_not_found", () => findDeleted(workspace_id, connectionId))
            : present
          const note = {
            action: "connection.deleted",
            by,
            in: workspace,
            subject: connection_id,
            details: { delete_documents: deleteDocuments }
          } as const
          const now = yield* Clock.currentTimeMillis
          const deletion = deleteDocuments
            ? deleteDocumentsJob(workspace_id, ConnectorId.make(connection_id), now)
            : undefined
          yield* stopSyncs(workspace_id, connection_id)
          if (yield* audit(store.remove(workspace_id, connection_id, deletion), note)) return connection_id
          if (deletion === undefined) return yield* new ConnectionNotFound()
          yield* audit(jobs.enqueue(deletion, null), note)
          return connection_id
        }
      )

      return Connections.of({
        providers: providers.map(describeProvider),
        create,
        list: Effect.fn("Connections.list")(function*(workspaceId: WorkspaceId) {
          const tokenFilter = yield* CurrentTokenFilter
          const connections = (yield* store.list(workspaceId)).map(shown)
          if (tokenFilter === null) return connections
          return (yield* shownSources(documents, workspaceId, connections, originOf)).map(inOutline)
        }),
        find: Effect.fn("Connections.find")((workspaceId: WorkspaceId, connectionId: string) =>
          Effect.map(findConnection(store, workspaceId, connectionId), shown)
        ),
        update,
        delete: remove,
        rewrap: Effect.provide(rewrapAll, context)
      })
    })
  )
}
