/** Finds a connector by an id from a client. Anything else than an id of this workspace is not found. */
import { Effect, Option } from "effect"
import { type Connector, sourceOf } from "../model/Connector.ts"
import { ConnectorNotFound, type StorageUnavailable } from "../model/Error.ts"
import { ConnectorId, parseId, type WorkspaceId } from "../model/Id.ts"
import { showsSource } from "../model/Token.ts"
import { Narrowed } from "../people/Narrowed.ts"
import type { ConnectorStore } from "../ports/ConnectorStore.ts"

export const findConnector = Effect.fnUntraced(function*(
  store: ConnectorStore["Service"],
  workspaceId: WorkspaceId,
  connectorId: string
): Effect.fn.Return<Connector, ConnectorNotFound | StorageUnavailable> {
  const id = parseId(ConnectorId)(connectorId)
  const found = Option.isNone(id) ? Option.none<Connector>() : yield* store.find(workspaceId, id.value)
  const narrowed = yield* Narrowed
  return yield* Effect.fromOption(
    Option.filter(found, (connector) => showsSource(narrowed, sourceOf(connector))),
    () => new ConnectorNotFound()
  )
})
