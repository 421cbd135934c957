/** The keys of the workspace with their traffic, polled every few seconds. */
import { useQuery } from "@tanstack/react-query"
import { consoleApi } from "../api/consoleApi.ts"
import { useWorkspace } from "../api/workspace.tsx"

const AGAIN = 10_000

/** Only owners may read them. */
export const useKeys = (enabled = true) => {
  const { workspace: { workspace_id } } = useWorkspace()
  const keys = useQuery({
    queryKey: [workspace_id, "keys"],
    queryFn: () => consoleApi.keys(workspace_id),
    enabled,
    refetchInterval: AGAIN
  })
  const traffic = useQuery({
    queryKey: [workspace_id, "traffic"],
    queryFn: () => consoleApi.traffic(workspace_id),
    enabled,
    refetchInterval: AGAIN
  })
  return { keys, traffic }
}
