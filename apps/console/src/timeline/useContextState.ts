/** Settings and state of the knowledge context, polled often during a build. */
import { useQuery } from "@tanstack/react-query"
import { useWorkspace } from "../api/workspace.tsx"

export const useSettings = () => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  return useQuery({
    queryKey: [workspace_id, "settings"],
    queryFn: ({ signal }) => client.knowledge.settings({ signal })
  })
}

export const useStatus = () => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  return useQuery({
    queryKey: [workspace_id, "status"],
    queryFn: ({ signal }) => client.knowledge.status({ signal }),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && data.state === "ready" && data.pending_documents === 0 ? 5_000 : 1_000
  })
}
