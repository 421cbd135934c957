import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useWorkspace } from "../api/workspace.tsx"
import { ConnectorForm } from "../connectors/ConnectorForm.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Failure } from "../ui/Failure.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Moment } from "../ui/Moment.tsx"
import { Card, CardSkeleton, Empty, Page } from "../ui/Page.tsx"

export const Connectors = () => {
  const { client, workspace } = useWorkspace()
  const navigate = useNavigate()
  const [creating, setCreating] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: [workspace.workspace_id, "connectors"],
    queryFn: ({ signal }) => client.connectors.list({ signal })
  })
  return (
    <Page
      title="Connectors"
      lead="A connector is a named source of your own: programs push documents through it, and so can you."
      actions={
        <Button kind="primary" onClick={() => setCreating(true)}>
          <Icon name="plus" />Create connector
        </Button>
      }
    >
      {error !== null
        ? <Failure error={error} what="The connectors cannot be shown" retry={() => void refetch()} />
        : (
          <Card flush>
            {data === undefined && <CardSkeleton />}
            {data?.length === 0 && (
              <Empty icon="connectors" title="No connector yet">
                <p>
                  Make one for each place that your data comes from, such as a wiki or a mailbox, so that searches and
                  answers can tell them apart.
                </p>
                <Button kind="primary" onClick={() => setCreating(true)}>Create the first connector</Button>
              </Empty>
            )}
            <ul className="rows">
              {data?.map((connector) => (
                <li key={connector.connector_id}>
                  <div>
                    <div className="row-title">
                      <Link
                        to="/w/$workspaceId/connectors/$connectorId"
                        params={{ workspaceId: workspace.workspace_id, connectorId: connector.connector_id }}
                      >
                        {connector.name}
                      </Link>
                      <Badge tone={connector.is_active ? "good" : "plain"}>
                        {connector.is_active ? "Active" : "Inactive"}
                      </Badge>
                    </div>
                    <div className="facts">
                      <span className="mono">custom:{connector.source_name}</span>
                      <span>
                        made <Moment at={connector.created_at} />
                      </span>
                      {connector.accepted_kinds.length > 0 && <span>takes {connector.accepted_kinds.join(", ")}</span>}
                    </div>
                  </div>
                </li>
              ))}
            </ul>
          </Card>
        )}
      {creating && (
        <Dialog title="Create a connector" onClose={() => setCreating(false)}>
          <ConnectorForm
            connector={null}
            onDone={({ connector_id }) =>
              navigate({
                to: "/w/$workspaceId/connectors/$connectorId",
                params: { workspaceId: workspace.workspace_id, connectorId: connector_id }
              })}
          />
        </Dialog>
      )}
    </Page>
  )
}
