/** Custom connectors in memory. */
import { type Connector, isOrigin } from "@tributary/core/model/Connector"
import { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import { endingAt } from "@tributary/core/ports/endingAt"
import { Effect, Layer, Option } from "effect"
import { copied } from "./internal/copied.ts"
import { byText } from "./internal/Ordered.ts"
import { State } from "./internal/State.ts"

export const layer = Layer.effect(
  ConnectorStore,
  Effect.gen(function*() {
    const { jobs, workspaces } = yield* State
    const isCustom = ({ source_name }: Connector): boolean => !isOrigin(source_name)

    return ConnectorStore.of({
      insert: (workspaceId, connector, maximum) =>
        Effect.sync(() => {
          const connectors = workspaces.get(workspaceId)?.connectors
          // The workspace was closed meanwhile.
          if (connectors === undefined) return "full"
          for (const { source_name } of connectors.values()) {
            if (source_name === connector.source_name) return "name_taken"
          }
          if ([...connectors.values()].filter(isCustom).length >= maximum) return "full"
          connectors.set(connector.connector_id, copied(connector))
          return "inserted"
        }),

      find: (workspaceId, connectorId) =>
        Effect.sync(() =>
          Option.fromUndefinedOr(workspaces.get(workspaceId)?.connectors.get(connectorId)).pipe(
            Option.filter(isCustom),
            Option.map(copied)
          )
        ),

      list: (workspaceId, includeInactive) =>
        Effect.sync(() =>
          [...workspaces.get(workspaceId)?.connectors.values() ?? []]
            .filter((connector) => isCustom(connector) && (includeInactive || connector.is_active))
            .map(copied)
            .sort((left, right) =>
              right.created_at.getTime() - left.created_at.getTime() || byText(right.connector_id, left.connector_id)
            )
        ),

      update: (workspaceId, connectorId, change, deletion) =>
        Effect.sync(() => {
          const workspace = workspaces.get(workspaceId)
          const connector = workspace?.connectors.get(connectorId)
          if (workspace === undefined || connector === undefined || !isCustom(connector)) return Option.none()
          const updated = { ...connector, ...copied(change) }
          workspace.connectors.set(connectorId, updated)
          if (deletion !== undefined) jobs.enqueue(endingAt(deletion, workspace.documents.changeSeq), null)
          return Option.some(copied(updated))
        })
    })
  })
)
