import { useState } from "react"
import { useWorkspace } from "../api/workspace.tsx"
import { Invite } from "../members/Invite.tsx"
import { MemberList } from "../members/MemberList.tsx"
import { OpenInvitations } from "../members/OpenInvitations.tsx"
import { SharedWorkspaces } from "../members/SharedWorkspaces.tsx"
import { RenameWorkspace } from "../members/WorkspaceForms.tsx"
import { Button } from "../ui/Button.tsx"
import { Card, Page } from "../ui/Page.tsx"

export const Members = () => {
  const { isOwner, workspace: { kind } } = useWorkspace()
  const [isInviting, setInviting] = useState(false)
  const manages = isOwner && kind === "shared"
  return (
    <Page
      title="Members"
      lead={kind === "personal"
        ? "This workspace is yours alone. Others join shared workspaces."
        : "Who is in this workspace, and what they may do in it."}
      actions={
        <>
          <SharedWorkspaces />
          {manages && <Button kind="primary" onClick={() => setInviting(true)}>Invite someone</Button>}
        </>
      }
    >
      {isOwner && (
        <Card title="Name">
          <RenameWorkspace />
        </Card>
      )}
      <MemberList manages={manages} />
      {manages && <OpenInvitations />}
      {isInviting && <Invite onClose={() => setInviting(false)} />}
    </Page>
  )
}
