/** Display names of connectors and connections by source. */
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { useWorkspace } from "../api/workspace.tsx"

/** Cached, because names rarely change and a page shows many. */
const FRESH = 60_000

export const useSourceNames = (): ReadonlyMap<string, string> => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  const { data: connectors } = useQuery({
    queryKey: [workspace_id, "connectors"],
    queryFn: ({ signal }) => client.connectors.list({ signal }),
    staleTime: FRESH
  })
  const { data: connections } = useQuery({
    queryKey: [workspace_id, "connections"],
    queryFn: ({ signal }) => client.connections.list({ signal }),
    staleTime: FRESH
  })
  return useMemo(() =>
    new Map([
      ...(connectors ?? []).map(({ name, source_name }) => [`custom:${source_name}`, name] as const),
      ...(connections ?? []).map(({ connection_id, name, provider }) => [`${provider}:${connection_id}`, name] as const)
    ]), [connectors, connections])
}
