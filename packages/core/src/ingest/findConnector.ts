/** A connector by the id that a caller sent; whatever is no id of this workspace's is answered as absent. */
import { Effect, Option } from "effect"
import type { Connector } from "../model/Connector.ts"
import { ConnectorNotFound, type StorageUnavailable } from "../model/Error.ts"
import { ConnectorId, parseId, type WorkspaceId } from "../model/Id.ts"
import type { ConnectorStore } from "../ports/ConnectorStore.ts"

export const findConnector = Effect.fnUntraced(function*(
  store: ConnectorStore["Service"],
  workspaceId: WorkspaceId,
  connectorId: string
): Effect.fn.Return<Connector, ConnectorNotFound | StorageUnavailable> {
  const id = parseId(ConnectorId)(connectorId)
  const found = Option.isNone(id) ? Option.none<Connector>() : yield* store.find(workspaceId, id.value)
  return yield* Effect.fromOption(found, () => new ConnectorNotFound())
})
