/** The sources of connectors and connections that a token shows, whether they have documents or not. */
import { Effect } from "effect"
import { sourceOf } from "../model/Connector.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { showsSource, type TokenFilter } from "../model/Token.ts"
import type { ConnectionStore } from "../ports/ConnectionStore.ts"
import type { ConnectorStore } from "../ports/ConnectorStore.ts"
import { originOf } from "../ports/originOf.ts"

interface Stores {
  readonly connections: ConnectionStore["Service"]
  readonly connectors: ConnectorStore["Service"]
}

export const knownSources = Effect.fnUntraced(
  function*({ connections, connectors }: Stores, workspaceId: WorkspaceId, tokenFilter: TokenFilter | null) {
    const sources = [
      ...(yield* connectors.list(workspaceId, true)).map(sourceOf),
      ...(yield* connections.list(workspaceId)).map((connection) => originOf(connection).source_name)
    ]
    return sources.filter((source) => showsSource(tokenFilter, source))
  }
)
