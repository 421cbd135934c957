/** People in memory. */
import type { Member, Membership, User } from "@tributary/core/model/Person"
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import type { UserId, WorkspaceId } from "@tributary/core/model/Id"
import { Effect, Layer, Option } from "effect"
import { copied } from "./internal/copied.ts"
import { byText } from "./internal/Ordered.ts"
import { subjectId } from "./internal/PeopleTable.ts"
import { State } from "./internal/State.ts"

export const layer = Layer.effect(
  PeopleStore,
  Effect.gen(function*() {
    const { people, workspaces, workspacesOf } = yield* State

    const membership = (userId: UserId, workspaceId: WorkspaceId): Option.Option<Membership> => {
      const role = people.parts.get(workspaceId)?.get(userId)?.role
      const workspace = workspaces.get(workspaceId)?.record
      return role === undefined || workspace === undefined ? Option.none() : Option.some({ workspace, role })
    }

    const ownerOf = (workspaceId: WorkspaceId): User | undefined => {
      const owners = [...people.partsOf(workspaceId)].filter(([, { role }]) => role === "owner").map(([id]) => id)
      const [first] = owners.sort(byText)
      return first === undefined ? undefined : people.users.get(first)
    }

    return PeopleStore.of({
      owner: (candidate) =>
        Effect.sync(() => {
          const open = workspacesOf(candidate.account_id).ascending(Infinity, () => true).map(({ record }) => record)
          const personal = open.find(({ kind }) => kind === "personal")
          if (personal === undefined) return Option.none()
          const present = ownerOf(personal.workspace_id)
          if (present !== undefined) return Option.some(copied(present))
          const taken = candidate.email !== null && people.byEmail(candidate.account_id, candidate.email).length > 0
          const user = taken ? { ...candidate, email: null } : candidate
          people.users.set(user.user_id, copied(user))
          for (const { workspace_id } of open) {
            people.partsOf(workspace_id).set(user.user_id, { role: "owner", joined_at: new Date(user.created_at) })
          }
          return Option.some(copied(user))
        }),

      findByEmail: (accountId, email, limit) =>
        Effect.sync(() => copied(people.byEmail(accountId, email).slice(0, limit))),

      findByIdentity: ({ issuer, subject }) =>
        Effect.sync(() => {
          const userId = people.identities.get(JSON.stringify([issuer, subject]))
          return Option.map(Option.fromUndefinedOr(userId && people.users.get(userId)), copied)
        }),

      update: (userId, { email, name }) =>
        Effect.sync(() => {
          const user = people.users.get(userId)
          if (user === undefined) return Option.none()
          if (email !== undefined && (user.email !== null || people.byEmail(user.account_id, email).length > 0)) {
            return Option.none()
          }
          const changed = { ...user, email: email ?? user.email, name: name ?? user.name }
          people.users.set(userId, changed)
          return Option.some(copied(changed))
        }),

      membership: (userId, workspaceId) => Effect.sync(() => Option.map(membership(userId, workspaceId), copied)),

      memberships: (userId, { after, limit }) =>
        Effect.sync(() =>
          copied(
            [...people.parts.keys()].filter((id) => after === null || id > after).sort(byText)
              .flatMap((id) => Option.toArray(membership(userId, id))).slice(0, limit)
          )
        ),

      members: (workspaceId, { after, limit }) =>
        Effect.sync(() =>
          copied(
            [...people.parts.get(workspaceId) ?? []].filter(([id]) => after === null || id > after)
              .sort(([left], [right]) => byText(left, right)).slice(0, limit)
              .map(([user_id, { joined_at, role }]): Member => {
                const { email, name } = people.users.get(user_id)!
                return { user_id, email, name, role, joined_at }
              })
          )
        ),

      setRole: (workspaceId, userId, role) =>
        Effect.sync(() => {
          const parts = people.parts.get(workspaceId)
          const part = parts?.get(userId)
          if (parts === undefined || part === undefined) return "absent"
          const owners = [...parts.values()].filter(({ role }) => role === "owner").length
          if (part.role === "owner" && role !== "owner" && owners === 1) return "last_owner"
          if (role === null) people.leave(workspaceId, userId)
          else part.role = role
          return "changed"
        }),

      invite: (workspaceId, invitation, maximum) =>
        Effect.sync(() => {
          const workspace = workspaces.get(workspaceId)?.record
          if (workspace === undefined) return "full"
          const [user] = people.byEmail(workspace.account_id, invitation.email)
          const parts = people.partsOf(workspaceId)
          if (user !== undefined) {
            if (parts.has(user.user_id)) return "present"
            parts.set(user.user_id, { role: invitation.role, joined_at: new Date(invitation.created_at) })
            return "joined"
          }
          const open = [...people.invitations.values()].filter((row) => row.workspace_id === workspaceId)
          const earlier = open.find((row) => row.invitation.email === invitation.email)
          const counted = open.filter((row) => row !== earlier && row.invitation.expires_at > invitation.created_at)
          if (counted.length >= maximum) return "full"
          if (earlier !== undefined) people.dropInvitation(earlier.invitation.invitation_id)
          const { account_id } = workspace
          people.invitations.set(invitation.invitation_id, {
            workspace_id: workspaceId,
            account_id,
            invitation: copied(invitation)
          })
          return "invited"
        }),

      invitations: (workspaceId, now) =>
        Effect.sync(() =>
          copied(
            [...people.invitations.values()]
              .filter((row) => row.workspace_id === workspaceId && row.invitation.expires_at > now)
              .map(({ invitation }) => invitation)
              .sort((left, right) => byText(right.invitation_id, left.invitation_id))
          )
        ),

      revokeInvitation: (workspaceId, invitationId) =>
        Effect.sync(() => {
          const row = people.invitations.get(invitationId)
          if (row?.workspace_id !== workspaceId) return Option.none()
          people.dropInvitation(invitationId)
          return Option.some(copied(row.invitation))
        }),

      addLink: (hash, subject, expiresAt) =>
        Effect.sync(() => {
          const known = "user_id" in subject
            ? people.users.has(subject.user_id)
            : people.invitations.has(subject.invitation_id)
          if (!known) return
          people.dropLinks(subjectId(subject))
          people.links.set(hash, { subject: { ...subject }, expires_at: new Date(expiresAt) })
        }),

      prune: (now) =>
        Effect.sync(() => {
          for (const [hash, { expires_at }] of people.links) if (expires_at <= now) people.links.delete(hash)
          for (const { invitation } of people.invitations.values()) {
            if (invitation.expires_at <= now) people.dropInvitation(invitation.invitation_id)
          }
        })
    })
  })
)
