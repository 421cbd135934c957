import { useState } from "react"
import { consoleApi } from "../api/consoleApi.ts"
import { useWorkspaceQuery } from "../api/useWorkspaceQuery.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/dialogs/Dialog.tsx"
import { Failure } from "../ui/feedback/Failure.tsx"
import { Moment } from "../ui/time/Moment.tsx"
import { Card } from "../ui/Page.tsx"
import { attempt } from "../ui/feedback/useWork.ts"
import { LinkToPassOn } from "./LinkToPassOn.tsx"
import { useChange } from "../ui/feedback/useChange.ts"

/** Renders nothing without invitations. */
export const OpenInvitations = () => {
  const { workspace: { workspace_id } } = useWorkspace()
  const [link, setLink] = useState<string | null>(null)
  const change = useChange()
  const { data, error, refetch } = useWorkspaceQuery(
    ["invitations"],
    ({ workspaceId }) => consoleApi.invitations(workspaceId),
    { refetchInterval: 10_000 }
  )
  const renew = (invitationId: string) =>
    attempt(async () => setLink((await consoleApi.renewLink(workspace_id, invitationId)).url))
  const revoke = (invitationId: string) =>
    attempt(() => change(() => consoleApi.revokeInvitation(workspace_id, invitationId), "The invitation is revoked."))
  if (error === null && (data ?? []).length === 0) return null
  return (
    <>
      <Card flush title="Open invitations">
        {error !== null && (
          <Failure
            error={error}
            what="The invitations cannot be shown"
            retry={() => void refetch()}
          />
        )}
        <ul className="rows">
          {data?.map(({ created_at, email, expires_at, invitation_id, role }) => (
            <li key={invitation_id}>
              <div>
                <div className="row-title">
                  {email} <Badge>{role}</Badge>
                </div>
                <div className="facts">
                  <span>
                    invited <Moment at={created_at} />
                  </span>
                  <span>
                    ends <Moment at={expires_at} />
                  </span>
                </div>
              </div>
              <div className="buttons">
                <Button small onClick={() => renew(invitation_id)}>New link</Button>
                <Button
                  small
                  kind="quiet bad"
                  aria-label={`Revoke the invitation of ${email}`}
                  onClick={() => revoke(invitation_id)}
                >
                  Revoke
                </Button>
              </div>
            </li>
          ))}
        </ul>
      </Card>
      {link !== null && (
        <Dialog title="A new link" onClose={() => setLink(null)}>
          <LinkToPassOn url={link} />
        </Dialog>
      )}
    </>
  )
}
