/** Connections and the states of their resources in memory. */
import { ConnectorId } from "@tributary/core/model/Id"
import { ConnectionStore } from "@tributary/core/ports/ConnectionStore"
import { originOf } from "@tributary/core/ports/originOf"
import { Effect, Equal, Layer, Option } from "effect"
import { copied, found } from "./internal/copied.ts"
import { byText, Ordered } from "./internal/Ordered.ts"
import { addStates, resourceStates } from "./internal/resourceStates.ts"
import { type ConnectionRow, State } from "./internal/State.ts"

export const layer = Layer.effect(
  ConnectionStore,
  Effect.gen(function*() {
    const state = yield* State
    const { jobs, workspaces } = state

    return ConnectionStore.of({
      ...resourceStates(state),

      insert: (workspaceId, connection, maximum, states = []) =>
        Effect.sync(() => {
          const workspace = workspaces.get(workspaceId)
          if (workspace === undefined || workspace.connections.size >= maximum) return "full"
          const row: ConnectionRow = {
            connection: copied(connection),
            states: new Map(),
            gone: new Map(),
            runs: new Ordered((left, right) => byText(left.run_id, right.run_id))
          }
          addStates(row, states)
          workspace.connections.set(connection.connection_id, row)
          const origin = originOf(connection)
          workspace.connectors.set(origin.connector_id, copied(origin))
          return "inserted"
        }),

      find: (workspaceId, connection_id) =>
        Effect.sync(() => found(workspaces.get(workspaceId)?.connections.get(connection_id)?.connection)),

      list: (workspaceId) =>
        Effect.sync(() =>
          [...workspaces.get(workspaceId)?.connections.values() ?? []]
            .map(({ connection }) => copied(connection))
            .sort((left, right) =>
              right.connected_at.getTime() - left.connected_at.getTime() ||
              byText(right.connection_id, left.connection_id)
            )
        ),

      update: (workspaceId, connection_id, change, from, states = []) =>
        Effect.sync(() => {
          const row = workspaces.get(workspaceId)?.connections.get(connection_id)
          if (row === undefined || !Equal.equals({ ...row.connection, ...from }, row.connection)) return Option.none()
          row.connection = { ...row.connection, ...copied(change) }
          addStates(row, states)
          const connectors = workspaces.get(workspaceId)!.connectors
          const origin = connectors.get(ConnectorId.make(connection_id))!
          connectors.set(origin.connector_id, { ...origin, is_active: row.connection.status !== "paused" })
          return Option.some(copied(row.connection))
        }),

      reseal: (workspaceId, connection_id, before, after) =>
        Effect.sync(() => {
          const row = workspaces.get(workspaceId)?.connections.get(connection_id)
          if (row?.connection.secrets !== before) return false
          row.connection = { ...row.connection, secrets: after }
          return true
        }),

      remove: (workspaceId, connection_id, deletion) =>
        Effect.sync(() => {
          const workspace = workspaces.get(workspaceId)
          const origin = workspace?.connectors.get(ConnectorId.make(connection_id))
          if (workspace?.connections.delete(connection_id) !== true || origin === undefined) return false
          workspace.connectors.set(origin.connector_id, { ...origin, is_active: false })
          if (deletion !== undefined) jobs.enqueue(deletion, null)
          return true
        })
    })
  })
)
