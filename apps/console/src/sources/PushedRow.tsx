import { Link } from "@tanstack/react-router"
import type { CustomConnector, DocumentList } from "../api/models.ts"
import { useWorkspaceQuery } from "../api/useWorkspaceQuery.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Icon } from "../ui/Icon.tsx"
import { amount, counted } from "../ui/numbers.ts"
import { useSeen } from "../ui/useSeen.ts"
import { SourceRow } from "./SourceRow.tsx"
import { Latest } from "../ui/time/Latest.tsx"

/** The number of documents and the time of the last change. */
const useContents = (source: string, enabled: boolean) =>
  useWorkspaceQuery(
    ["source", source],
    ({ client, signal }) => client.documents.browse({ source, sort: "-updated_at", limit: 1 }, { signal }),
    { enabled, refetchInterval: 30_000 }
  )

const inWords = ({ total, total_at_least = 0 }: DocumentList): string =>
  total === undefined ? `more than ${counted(total_at_least)} documents` : amount(total, "document")

export const PushedRow = ({ connector }: { readonly connector: CustomConnector }) => {
  const { workspace: { workspace_id } } = useWorkspace()
  const [row, seen] = useSeen<HTMLLIElement>()
  const { accepted_kinds, connector_id, is_active, name, source_name } = connector
  const source = `custom:${source_name}`
  const { data } = useContents(source, seen)
  return (
    <SourceRow
      row={row}
      icon={<Icon name="connectors" />}
      name={
        <Link
          to="/w/$workspaceId/connectors/$connectorId"
          params={{ workspaceId: workspace_id, connectorId: connector_id }}
        >
          {name}
        </Link>
      }
      badges={<Badge tone={is_active ? "good" : "plain"}>{is_active ? "Active" : "Inactive"}</Badge>}
      facts={
        <>
          <span>Pushed</span>
          <span className="mono">{source}</span>
          {accepted_kinds.length > 0 && <span>takes {accepted_kinds.join(", ")}</span>}
          {data !== undefined && (
            <Latest what="last change" at={data.documents[0]?.updated_at} never="nothing came yet" />
          )}
        </>
      }
      source={source}
      documents={data === undefined ? undefined : inWords(data)}
    />
  )
}
