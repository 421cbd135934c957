import { useQuery } from "@tanstack/react-query"
import { useWorkspace } from "../api/workspace.tsx"

/** All connectors, including inactive ones. */
export const useConnectors = () => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  return useQuery({
    queryKey: [workspace_id, "connectors"],
    queryFn: ({ signal }) => client.connectors.list({ signal }),
    refetchInterval: 10_000
  })
}
