/** Connections and their sync states, polled often during a sync. */
import { useQuery } from "@tanstack/react-query"
import type { SyncState } from "../api/models.ts"
import { useWorkspace } from "../api/workspace.tsx"

export const useProviders = () => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  return useQuery({
    queryKey: [workspace_id, "providers"],
    queryFn: ({ signal }) => client.providers.list({ signal }),
    staleTime: Infinity
  })
}

export const useConnections = () => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  return useQuery({
    queryKey: [workspace_id, "connections"],
    queryFn: ({ signal }) => client.connections.list({ signal }),
    refetchInterval: 10_000
  })
}

export const useConnection = (connectionId: string) => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  return useQuery({
    queryKey: [workspace_id, "connections", connectionId],
    queryFn: ({ signal }) => client.connections.get(connectionId, { signal }),
    refetchInterval: 3_000
  })
}

export const isUnderWay = ({ status }: Pick<SyncState, "status">): boolean =>
  status === "pending" || status === "running"

interface Watching {
  /** Milliseconds between polls while nothing syncs. */
  readonly idle?: number
  /** Milliseconds between polls during a sync. */
  readonly underWay?: number
  readonly enabled?: boolean
}

export const useSyncStates = (
  connectionId: string,
  { enabled = true, idle = 10_000, underWay = 1_000 }: Watching
) => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  return useQuery({
    queryKey: [workspace_id, "connections", connectionId, "sync"],
    queryFn: ({ signal }) => client.connections.states(connectionId, { signal }),
    enabled,
    refetchInterval: ({ state: { data } }) => data?.some(isUnderWay) === true ? underWay : idle
  })
}
