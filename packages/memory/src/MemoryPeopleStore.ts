/** People in memory. */
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { Effect, Layer, Option } from "effect"
import { accountOwners } from "./internal/accountOwners.ts"
import { copied, found } from "./internal/copied.ts"
import { invitations } from "./internal/invitations.ts"
import { identityKey, subjectId } from "./internal/PeopleTable.ts"
import { State } from "./internal/State.ts"
import { workspaceMembers } from "./internal/workspaceMembers.ts"

export const layer = Layer.effect(
  PeopleStore,
  Effect.map(State, (state) => {
    const { people } = state

    return PeopleStore.of({
      ...accountOwners(state),
      ...workspaceMembers(state),
      ...invitations(state),

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
          return found(changed)
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
