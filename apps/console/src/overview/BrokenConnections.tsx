import { Link } from "@tanstack/react-router"
import { useWorkspace } from "../api/workspace.tsx"
import { useConnections } from "../connections/useConnections.ts"
import { amount } from "../ui/numbers.ts"

/** Many are often broken for one reason, such as a password. The list of sources shows all of them. */
const MAX_SHOWN = 3

export const BrokenConnections = () => {
  const { workspace: { workspace_id: workspaceId } } = useWorkspace()
  const { data = [] } = useConnections()
  const broken = data.filter(({ status }) => status === "error")
  return (
    <>
      {broken.slice(0, MAX_SHOWN).map(({ connection_id: connectionId, error, name }) => (
        <div key={connectionId} className="note bad" role="status">
          <strong className="wrap-anywhere">“{name}” is not pulled</strong>
          <p className="wrap-anywhere">{error}</p>
          <Link to="/w/$workspaceId/connections/$connectionId" params={{ workspaceId, connectionId }}>
            Open the connection
          </Link>
        </div>
      ))}
      {broken.length > MAX_SHOWN && (
        <p className="note bad" role="status">
          <Link to="/w/$workspaceId/sources" params={{ workspaceId }} search={{ is: "attention" }}>
            {amount(broken.length - MAX_SHOWN, "more connection")} not pulled
          </Link>
        </p>
      )}
    </>
  )
}
