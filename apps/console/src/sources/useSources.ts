/** Connectors and connections in one list: those that need attention first, then by name. */
import type { CustomConnector, SourceConnection } from "../api/models.ts"
import { useConnections } from "../connections/useConnections.ts"
import { useHeldDeletions } from "../connections/useHeldDeletions.ts"
import { useConnectors } from "../connectors/useConnectors.ts"
import { hasWords, type ListSearch } from "../lists/listSearch.ts"

export type Source =
  | { readonly way: "push"; readonly id: string; readonly name: string; readonly connector: CustomConnector }
  | {
    readonly way: "pull"
    readonly id: string
    readonly name: string
    readonly connection: SourceConnection
    readonly deletionsHeld: number
  }

const needsAttention = (source: Source): boolean =>
  source.way === "pull" && (source.connection.status === "error" || source.deletionsHeld > 0)

const urgency = (source: Source): number =>
  needsAttention(source) ? 0 : source.way === "push" && !source.connector.is_active ? 2 : 1

const NAMES = new Intl.Collator("en", { numeric: true })

const matches = (source: Source, { is, ...search }: ListSearch): boolean =>
  (is === "attention" ? needsAttention(source) : is === undefined || is === source.way) && hasWords(search, source.name)

export const useSources = (search: ListSearch) => {
  const connectors = useConnectors()
  const connections = useConnections()
  const held = useHeldDeletions()
  const isLoaded = connectors.data !== undefined && connections.data !== undefined &&
    !(search.is === "attention" && held.isPending)
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
      connection,
      deletionsHeld: held.data?.get(connection.connection_id) ?? 0
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
