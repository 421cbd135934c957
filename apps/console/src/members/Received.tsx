import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { consoleApi, type Received } from "../api/consoleApi.ts"
import { queries } from "../api/queries.ts"
import { Button } from "../ui/Button.tsx"
import { Moment } from "../ui/time/Moment.tsx"
import { attempt } from "../ui/feedback/useWork.ts"

export const useReceived = () => useQuery({ queryKey: ["received"], queryFn: consoleApi.received })

/** An invitation with its sender, if known. */
export const AboutInvitation = ({ invitation }: { readonly invitation: Received }) => {
  const { email, expires_at, inviter, role, workspace_name } = invitation
  return (
    <div>
      <div className="row-title wrap-anywhere">{workspace_name}</div>
      <div className="facts">
        <span>as {role === "owner" ? "an owner" : "a member"}</span>
        <span>for {email}</span>
        {inviter !== null && (
          <span className="wrap-anywhere">
            from {inviter.name}, {inviter.email ?? "whose e-mail nobody has checked"}
          </span>
        )}
        <span>
          until <Moment at={expires_at} />
        </span>
      </div>
    </div>
  )
}

interface Props {
  readonly invitations: ReadonlyArray<Received>
  readonly onJoined: (workspaceId: string) => void
  readonly children?: ReactNode
}

/** People join a workspace only by accepting an invitation. */
export const ReceivedInvitations = ({ children, invitations, onJoined }: Props) => {
  const accept = (id: string) =>
    attempt(async () => {
      const { workspace_id } = await consoleApi.accept(id)
      await Promise.all(["workspaces", "received"].map((key) => queries.invalidateQueries({ queryKey: [key] })))
      onJoined(workspace_id)
    })
  const decline = (id: string) =>
    attempt(async () => {
      await consoleApi.decline(id)
      await queries.invalidateQueries({ queryKey: ["received"] })
    })
  return (
    <>
      <ul className="rows">
        {invitations.map((invitation) => (
          <li key={invitation.invitation_id}>
            <AboutInvitation invitation={invitation} />
            <div className="buttons">
              <Button small kind="primary" onClick={() => accept(invitation.invitation_id)}>Accept</Button>
              <Button small kind="quiet" onClick={() => decline(invitation.invitation_id)}>Decline</Button>
            </div>
          </li>
        ))}
      </ul>
      {children}
    </>
  )
}
