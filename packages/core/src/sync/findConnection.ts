/** Finds a connection by an id from a client. Anything else than an id of this workspace is not found. */
import { Effect } from "effect"
import { lookUp } from "../internal/lookUp.ts"
import { sourceOf } from "../model/Connection.ts"
import { ConnectionNotFound } from "../model/Error.ts"
import { ConnectionId, ConnectorId, type WorkspaceId } from "../model/Id.ts"
import type { ConnectionRecord, ConnectionStore } from "../ports/ConnectionStore.ts"
import type { DocumentSource } from "../ports/DocumentStore.ts"

export const originOf = (connection: Pick<ConnectionRecord, "connection_id" | "provider">): DocumentSource => ({
  connector_id: ConnectorId.make(connection.connection_id),
  source: sourceOf(connection)
})

export const findConnection = Effect.fnUntraced(
  function*(store: ConnectionStore["Service"], workspaceId: WorkspaceId, connectionId: string) {
    const found = yield* lookUp(ConnectionId, connectionId, (id) => store.find(workspaceId, id))
    return yield* Effect.fromOption(found, () => new ConnectionNotFound())
  }
)
