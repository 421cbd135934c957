import { useQuery } from "@tanstack/react-query"
import { useWorkspace } from "../api/workspace.tsx"

export const useUsage = () => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  return useQuery({
    queryKey: [workspace_id, "usage"],
    queryFn: ({ signal }) => client.usage({ signal }),
    refetchInterval: 5_000
  })
}
