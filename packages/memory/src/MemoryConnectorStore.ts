/** Custom connectors in memory. */
import { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import { Effect, Layer, Option } from "effect"
import { copied } from "./internal/copied.ts"
import { byText } from "./internal/Ordered.ts"
import { State } from "./internal/State.ts"

export const layer = Layer.effect(
  ConnectorStore,
  Effect.gen(function*() {
    const { workspaces } = yield* State

    return ConnectorStore.of({
      insert: (workspaceId, connector, maximum) =>
        Effect.sync(() => {
          const connectors = workspaces.get(workspaceId)?.connectors
          // A workspace that was closed meanwhile has room for none.
          if (connectors === undefined) return "full"
          for (const { source_name } of connectors.values()) {
            if (source_name === connector.source_name) return "name_taken"
          }
          if (connectors.size >= maximum) return "full"
          connectors.set(connector.connector_id, copied(connector))
          return "inserted"
        }),

      find: (workspaceId, connectorId) =>
        Effect.sync(() =>
          Option.map(Option.fromUndefinedOr(workspaces.get(workspaceId)?.connectors.get(connectorId)), copied)
        ),

      list: (workspaceId, includeInactive) =>
        Effect.sync(() =>
          [...workspaces.get(workspaceId)?.connectors.values() ?? []]
            .filter(({ is_active }) => includeInactive || is_active)
            .map(copied)
            .sort((left, right) =>
              right.created_at.getTime() - left.created_at.getTime() || byText(right.connector_id, left.connector_id)
            )
        ),

      update: (workspaceId, connectorId, change) =>
        Effect.sync(() => {
          const connectors = workspaces.get(workspaceId)?.connectors
          const connector = connectors?.get(connectorId)
          if (connectors === undefined || connector === undefined) return Option.none()
          const updated = { ...connector, ...copied(change) }
          connectors.set(connectorId, updated)
          return Option.some(copied(updated))
        })
    })
  })
)
