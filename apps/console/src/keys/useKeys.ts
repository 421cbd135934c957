/** The keys of the workspace and their traffic. Only owners may read them. */
import { consoleApi } from "../api/consoleApi.ts"
import { useWorkspaceQuery } from "../api/useWorkspaceQuery.ts"
import { useWorkspace } from "../api/workspace.tsx"

const POLL_INTERVAL = 10_000

export const useKeys = (refetchInterval = POLL_INTERVAL) => {
  const { isOwner } = useWorkspace()
  return useWorkspaceQuery(["keys"], ({ workspaceId }) => consoleApi.keys(workspaceId), {
    enabled: isOwner,
    refetchInterval
  })
}

export const useTraffic = () =>
  useWorkspaceQuery(["traffic"], ({ workspaceId }) => consoleApi.traffic(workspaceId), {
    refetchInterval: POLL_INTERVAL
  })
