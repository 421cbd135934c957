/** Custom connectors in SQLite. Connections have origins in the same table, with a colon in their source names. */
import { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import { Effect, Layer, Option } from "effect"
import { Database } from "./internal/Database.ts"
import { first } from "./rows/first.ts"
import { CONNECTOR, type ConnectorColumns, CUSTOM, toConnector } from "./writes/connectors.ts"

export const layer = Layer.effect(
  ConnectorStore,
  Effect.gen(function*() {
    const { readOpen, write } = yield* Database

    return ConnectorStore.of({
      insert: (workspaceId, connector, maximum) => write("insertConnector", workspaceId, connector, maximum),

      find: (workspaceId, connectorId) =>
        readOpen(workspaceId, Option.none(), (db) =>
          first(
            db.get<ConnectorColumns>(
              `SELECT ${CONNECTOR} FROM connectors WHERE workspace_id = ? AND connector_id = ? AND ${CUSTOM}`,
              workspaceId,
              connectorId
            ),
            toConnector
          )),

      list: (workspaceId, includeInactive) =>
        readOpen(workspaceId, [], (db) =>
          db.all<ConnectorColumns>(
            `SELECT ${CONNECTOR} FROM connectors WHERE workspace_id = ? AND (is_active OR ?) AND ${CUSTOM}
                ORDER BY created_at DESC, connector_id DESC`,
            workspaceId,
            includeInactive
          ).map(toConnector)),

      update: (workspaceId, connectorId, change, deletion) =>
        Effect.map(write("updateConnector", workspaceId, connectorId, change, deletion), Option.fromNullOr)
    })
  })
)
