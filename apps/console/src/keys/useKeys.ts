/** The keys of the workspace with their traffic, polled every few seconds. */
import { consoleApi } from "../api/consoleApi.ts"
import { useWorkspaceQuery } from "../api/useWorkspaceQuery.ts"

const AGAIN = 10_000

/** Only owners may read them. */
export const useKeys = (enabled = true) => {
  const options = { enabled, refetchInterval: AGAIN }
  return {
    keys: useWorkspaceQuery(["keys"], ({ workspaceId }) => consoleApi.keys(workspaceId), options),
    traffic: useWorkspaceQuery(["traffic"], ({ workspaceId }) => consoleApi.traffic(workspaceId), options)
  }
}
