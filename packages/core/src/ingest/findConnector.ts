/** Finds a connector by an id from a client. Anything else than an id of this workspace is not found. */
import { Effect, Option } from "effect"
import { lookUp } from "../internal/lookUp.ts"
import { type Connector, sourceOf } from "../model/Connector.ts"
import { ConnectorNotFound, type StorageUnavailable } from "../model/Error.ts"
import { ConnectorId, type WorkspaceId } from "../model/Id.ts"
import type { ConnectorStore } from "../ports/ConnectorStore.ts"
import type { DocumentSource, DocumentStore } from "../ports/DocumentStore.ts"
import { shownSources } from "./shownSources.ts"

export const originOf = (connector: Connector): DocumentSource => ({
  connector_id: connector.connector_id,
  source: sourceOf(connector)
})

interface Stores {
  readonly connectors: ConnectorStore["Service"]
  readonly documents: DocumentStore["Service"]
}

export const findConnector = Effect.fnUntraced(function*(
  { connectors, documents }: Stores,
  workspaceId: WorkspaceId,
  connectorId: string
): Effect.fn.Return<Connector, ConnectorNotFound | StorageUnavailable> {
  const found = yield* lookUp(ConnectorId, connectorId, (id) => connectors.find(workspaceId, id))
  const [shown] = yield* shownSources(documents, workspaceId, Option.toArray(found), originOf)
  return shown ?? (yield* new ConnectorNotFound())
})
