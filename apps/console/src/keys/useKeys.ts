/** The keys of the workspace with their traffic, looked at again every few seconds. */
import { useQuery } from "@tanstack/react-query"
import { consoleApi } from "../api/consoleApi.ts"
import { useWorkspace } from "../api/workspace.tsx"

const AGAIN = 10_000

export const useKeys = () => {
  const { workspace: { workspace_id } } = useWorkspace()
  const keys = useQuery({
    queryKey: [workspace_id, "keys"],
    queryFn: () => consoleApi.keys(workspace_id),
    refetchInterval: AGAIN
  })
  const traffic = useQuery({
    queryKey: [workspace_id, "traffic"],
    queryFn: () => consoleApi.traffic(workspace_id),
    refetchInterval: AGAIN
  })
  return { keys, traffic }
}
