/**
 * Bounds the metadata of all connectors of a workspace: they are listed in one answer, and read whenever a filter
 * matches nothing.
 */
import { Effect } from "effect"
import { type Connector, MAX_CONNECTOR_METADATA } from "../model/Connector.ts"
import { Unprocessable } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import type { ConnectorStore } from "../ports/ConnectorStore.ts"

const charactersOf = (metadata: Connector["metadata"]): number =>
  Object.entries(metadata).reduce((sum, [name, value]) => sum + name.length + value.length, 0)

/** Requests at the same time may exceed the limit together, by the metadata of one connector each. */
export const checkConnectorMetadata = Effect.fnUntraced(function*(
  store: ConnectorStore["Service"],
  workspaceId: WorkspaceId,
  metadata: Connector["metadata"],
  replaced: Connector["metadata"]
) {
  const growth = charactersOf(metadata) - charactersOf(replaced)
  if (growth <= 0) return
  const connectors = yield* store.list(workspaceId, true)
  const held = connectors.reduce((sum, { metadata }) => sum + charactersOf(metadata), 0)
  if (held + growth <= MAX_CONNECTOR_METADATA) return
  return yield* new Unprocessable({
    message:
      `The metadata of all custom connectors of a workspace has at most ${MAX_CONNECTOR_METADATA} characters, deactivated ones included.`
  })
})
