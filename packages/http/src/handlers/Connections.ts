/** Connections and their syncs, and the providers that they can be of. */
import * as Core from "@tributary/core/Connections"
import type { Connection } from "@tributary/core/model/Connection"
import { Syncs } from "@tributary/core/Syncs"
import { Effect } from "effect"
import type { Connections } from "../api/Connections.ts"
import { toPageRequest } from "../api/Parameters.ts"
import type { Handlers } from "../Handlers.ts"
import { auditing } from "./audited.ts"

const named = ({ connection_id, name, provider }: Connection) => ({
  subject: connection_id,
  details: { name, provider }
})

export const connections = Effect.gen(function*() {
  const connections = yield* Core.Connections
  const syncs = yield* Syncs
  const audit = yield* auditing
  const handlers: Handlers<typeof Connections> = {
    listProviders: () => Effect.succeed(connections.providers),
    listConnections: ({ caller: { workspace } }) => connections.list(workspace.workspace_id),
    createConnection: ({ caller, payload }) =>
      Effect.tap(
        connections.create(caller.workspace.workspace_id, payload, caller.principal),
        audit("connection.created", caller, named)
      ),
    getConnection: ({ caller: { workspace }, params }) =>
      connections.find(workspace.workspace_id, params.connection_id),
    updateConnection: ({ caller, params, payload }) =>
      Effect.tap(
        connections.update(caller.workspace.workspace_id, params.connection_id, payload),
        audit("connection.changed", caller, named)
      ),
    deleteConnection: ({ caller, params, query: { delete_documents = false } }) =>
      connections.delete(caller.workspace.workspace_id, params.connection_id, delete_documents).pipe(
        Effect.tap(audit("connection.deleted", caller, (subject) => ({ subject, details: { delete_documents } }))),
        Effect.map((connection_id) => ({ status: "deleted" as const, connection_id }))
      ),
    listSyncStates: ({ caller: { workspace }, params }) => syncs.states(workspace.workspace_id, params.connection_id),
    listSyncRuns: ({ caller: { workspace }, params, query }) =>
      Effect.map(
        syncs.runs(workspace.workspace_id, params.connection_id, query.resource ?? null, toPageRequest(query)),
        ({ items, next }) => ({ runs: items, next_cursor: next })
      ),
    startSync: ({ caller: { workspace }, params, payload }) =>
      Effect.andThen(
        payload?.sync_config
          ? connections.update(workspace.workspace_id, params.connection_id, { sync_config: payload.sync_config })
          : Effect.void,
        syncs.start(workspace.workspace_id, params.connection_id)
      ),
    cancelSync: ({ caller: { workspace }, params }) =>
      syncs.cancel(workspace.workspace_id, params.connection_id, params.resource),
    confirmDeletions: ({ caller: { workspace }, params }) =>
      syncs.confirmDeletions(workspace.workspace_id, params.connection_id, params.resource)
  }
  return handlers
})
