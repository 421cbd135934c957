import { useWorkspaceQuery } from "../api/useWorkspaceQuery.ts"

export const useLatestJobs = () =>
  useWorkspaceQuery(
    ["jobs", "recent"],
    async ({ client, signal }) => (await client.knowledge.jobs({ cursor: null, limit: 5 }, { signal })).items,
    { refetchInterval: 10_000 }
  )
