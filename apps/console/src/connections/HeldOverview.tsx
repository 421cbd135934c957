import { Link } from "@tanstack/react-router"
import type { SourceConnection } from "../api/models.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { amount } from "../ui/numbers.ts"
import { useConnections, useSyncStates } from "./useConnections.ts"

/** Milliseconds between polls. Seldom, because held deletions are not urgent and there may be many connections. */
const SELDOM = 60_000

const Held = ({ connection: { connection_id, name } }: { readonly connection: SourceConnection }) => {
  const { workspace: { workspace_id } } = useWorkspace()
  const { data = [] } = useSyncStates(connection_id, { idle: SELDOM, underWay: SELDOM })
  const held = data.reduce((sum, { deletions_held }) => sum + deletions_held, 0)
  if (held === 0) return null
  return (
    <div className="note warn" role="status">
      <strong className="wrap-anywhere">{amount(held, "deletion")} of “{name}” to confirm</strong>
      <p>Many documents are gone at the source at once. They are kept here until somebody confirms their deletion.</p>
      <Link
        to="/w/$workspaceId/connections/$connectionId"
        params={{ workspaceId: workspace_id, connectionId: connection_id }}
      >
        Look at it
      </Link>
    </div>
  )
}

/** Deletions of all connections that wait for confirmation. */
export const HeldOverview = () => {
  const { data = [] } = useConnections()
  return data.map((connection) => <Held key={connection.connection_id} connection={connection} />)
}
