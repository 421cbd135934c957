import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { CustomConnector } from "../api/models.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Icon } from "../ui/Icon.tsx"
import { amount, counted } from "../ui/numbers.ts"
import { Moment } from "../ui/time/Moment.tsx"
import { useSeen } from "../ui/useSeen.ts"

const AGAIN = 30_000

/** How many there are, and when one of them last changed. */
const useContents = (source: string, enabled: boolean) => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  return useQuery({
    queryKey: [workspace_id, "source", source],
    queryFn: ({ signal }) => client.documents.browse({ source, sort: "-updated_at", limit: 1 }, { signal }),
    enabled,
    refetchInterval: AGAIN
  })
}

export const PushedRow = ({ connector }: { readonly connector: CustomConnector }) => {
  const { workspace: { workspace_id } } = useWorkspace()
  const [row, seen] = useSeen<HTMLLIElement>()
  const { accepted_kinds, connector_id, is_active, name, source_name } = connector
  const source = `custom:${source_name}`
  const { data } = useContents(source, seen)
  const latest = data?.documents[0]?.updated_at
  return (
    <li ref={row}>
      <div className="with-icon">
        <Icon name="connectors" />
        <div>
          <div className="row-title">
            <Link
              to="/w/$workspaceId/connectors/$connectorId"
              params={{ workspaceId: workspace_id, connectorId: connector_id }}
            >
              {name}
            </Link>
            <Badge tone={is_active ? "good" : "plain"}>{is_active ? "Active" : "Inactive"}</Badge>
          </div>
          <div className="facts">
            <span>Pushed</span>
            <span className="mono">{source}</span>
            {accepted_kinds.length > 0 && <span>takes {accepted_kinds.join(", ")}</span>}
            {data !== undefined && (
              <span>
                {latest === undefined ? "nothing came yet" : (
                  <>
                    last change <Moment at={latest} />
                  </>
                )}
              </span>
            )}
          </div>
        </div>
      </div>
      {data !== undefined && (
        <Link
          className="small numeric"
          to="/w/$workspaceId/documents"
          params={{ workspaceId: workspace_id }}
          search={{ source }}
        >
          {data.total === undefined
            ? `more than ${counted(data.total_at_least ?? 0)} documents`
            : amount(data.total, "document")}
        </Link>
      )}
    </li>
  )
}
