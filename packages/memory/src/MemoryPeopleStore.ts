/** People in memory. */
import type { Member, Membership, User } from "@tributary/core/model/Person"
import { type Invited, PeopleStore } from "@tributary/core/ports/PeopleStore"
import type { InvitationId, UserId, WorkspaceId } from "@tributary/core/model/Id"
import type { SecretHash } from "@tributary/core/ports/ApiKeyStore"
import { Effect, Layer, Option } from "effect"
import { copied, found } from "./internal/copied.ts"
import { byText } from "./internal/Ordered.ts"
import { identityKey, type InvitationRow, isProven, subjectId } from "./internal/PeopleTable.ts"
import { State } from "./internal/State.ts"

export const layer = Layer.effect(
  PeopleStore,
  Effect.gen(function*() {
    const { people, workspaces, workspacesOf } = yield* State

    const membership = (userId: UserId, workspaceId: WorkspaceId): Option.Option<Membership> => {
      const role = people.members.get(workspaceId)?.get(userId)?.role
      const workspace = workspaces.get(workspaceId)?.record
      return role === undefined || workspace === undefined ? Option.none() : Option.some({ workspace, role })
    }

    const workspacesOfAccount = (accountId: User["account_id"]) => {
      const open = workspacesOf(accountId).where().map(({ record }) => record)
      return { open, personal: open.find(({ kind }) => kind === "personal") }
    }

    const ownerOf = (workspaceId: WorkspaceId): User | undefined => {
      const owners = [...people.membersOf(workspaceId)].filter(([, { role }]) => role === "owner").map(([id]) => id)
      const [first] = owners.sort(byText)
      return first === undefined ? undefined : people.users.get(first)
    }

    const invited = ({ invitation, workspace_id }: InvitationRow): Option.Option<Invited> =>
      Option.map(
        Option.fromUndefinedOr(workspaces.get(workspace_id)),
        ({ record }) => ({ invitation, workspace: record })
      )

    const isOpen = (row: InvitationRow | undefined, now: Date): row is InvitationRow =>
      row !== undefined && row.invitation.expires_at > now

    const behind = (hash: SecretHash, now: Date): Option.Option<InvitationRow> => {
      const link = people.links.get(hash)
      if (link === undefined || link.expires_at <= now || "user_id" in link.subject) return Option.none()
      const row = people.invitations.get(link.subject.invitation_id)
      return isOpen(row, now) ? Option.some(row) : Option.none()
    }

    const addressed = (user: User, invitationId: InvitationId, now: Date): Option.Option<InvitationRow> => {
      const row = people.invitations.get(invitationId)
      return isOpen(row, now) && isProven(user) && row.invitation.email === user.email
        ? Option.some(row)
        : Option.none()
    }

    return PeopleStore.of({
      owner: (candidate) =>
        Effect.sync(() => {
          const { open, personal } = workspacesOfAccount(candidate.account_id)
          if (personal === undefined) return Option.none()
          const present = ownerOf(personal.workspace_id)
          if (present !== undefined) return Option.some(copied(present))
          const taken = candidate.email !== null &&
            people.hasProven(candidate.account_id, candidate.email) !== undefined
          const user: User = taken ? { ...candidate, email: null, email_proof: "none" } : candidate
          people.users.set(user.user_id, copied(user))
          for (const { workspace_id } of open) {
            people.membersOf(workspace_id).set(user.user_id, { role: "owner", joined_at: new Date(user.created_at) })
          }
          return Option.some(copied(user))
        }),

      setOwner: (user, at) =>
        Effect.sync(() => {
          const { account_id, user_id } = user
          const { open, personal } = workspacesOfAccount(account_id)
          if (account_id === null || personal === undefined) return false
          if (!people.users.has(user_id)) people.users.set(user_id, copied(user))
          for (const { workspace_id } of open) {
            const members = people.membersOf(workspace_id)
            const joined_at = members.get(user_id)?.joined_at ?? new Date(at)
            members.set(user_id, { role: "owner", joined_at })
          }
          for (const other of people.membersOf(personal.workspace_id).keys()) {
            if (other !== user_id) people.leave(personal.workspace_id, other)
          }
          return true
        }),

      find: (userId) => Effect.sync(() => found(people.users.get(userId))),

      findByEmail: (accountId, email, limit) =>
        Effect.sync(() => copied(people.byEmail(accountId, email).slice(0, limit))),

      findByIdentity: ({ issuer, subject }) =>
        Effect.sync(() => {
          const userId = people.identities.get(identityKey(issuer, subject))
          return found(userId && people.users.get(userId))
        }),

      update: (userId, { email, name }) =>
        Effect.sync(() => {
          const user = people.users.get(userId)
          if (user === undefined) return Option.none()
          if (email !== undefined && (user.email !== null || people.hasProven(user.account_id, email) !== undefined)) {
            return Option.none()
          }
          const vouched = email === undefined ? {} : { email, email_proof: "operator" as const }
          const changed = { ...user, ...vouched, name: name ?? user.name }
          people.users.set(userId, changed)
          return Option.some(copied(changed))
        }),

      personal: (userId) =>
        Effect.sync(() => {
          for (const [workspaceId, members] of people.members) {
            const workspace = workspaces.get(workspaceId)?.record
            if (members.get(userId)?.role === "owner" && workspace?.kind === "personal") {
              return Option.some(copied(workspace))
            }
          }
          return Option.none()
        }),

      membership: (userId, workspaceId) => Effect.sync(() => Option.map(membership(userId, workspaceId), copied)),

      memberships: (userId, { after, limit }) =>
        Effect.sync(() =>
          copied(
            [...people.members.keys()].filter((id) => after === null || id > after).sort(byText)
              .flatMap((id) => Option.toArray(membership(userId, id))).slice(0, limit)
          )
        ),

      members: (workspaceId, { after, limit }) =>
        Effect.sync(() =>
          copied(
            [...people.members.get(workspaceId) ?? []].filter(([id]) => after === null || id > after)
              .sort(([left], [right]) => byText(left, right)).slice(0, limit)
              .map(([user_id, { joined_at, role }]): Member => {
                const { email, email_proof, name } = people.users.get(user_id)!
                return { user_id, email, email_proof, name, role, joined_at }
              })
          )
        ),

      setRole: (workspaceId, userId, role) =>
        Effect.sync(() => {
          const members = people.members.get(workspaceId)
          const part = members?.get(userId)
          if (members === undefined || part === undefined) return "absent"
          const owners = [...members.values()].filter(({ role }) => role === "owner").length
          if (part.role === "owner" && role !== "owner" && owners === 1) return "last_owner"
          if (role === null) people.leave(workspaceId, userId)
          else part.role = role
          return "changed"
        }),

      invite: (workspaceId, invitation, maximum) =>
        Effect.sync(() => {
          const workspace = workspaces.get(workspaceId)?.record
          if (workspace === undefined) return "full"
          const members = people.membersOf(workspaceId)
          const known = people.byEmail(null, invitation.email).filter(isProven)
          if (known.some(({ user_id }) => members.has(user_id))) return "present"
          const user = people.hasProven(workspace.account_id, invitation.email)
          if (user !== undefined) {
            members.set(user.user_id, { role: invitation.role, joined_at: new Date(invitation.created_at) })
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

      received: (email, now, limit) =>
        Effect.sync(() =>
          people.received(email, now).slice(0, limit).flatMap((row) => Option.toArray(invited(row))).map(copied)
        ),

      linked: (hash, now) => Effect.sync(() => Option.map(Option.flatMap(behind(hash, now), invited), copied)),

      join: (userId, by, now) =>
        Effect.sync(() => {
          const user = people.users.get(userId)
          if (user === undefined) return Option.none()
          const row = "link" in by ? behind(by.link, now) : addressed(user, by.invitation_id, now)
          if (Option.isNone(row)) return Option.none()
          const { account_id, invitation, workspace_id } = row.value
          people.dropInvitation(invitation.invitation_id)
          const members = people.membersOf(workspace_id)
          if (!members.has(userId)) members.set(userId, { role: invitation.role, joined_at: new Date(now) })
          if (user.account_id === null && people.hasProven(account_id, user.email!) === undefined) {
            people.users.set(userId, { ...user, account_id })
          }
          return Option.map(membership(userId, workspace_id), copied)
        }),

      decline: (userId, invitationId) =>
        Effect.sync(() => {
          const user = people.users.get(userId)
          const row = user === undefined ? Option.none() : addressed(user, invitationId, new Date(0))
          if (user === undefined || Option.isNone(row)) return Option.none()
          const declined = Option.map(invited(row.value), copied)
          people.dropInvitation(invitationId)
          if (user.account_id === null && people.received(user.email!, new Date(0)).length === 0) {
            people.dropHomeless(userId)
          }
          return declined
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
          for (const { account_id, email, user_id } of people.users.values()) {
            if (account_id === null && people.received(email!, now).length === 0) people.dropHomeless(user_id)
          }
        })
    })
  })
)
