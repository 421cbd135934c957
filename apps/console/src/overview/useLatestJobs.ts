import { useQuery } from "@tanstack/react-query"
import { useWorkspace } from "../api/workspace.tsx"

export const useLatestJobs = () => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  return useQuery({
    queryKey: [workspace_id, "jobs", "recent"],
    queryFn: async ({ signal }) => (await client.knowledge.jobs({ cursor: null, limit: 5 }, { signal })).items,
    refetchInterval: 10_000
  })
}
