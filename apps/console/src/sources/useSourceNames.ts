/** Display names of connectors and connections by source. */
import { useMemo } from "react"
import { useConnections } from "../connections/useConnections.ts"
import { useConnectors } from "../connectors/useConnectors.ts"

const NONE: readonly [] = []

/** Cached, because names rarely change and a page shows many. */
const RARELY = { staleTime: 60_000 }

export const useSourceNames = (): ReadonlyMap<string, string> => {
  const { data: connectors = NONE } = useConnectors(RARELY)
  const { data: connections = NONE } = useConnections(RARELY)
  return useMemo(() =>
    new Map([
      ...connectors.map(({ name, source_name }) => [`custom:${source_name}`, name] as const),
      ...connections.map(({ connection_id, name, provider }) => [`${provider}:${connection_id}`, name] as const)
    ]), [connectors, connections])
}
