/** Connections and their sync states, polled often during a sync. */
import { isUnderWay } from "@tributary/core/model/isUnderWay"
import { type Freshness, useWorkspaceQuery } from "../api/useWorkspaceQuery.ts"

export const useProviders = () =>
  useWorkspaceQuery(["providers"], ({ client, signal }) => client.providers.list({ signal }), { staleTime: Infinity })

export const useConnections = (options: Freshness = { refetchInterval: 10_000 }) =>
  useWorkspaceQuery(["connections"], ({ client, signal }) => client.connections.list({ signal }), options)

export const useConnection = (connectionId: string) =>
  useWorkspaceQuery(
    ["connections", connectionId],
    ({ client, signal }) => client.connections.get(connectionId, { signal }),
    { refetchInterval: 3_000 }
  )

interface Watching {
  /** Milliseconds between polls while nothing syncs. */
  readonly idle?: number
  readonly enabled?: boolean
}

/** Milliseconds between polls during a sync. */
const UNDER_WAY = 1_000

export const useSyncStates = (connectionId: string, { enabled = true, idle = 10_000 }: Watching) =>
  useWorkspaceQuery(
    ["connections", connectionId, "sync"],
    ({ client, signal }) => client.connections.states(connectionId, { signal }),
    {
      enabled,
      refetchInterval: ({ state: { data } }) => data?.some(isUnderWay) === true ? UNDER_WAY : idle
    }
  )
