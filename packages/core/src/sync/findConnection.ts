/** Finds a connection by an id from a client. Anything else than an id of this workspace is not found. */
import { Effect, Option } from "effect"
import { sourceOf } from "../model/Connection.ts"
import { ConnectionNotFound, type StorageUnavailable } from "../model/Error.ts"
import { ConnectionId, ConnectorId, parseId, type WorkspaceId } from "../model/Id.ts"
import type { ConnectionRecord, ConnectionStore } from "../ports/ConnectionStore.ts"
import type { DocumentSource } from "../ports/DocumentStore.ts"

export const originOf = (connection: Pick<ConnectionRecord, "connection_id" | "provider">): DocumentSource => ({
  connector_id: ConnectorId.make(connection.connection_id),
  source: sourceOf(connection)
})

export const findConnection = Effect.fnUntraced(function*(
  store: ConnectionStore["Service"],
  workspaceId: WorkspaceId,
  connectionId: string
): Effect.fn.Return<ConnectionRecord, ConnectionNotFound | StorageUnavailable> {
  const id = parseId(ConnectionId)(connectionId)
  const found = Option.isNone(id) ? Option.none<ConnectionRecord>() : yield* store.find(workspaceId, id.value)
  return yield* Effect.fromOption(found, () => new ConnectionNotFound())
})
