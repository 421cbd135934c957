import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { type Colleague, consoleApi, type OpenInvitation } from "../api/consoleApi.ts"
import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Invite } from "../members/Invite.tsx"
import { LinkToPassOn } from "../members/LinkToPassOn.tsx"
import { SharedWorkspaces } from "../members/SharedWorkspaces.tsx"
import { RenameWorkspace } from "../members/WorkspaceForms.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Failure } from "../ui/Failure.tsx"
import { Moment } from "../ui/Moment.tsx"
import { Card, CardSkeleton, Page } from "../ui/Page.tsx"
import { toast } from "../ui/Toasts.tsx"
import { attempt } from "../ui/useWork.ts"

type Open =
  | { readonly what: "invite" }
  | { readonly what: "remove"; readonly member: Colleague }
  | { readonly what: "link"; readonly url: string }
  | null

export const Members = () => {
  const { isOwner, me, workspace: { kind, workspace_id } } = useWorkspace()
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const members = useInfiniteQuery({
    queryKey: [workspace_id, "members"],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => consoleApi.members(workspace_id, pageParam),
    getNextPageParam: ({ next_cursor }) => next_cursor
  })
  const manages = isOwner && kind === "shared"
  const invitations = useQuery({
    queryKey: [workspace_id, "invitations"],
    queryFn: () => consoleApi.invitations(workspace_id),
    enabled: manages
  })
  const change = (work: () => Promise<unknown>, said: string) =>
    attempt(async () => {
      await work()
      await queries.invalidateQueries({ queryKey: [workspace_id] })
      toast(said)
    })
  const remove = async ({ name, user_id }: Colleague) => {
    await consoleApi.removeMember(workspace_id, user_id)
    await queries.invalidateQueries({ queryKey: [workspace_id] })
    toast(`${name} is removed.`)
  }
  const renew = ({ invitation_id }: OpenInvitation) =>
    attempt(async () => setOpen({ what: "link", url: (await consoleApi.renewLink(workspace_id, invitation_id)).url }))
  const listed = members.data?.pages.flatMap(({ members }) => members)

  return (
    <Page
      title="Members"
      lead={kind === "personal"
        ? "This workspace is yours alone. Others join shared workspaces."
        : "Who is in this workspace, and what they may do in it."}
      actions={
        <>
          <SharedWorkspaces />
          {manages && <Button kind="primary" onClick={() => setOpen({ what: "invite" })}>Invite someone</Button>}
        </>
      }
    >
      {isOwner && (
        <Card title="Name">
          <RenameWorkspace />
        </Card>
      )}
      <Card flush title="Members">
        {members.error !== null && (
          <Failure
            error={members.error}
            what="The members cannot be shown"
            retry={() => void members.refetch()}
          />
        )}
        {listed === undefined && members.error === null && <CardSkeleton />}
        <ul className="rows">
          {listed?.map((member) => (
            <li key={member.user_id}>
              <div>
                <div className="row-title">
                  {member.name}
                  <Badge tone={member.role === "owner" ? "accent" : "plain"}>
                    {member.role === "owner" ? "Owner" : "Member"}
                  </Badge>
                  {member.user_id === me.user.user_id && <Badge>You</Badge>}
                </div>
                <div className="facts">
                  {member.email !== null && <span>{member.email}</span>}
                  <span>
                    joined <Moment at={member.joined_at} />
                  </span>
                </div>
              </div>
              {manages && (
                <div className="buttons">
                  <Button
                    small
                    onClick={() => {
                      const role = member.role === "owner" ? "member" : "owner"
                      void change(
                        () => consoleApi.changeMember(workspace_id, member.user_id, role),
                        `${member.name} is now ${role === "owner" ? "an owner" : "a member"}.`
                      )
                    }}
                  >
                    {member.role === "owner" ? "Make a member" : "Make an owner"}
                  </Button>
                  <Button
                    small
                    kind="quiet bad"
                    aria-label={`Remove ${member.name}`}
                    onClick={() => setOpen({ what: "remove", member })}
                  >
                    Remove
                  </Button>
                </div>
              )}
            </li>
          ))}
        </ul>
        {members.hasNextPage && (
          <div className="result">
            <Button onClick={() => void members.fetchNextPage()}>Show more</Button>
          </div>
        )}
      </Card>
      {manages && (invitations.data?.length ?? 0) > 0 && (
        <Card flush title="Open invitations">
          <ul className="rows">
            {invitations.data?.map((invitation) => (
              <li key={invitation.invitation_id}>
                <div>
                  <div className="row-title">
                    {invitation.email} <Badge>{invitation.role}</Badge>
                  </div>
                  <div className="facts">
                    <span>
                      invited <Moment at={invitation.created_at} />
                    </span>
                    <span>
                      ends <Moment at={invitation.expires_at} />
                    </span>
                  </div>
                </div>
                <div className="buttons">
                  <Button small onClick={() => void renew(invitation)}>New link</Button>
                  <Button
                    small
                    kind="quiet bad"
                    aria-label={`Revoke the invitation of ${invitation.email}`}
                    onClick={() =>
                      void change(
                        () => consoleApi.revokeInvitation(workspace_id, invitation.invitation_id),
                        "The invitation is revoked."
                      )}
                  >
                    Revoke
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {open?.what === "invite" && <Invite onClose={close} />}
      {open?.what === "link" && (
        <Dialog title="A new link" onClose={close}>
          <LinkToPassOn url={open.url} />
        </Dialog>
      )}
      {open?.what === "remove" && (
        <Confirm
          title={`Remove ${open.member.name}?`}
          action="Remove"
          onClose={close}
          onConfirm={() => remove(open.member)}
        >
          <p>They can no longer see this workspace from this moment on. Keys that they made go on working.</p>
        </Confirm>
      )}
    </Page>
  )
}
