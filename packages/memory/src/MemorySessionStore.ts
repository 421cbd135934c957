/** Sessions in memory. */
import type { UserId } from "@tributary/core/model/Id"
import { isProven, type User } from "@tributary/core/model/Person"
import type { Session } from "@tributary/core/model/Session"
import type { SecretHash } from "@tributary/core/ports/ApiKeyStore"
import type { Identity } from "@tributary/core/ports/IdentityProvider"
import { type Moment, SessionStore } from "@tributary/core/ports/SessionStore"
import { staleBefore } from "@tributary/core/ports/lastUse"
import { Effect, Layer, Option } from "effect"
import { copied } from "./internal/copied.ts"
import { byText } from "./internal/Ordered.ts"
import { identityKey, type InvitationRow, type SessionRow } from "./internal/PeopleTable.ts"
import { State } from "./internal/State.ts"

const isAlive = ({ session }: SessionRow, { now, seenAfter }: Moment): boolean =>
  session.expires_at > now && session.last_seen_at > seenAfter

export const layer = Layer.effect(
  SessionStore,
  Effect.gen(function*() {
    const { membership, people } = yield* State

    /** The user whom the invitation makes, unless it is over. */
    const accept = (row: InvitationRow | undefined, now: Date, newUserId: UserId): User | undefined => {
      if (row === undefined || row.invitation.expires_at <= now) return undefined
      const { email, invitation_id, role } = row.invitation
      people.dropInvitation(invitation_id)
      const user: User = {
        user_id: newUserId,
        account_id: row.account_id,
        email,
        email_proof: "none",
        name: email,
        created_at: now
      }
      people.users.set(newUserId, user)
      people.membersOf(row.workspace_id).set(newUserId, { role, joined_at: now })
      return user
    }

    /** By the operator's link, so the operator vouches for the e-mail. */
    const vouched = (userId: UserId): User | undefined => {
      const user = people.users.get(userId)
      if (user === undefined || user.email === null || isProven(user)) return user
      if (people.hasProven(user.account_id, user.email) !== undefined) return user
      const proven: User = { ...user, email_proof: "operator" }
      people.users.set(userId, proven)
      people.endSessions(userId, null)
      return proven
    }

    const guest = (email: string, name: string | null, now: Date, user_id: UserId): User | undefined =>
      people.received(email, now).length === 0
        ? undefined
        : { user_id, account_id: null, email, email_proof: "openid", name: name ?? email, created_at: now }

    /** The user that an identity is linked to on its first sign-in. */
    const takenUp = (
      { email, issuer, name, subject }: Identity,
      { guests, newUserId }: { readonly guests: boolean; readonly newUserId: UserId },
      now: Date
    ): User | undefined => {
      if (email === null) return undefined
      const [known] = people.byEmail(null, email).filter(({ email_proof }) => email_proof === "operator")
        .sort((left, right) => byText(left.user_id, right.user_id))
      const user: User | undefined = known === undefined
        ? guests ? guest(email, name, now, newUserId) : undefined
        : { ...known, email_proof: "openid" }
      if (user === undefined) return undefined
      people.users.set(user.user_id, user)
      people.identities.set(identityKey(issuer, subject), user.user_id)
      people.endSessions(user.user_id, null)
      return user
    }

    const open = (user: User | undefined, session: Session, hash: SecretHash, maximum: number) => {
      if (user === undefined) return Option.none()
      people.sessions.set(hash, { user_id: user.user_id, hash, session: copied(session) })
      for (const { hash } of people.sessionsOf(user.user_id).slice(maximum)) people.sessions.delete(hash)
      return Option.some(copied(user))
    }

    return SessionStore.of({
      signIn: (link, session, hash, { maximum, newUserId }) =>
        Effect.sync(() => {
          const row = people.links.get(link)
          if (row === undefined || row.expires_at <= session.created_at) return Option.none()
          const { subject } = row
          people.links.set(link, { subject, expires_at: new Date(0) })
          const user = "user_id" in subject
            ? vouched(subject.user_id)
            : accept(people.invitations.get(subject.invitation_id), new Date(session.created_at), newUserId)
          return open(user, session, hash, maximum)
        }),

      holder: (link) =>
        Effect.sync(() => {
          const subject = people.links.get(link)?.subject
          if (subject === undefined) return Option.none()
          if ("user_id" in subject) {
            const account_id = people.users.get(subject.user_id)?.account_id ?? null
            return Option.some({ account_id, workspace_id: null, subject: subject.user_id })
          }
          const { account_id = null, workspace_id = null } = people.invitations.get(subject.invitation_id) ?? {}
          return Option.some({ account_id, workspace_id, subject: subject.invitation_id })
        }),

      signInAs: (identity, session, hash, options) =>
        Effect.sync(() => {
          const known = people.identities.get(identityKey(identity.issuer, identity.subject))
          const user = known === undefined
            ? takenUp(identity, options, new Date(session.created_at))
            : people.users.get(known)
          return open(user, session, hash, options.maximum)
        }),

      authenticate: (hash, workspaceId, at) =>
        Effect.sync(() => {
          const row = people.sessions.get(hash)
          if (row === undefined || !isAlive(row, at)) return Option.none()
          if (row.session.last_seen_at < staleBefore(at.now)) {
            row.session = { ...row.session, last_seen_at: new Date(at.now) }
          }
          return Option.some(copied({
            session: row.session,
            user: people.users.get(row.user_id)!,
            membership: workspaceId === null ? null : membership(row.user_id, workspaceId) ?? null
          }))
        }),

      list: (userId, at) =>
        Effect.sync(() =>
          copied(people.sessionsOf(userId).filter((row) => isAlive(row, at)).map(({ session }) => session))
        ),

      end: (userId, sessionId) => Effect.sync(() => people.endSessions(userId, sessionId)),

      prune: (at) =>
        Effect.sync(() => {
          for (const row of people.sessions.values()) if (!isAlive(row, at)) people.sessions.delete(row.hash)
        })
    })
  })
)
