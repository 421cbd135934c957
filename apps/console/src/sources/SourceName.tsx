import { useQuery } from "@tanstack/react-query"
import { useWorkspace } from "../api/workspace.tsx"

/** Names change seldom, and a page may show many. */
const FRESH = 60_000

/** Where a document is from: a connection by its name, which its source is not; a connector as filters name it. */
export const SourceName = ({ source }: { readonly source: string }) => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  const { data = [] } = useQuery({
    queryKey: [workspace_id, "connections"],
    queryFn: ({ signal }) => client.connections.list({ signal }),
    staleTime: FRESH
  })
  const connection = data.find(({ connection_id, provider }) => source === `${provider}:${connection_id}`)
  return <span title={source}>{connection?.name ?? source}</span>
}
