import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useWorkspace } from "../api/workspace.tsx"
import { Page } from "../ui/Page.tsx"

/** A page of owners, whose address a member may have got from one. */
export const ForOwners = ({ children, title }: { readonly title: string; readonly children: ReactNode }) => {
  const { isOwner, workspace: { workspace_id: workspaceId } } = useWorkspace()
  if (isOwner) return children
  return (
    <Page title={title}>
      <p className="note">
        <strong>Only owners of the workspace see this page</strong>
        <span>
          <Link to="/w/$workspaceId/members" params={{ workspaceId }}>Members</Link>{" "}
          names them. Each can make you an owner, too.
        </span>
      </p>
    </Page>
  )
}
