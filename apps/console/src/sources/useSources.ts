/** Connectors and connections in one list: those that need attention first, then by name. */
import type { CustomConnector, SourceConnection } from "../api/models.ts"
import { useConnections } from "../connections/useConnections.ts"
import { useConnectors } from "../connectors/useConnectors.ts"
import { hasWords, type ListSearch } from "../lists/listSearch.ts"

export type Source =
  | { readonly way: "push"; readonly id: string; readonly name: string; readonly connector: CustomConnector }
  | { readonly way: "pull"; readonly id: string; readonly name: string; readonly connection: SourceConnection }

const urgency = (source: Source): number => {
  if (source.way === "pull" && source.connection.status === "error") return 0
  return source.way === "push" && !source.connector.is_active ? 2 : 1
}

const NAMES = new Intl.Collator("en", { numeric: true })

const matches = (source: Source, search: ListSearch): boolean =>
  (search.is === undefined || search.is === source.way) && hasWords(search, source.name)

export const useSources = (search: ListSearch) => {
  const connectors = useConnectors()
  const connections = useConnections()
  const isLoaded = connectors.data !== undefined && connections.data !== undefined
  const all: ReadonlyArray<Source> | undefined = !isLoaded ? undefined : [
    ...connectors.data.map((connector): Source => ({
      way: "push",
      id: connector.connector_id,
      name: connector.name,
      connector
    })),
    ...connections.data.map((connection): Source => ({
      way: "pull",
      id: connection.connection_id,
      name: connection.name,
      connection
    }))
  ]
  return {
    total: all?.length,
    sources: all?.filter((source) => matches(source, search))
      .sort((left, right) => urgency(left) - urgency(right) || NAMES.compare(left.name, right.name)),
    /** What the list waits for. */
    query: connectors.data === undefined ? connectors : connections
  }
}
