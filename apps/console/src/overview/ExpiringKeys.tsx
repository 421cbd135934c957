import { Link } from "@tanstack/react-router"
import { useWorkspace } from "../api/workspace.tsx"
import { isExpiring } from "../keys/isExpiring.ts"
import { useKeys } from "../keys/useKeys.ts"
import { amount } from "../ui/numbers.ts"

const SELDOM = 60_000

/** For owners, who can rotate them. */
export const ExpiringKeys = () => {
  const { workspace: { workspace_id: workspaceId } } = useWorkspace()
  const { data: keys = [] } = useKeys(SELDOM)
  const count = keys.filter(isExpiring).length
  if (count === 0) return null
  return (
    <div className="note warn" role="status">
      <strong>{amount(count, "API key")} about to expire</strong>
      <p>Programs that use an expired key are refused. Rotate it before, and nothing stops.</p>
      <Link to="/w/$workspaceId/keys" params={{ workspaceId }} search={{ is: "expiring" }}>Show what expires</Link>
    </div>
  )
}
