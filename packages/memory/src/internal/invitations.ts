/** Invitations to workspaces: made, revoked, accepted and declined. */
import type { InvitationId } from "@tributary/core/model/Id"
import { isProven, type User } from "@tributary/core/model/Person"
import type { SecretHash } from "@tributary/core/ports/ApiKeyStore"
import type { Invited, PeopleStore } from "@tributary/core/ports/PeopleStore"
import { Effect, Option } from "effect"
import { copied, found } from "./copied.ts"
import { byText } from "./Ordered.ts"
import type { InvitationRow } from "./PeopleTable.ts"
import type { State } from "./State.ts"

type Methods = "invite" | "invitations" | "revokeInvitation" | "received" | "linked" | "join" | "decline"

export const invitations = (
  { membership, people, workspaces }: State["Service"]
): Pick<PeopleStore["Service"], Methods> => {
  const invited = ({ invitation, workspace_id }: InvitationRow): Invited | undefined => {
    const workspace = workspaces.get(workspace_id)?.record
    return workspace && { invitation, workspace }
  }

  const isOpen = ({ invitation }: InvitationRow, now: Date): boolean => invitation.expires_at > now

  const openAt = (invitationId: InvitationId, now: Date): InvitationRow | undefined => {
    const row = people.invitations.get(invitationId)
    return row !== undefined && isOpen(row, now) ? row : undefined
  }

  const behind = (hash: SecretHash, now: Date): InvitationRow | undefined => {
    const link = people.links.get(hash)
    if (link === undefined || link.expires_at <= now || "user_id" in link.subject) return undefined
    return openAt(link.subject.invitation_id, now)
  }

  const addressed = (user: User, invitationId: InvitationId, now: Date): InvitationRow | undefined => {
    const row = openAt(invitationId, now)
    return isProven(user) && row?.invitation.email === user.email ? row : undefined
  }

  return {
    invite: (workspaceId, invitation, maximum) =>
      Effect.sync(() => {
        const workspace = workspaces.get(workspaceId)?.record
        if (workspace === undefined) return "full"
        const { account_id } = workspace
        const members = people.membersOf(workspaceId)
        const known = people.byEmail(null, invitation.email).filter(isProven)
        if (known.some(({ user_id }) => members.has(user_id))) return "present"
        const user = people.hasProven(account_id, invitation.email)
        if (user !== undefined) {
          members.set(user.user_id, { role: invitation.role, joined_at: new Date(invitation.created_at) })
          return "joined"
        }
        const all = [...people.invitations.values()].filter((row) => row.workspace_id === workspaceId)
        const earlier = all.find((row) => row.invitation.email === invitation.email)
        const others = all.filter((row) => row !== earlier && isOpen(row, invitation.created_at))
        if (others.length >= maximum) return "full"
        if (earlier !== undefined) people.dropInvitation(earlier.invitation.invitation_id)
        const row = { workspace_id: workspaceId, account_id, invitation: copied(invitation) }
        people.invitations.set(invitation.invitation_id, row)
        return "invited"
      }),

    invitations: (workspaceId, now) =>
      Effect.sync(() =>
        copied(
          [...people.invitations.values()]
            .filter((row) => row.workspace_id === workspaceId && isOpen(row, now))
            .map(({ invitation }) => invitation)
            .sort((left, right) => byText(right.invitation_id, left.invitation_id))
        )
      ),

    revokeInvitation: (workspaceId, invitationId) =>
      Effect.sync(() => {
        const row = people.invitations.get(invitationId)
        if (row?.workspace_id !== workspaceId) return Option.none()
        people.dropInvitation(invitationId)
        return found(row.invitation)
      }),

    received: (email, now, limit) =>
      Effect.sync(() => copied(people.received(email, now).slice(0, limit).flatMap((row) => invited(row) ?? []))),

    linked: (hash, now) =>
      Effect.sync(() => {
        const row = behind(hash, now)
        return found(row && invited(row))
      }),

    join: (userId, by, now) =>
      Effect.sync(() => {
        const user = people.users.get(userId)
        if (user === undefined) return Option.none()
        const row = "link" in by ? behind(by.link, now) : addressed(user, by.invitation_id, now)
        if (row === undefined) return Option.none()
        const { account_id, invitation, workspace_id } = row
        people.dropInvitation(invitation.invitation_id)
        const members = people.membersOf(workspace_id)
        if (!members.has(userId)) members.set(userId, { role: invitation.role, joined_at: new Date(now) })
        if (user.account_id === null && people.hasProven(account_id, user.email!) === undefined) {
          people.users.set(userId, { ...user, account_id })
        }
        return found(membership(userId, workspace_id))
      }),

    decline: (userId, invitationId) =>
      Effect.sync(() => {
        const user = people.users.get(userId)
        const row = user && addressed(user, invitationId, new Date(0))
        if (user === undefined || row === undefined) return Option.none()
        people.dropInvitation(invitationId)
        const isGone = user.account_id === null && people.received(user.email!, new Date(0)).length === 0
        if (isGone) people.dropHomeless(userId)
        return found(invited(row))
      })
  }
}
