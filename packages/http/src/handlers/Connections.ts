/** Connections and their syncs, and the providers that they can be of. */
import * as Core from "@tributary/core/Connections"
import { Syncs } from "@tributary/core/Syncs"
import { Effect } from "effect"
import type { Connections } from "../api/Connections.ts"
import type { Handlers } from "./Handlers.ts"
import { page, toPageRequest } from "./paging.ts"

export const connections = Effect.gen(function*() {
  const connections = yield* Core.Connections
  const syncs = yield* Syncs
  const handlers: Handlers<typeof Connections> = {
    listProviders: () => Effect.succeed(connections.providers),
    listConnections: ({ caller: { workspace } }) => connections.list(workspace.workspace_id),
    createConnection: ({ caller: { principal, workspace }, payload }) =>
      connections.create(workspace, payload, principal),
    getConnection: ({ caller: { workspace }, params }) =>
      connections.find(workspace.workspace_id, params.connection_id),
    updateConnection: ({ caller: { principal, workspace }, params, payload }) =>
      connections.update(workspace, params.connection_id, payload, principal),
    deleteConnection: ({ caller: { principal, workspace }, params, query: { delete_documents = false } }) =>
      Effect.map(
        connections.delete(workspace, params.connection_id, delete_documents, principal),
        (connection_id) => ({ status: "deleted" as const, connection_id })
      ),
    listSyncStates: ({ caller: { workspace }, params }) => syncs.states(workspace.workspace_id, params.connection_id),
    listSyncRuns: ({ caller: { workspace }, params, query }) =>
      Effect.map(
        syncs.runs(workspace.workspace_id, params.connection_id, query.resource ?? null, toPageRequest(query)),
        page("runs")
      ),
    startSync: ({ caller: { principal, workspace }, params, payload }) =>
      syncs.startWith(workspace, params.connection_id, payload?.sync_config, principal),
    cancelSync: ({ caller: { workspace }, params }) =>
      syncs.cancel(workspace.workspace_id, params.connection_id, params.resource),
    confirmDeletions: ({ caller: { workspace }, params }) =>
      syncs.confirmDeletions(workspace.workspace_id, params.connection_id, params.resource)
  }
  return handlers
})
