import { Link } from "@tanstack/react-router"
import { useWorkspace } from "../api/workspace.tsx"
import { amount } from "../ui/numbers.ts"
import { useConnections } from "./useConnections.ts"
import { useHeldDeletions } from "./useHeldDeletions.ts"

/** A folder that all of them pull from may have been emptied. */
const MAX_SHOWN = 3

/** Deletions of all connections that wait for confirmation. */
export const HeldOverview = () => {
  const { workspace: { workspace_id: workspaceId } } = useWorkspace()
  const { data = [] } = useConnections()
  const { data: deletions = new Map<string, number>() } = useHeldDeletions()
  const held = data.filter(({ connection_id }) => deletions.has(connection_id))
  const more = held.slice(MAX_SHOWN).map(({ connection_id }) => deletions.get(connection_id) ?? 0)
  return (
    <>
      {held.slice(0, MAX_SHOWN).map(({ connection_id: connectionId, name }) => (
        <div key={connectionId} className="note warn" role="status">
          <strong className="wrap-anywhere">
            {amount(deletions.get(connectionId) ?? 0, "deletion")} of “{name}” to confirm
          </strong>
          <p>
            Many documents are gone at the source at once. They are kept here until somebody confirms their deletion.
          </p>
          <Link to="/w/$workspaceId/connections/$connectionId" params={{ workspaceId, connectionId }}>Look at it</Link>
        </div>
      ))}
      {more.length > 0 && (
        <p className="note warn" role="status">
          <Link to="/w/$workspaceId/sources" params={{ workspaceId }} search={{ is: "attention" }}>
            {amount(more.reduce((sum, each) => sum + each), "deletion")} of {amount(more.length, "more connection")}
            {" "}
            to confirm
          </Link>
        </p>
      )}
    </>
  )
}
