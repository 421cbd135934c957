import { Link } from "@tanstack/react-router"
import { useWorkspace } from "../api/workspace.tsx"
import { useConnections } from "../connections/useConnections.ts"

export const BrokenConnections = () => {
  const { workspace: { workspace_id: workspaceId } } = useWorkspace()
  const { data = [] } = useConnections()
  return data.filter(({ status }) => status === "error").map(({ connection_id: connectionId, error, name }) => (
    <div key={connectionId} className="note bad" role="status">
      <strong className="wrap-anywhere">“{name}” is not pulled</strong>
      <p className="wrap-anywhere">{error}</p>
      <Link to="/w/$workspaceId/connections/$connectionId" params={{ workspaceId, connectionId }}>
        Open the connection
      </Link>
    </div>
  ))
}
