import { useWorkspaceQuery } from "../api/useWorkspaceQuery.ts"

export const useUsage = () =>
  useWorkspaceQuery(["usage"], ({ client, signal }) => client.usage({ signal }), { refetchInterval: 5_000 })
