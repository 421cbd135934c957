/**
 * Custom connectors: the named sources through which a workspace pushes its own data.
 *
 * A connector is never deleted. Deactivating it stops new ingest and keeps its documents.
 */
import { Clock, Context, Effect, Layer, type Option } from "effect"
import { checkConnectorMetadata } from "./connectorMetadata.ts"
import { findConnector, originOf } from "./findConnector.ts"
import { shownSources } from "./shownSources.ts"
import { finishDeletions } from "../jobs/maintenance.ts"
import { deleteDocumentsJob } from "../jobs/maintenanceJobs.ts"
import { uuid7 } from "../internal/uuid7.ts"
import { type Connector, type ConnectorPatch, MAX_CONNECTORS, type NewConnector } from "../model/Connector.ts"
import { ConnectorNotFound, InvalidField, type StorageUnavailable, Unprocessable } from "../model/Error.ts"
import type { ConnectorId, WorkspaceId } from "../model/Id.ts"
import type { Principal } from "../model/Principal.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import { auditing, type Note } from "../people/auditing.ts"
import { type ConnectorChange, ConnectorStore } from "../ports/ConnectorStore.ts"
import { DocumentStore } from "../ports/DocumentStore.ts"
import type { JobStore } from "../ports/JobStore.ts"
import type { Stored } from "../ports/Storage.ts"

const distinct = (kinds: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(kinds)]

/** The change of a patch; null changes nothing. */
const changeOf = ({ name, accepted_kinds, metadata, is_active }: ConnectorPatch): ConnectorChange => ({
  ...(typeof name === "string" ? { name } : {}),
  ...(accepted_kinds ? { accepted_kinds: distinct(accepted_kinds) } : {}),
  ...(metadata ? { metadata } : {}),
  ...(typeof is_active === "boolean" ? { is_active } : {})
})

export class Connectors extends Context.Service<Connectors, {
  create(
    workspace: WorkspaceRecord,
    connector: NewConnector,
    by: Principal
  ): Effect.Effect<Connector, Unprocessable | StorageUnavailable>
  /** Newest first. */
  list(workspaceId: WorkspaceId, includeInactive: boolean): Effect.Effect<ReadonlyArray<Connector>, StorageUnavailable>
  find(workspaceId: WorkspaceId, connectorId: string): Effect.Effect<Connector, ConnectorNotFound | StorageUnavailable>
  update(
    workspace: WorkspaceRecord,
    connectorId: string,
    patch: ConnectorPatch,
    by: Principal
  ): Effect.Effect<Connector, ConnectorNotFound | InvalidField | Unprocessable | StorageUnavailable>
  /** `deleteDocuments` also deletes its documents, by a job. */
  deactivate(
    workspace: WorkspaceRecord,
    connectorId: string,
    deleteDocuments: boolean,
    by: Principal
  ): Effect.Effect<Connector, ConnectorNotFound | StorageUnavailable>
}>()("@tributary/core/Connectors") {
  static readonly layer = Layer.effect(
    Connectors,
    Effect.gen(function*() {
      const store = yield* ConnectorStore
      const documents = yield* DocumentStore
      const stores = { connectors: store, documents }
      const audit = yield* auditing
      const context = yield* Effect.context<DocumentStore | JobStore>()

      const create = Effect.fn("Connectors.create")(
        function*(workspace: WorkspaceRecord, wanted: NewConnector, by: Principal) {
          const now = yield* Clock.currentTimeMillis
          const connector: Connector = {
            connector_id: uuid7<ConnectorId>(now),
            name: wanted.name,
            source_name: wanted.source_name,
            created_at: new Date(now),
            created_by: by,
            is_active: true,
            accepted_kinds: distinct(wanted.accepted_kinds ?? []),
            metadata: wanted.metadata ?? {}
          }
          yield* checkConnectorMetadata(store, workspace.workspace_id, connector.metadata, {})
          const inserted = audit(store.insert(workspace.workspace_id, connector, MAX_CONNECTORS), {
            action: "connector.created",
            by,
            in: workspace,
            subject: connector.connector_id,
            details: { name: connector.name }
          })
          switch (yield* inserted) {
            case "inserted":
              return connector
            case "name_taken":
              return yield* new Unprocessable({
                message: `The source name '${wanted.source_name}' has been used in this workspace.`
              })
            case "full":
              return yield* new Unprocessable({
                message: `A workspace holds at most ${MAX_CONNECTORS} custom connectors, deactivated ones included.`
              })
          }
        }
      )

      const find = Effect.fn("Connectors.find")((workspaceId: WorkspaceId, connectorId: string) =>
        findConnector(stores, workspaceId, connectorId)
      )

      const apply = Effect.fnUntraced(function*(changed: Stored<Option.Option<Connector>>, note: Note) {
        return yield* Effect.fromOption(yield* audit(changed, note), () => new ConnectorNotFound())
      })

      const update = Effect.fn("Connectors.update")(
        function*(workspace: WorkspaceRecord, connectorId: string, patch: ConnectorPatch, by: Principal) {
          const { workspace_id } = workspace
          const present = yield* findConnector(stores, workspace_id, connectorId)
          const { connector_id } = present
          if (typeof patch.source_name === "string" && patch.source_name !== present.source_name) {
            return yield* new InvalidField({
              field: "source_name",
              input: patch.source_name,
              type: "frozen_field",
              message: "Field is frozen"
            })
          }
          const change = changeOf(patch)
          if (Object.keys(change).length === 0) return present
          yield* checkConnectorMetadata(store, workspace_id, change.metadata ?? {}, present.metadata)
          const finish = (done: number) => Effect.provide(finishDeletions(workspace_id, connector_id, done), context)
          const done = change.is_active === true && !present.is_active ? yield* finish(-1) : -1
          const note = { action: "connector.changed", by, in: workspace, subject: connector_id } as const
          const connector = yield* apply(store.update(workspace_id, connector_id, change), note)
          // It may have been deactivated in between.
          if (change.is_active === true) yield* finish(done)
          return connector
        }
      )

      const deactivate = Effect.fn("Connectors.deactivate")(
        function*(workspace: WorkspaceRecord, connectorId: string, deleteDocuments: boolean, by: Principal) {
          const { workspace_id } = workspace
          const { connector_id } = yield* findConnector(stores, workspace_id, connectorId)
          const now = yield* Clock.currentTimeMillis
          // Documents that arrive when the connector is active again stay, however late the job runs.
          const deletion = deleteDocuments ? deleteDocumentsJob(workspace_id, connector_id, now) : undefined
          return yield* apply(store.update(workspace_id, connector_id, { is_active: false }, deletion), {
            action: "connector.deactivated",
            by,
            in: workspace,
            subject: connector_id,
            details: { delete_documents: deleteDocuments }
          })
        }
      )

      return Connectors.of({
        create,
        list: Effect.fn("Connectors.list")(function*(workspaceId: WorkspaceId, includeInactive: boolean) {
          const connectors = yield* store.list(workspaceId, includeInactive)
          return yield* shownSources(documents, workspaceId, connectors, originOf)
        }),
        find,
        update,
        deactivate
      })
    })
  )
}
