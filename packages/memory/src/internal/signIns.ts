/** Signing in by a link or by an identity: which user the session is for, and what the user has proven by it. */
import type { UserId } from "@tributary/core/model/Id"
import { isProven, type User } from "@tributary/core/model/Person"
import type { Session } from "@tributary/core/model/Session"
import type { SecretHash } from "@tributary/core/ports/ApiKeyStore"
import type { Identity } from "@tributary/core/ports/IdentityProvider"
import type { SessionStore } from "@tributary/core/ports/SessionStore"
import type { OwnedAccount } from "@tributary/core/ports/WorkspaceStore"
import { Effect, Option } from "effect"
import { copied } from "./copied.ts"
import { openAccount } from "./openAccount.ts"
import { byText } from "./Ordered.ts"
import { identityKey, type InvitationRow } from "./PeopleTable.ts"
import type { State } from "./State.ts"

export const signIns = (state: State["Service"]): Pick<SessionStore["Service"], "signIn" | "holder" | "signInAs"> => {
  const { people } = state
  const opening = openAccount(state)

  /** The user whom the invitation makes, unless it is over. */
  const acceptInvitation = (row: InvitationRow | undefined, now: Date, newUserId: UserId): User | undefined => {
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
  const vouch = (userId: UserId): User | undefined => {
    const user = people.users.get(userId)
    if (user === undefined || user.email === null || isProven(user)) return user
    if (people.hasProven(user.account_id, user.email) !== undefined) return user
    const proven: User = { ...user, email_proof: "operator" }
    people.users.set(userId, proven)
    people.endSessions(userId, null)
    return proven
  }

  /** The oldest user without an identity for whose e-mail the operator vouches. */
  const vouchedFor = (email: string): User | undefined => {
    const [oldest] = people.byEmail(null, email).filter(({ email_proof }) => email_proof === "operator")
      .sort((left, right) => byText(left.user_id, right.user_id))
    return oldest && { ...oldest, email_proof: "openid" }
  }

  const guest = (email: string, name: string | null, now: Date, user_id: UserId): User | undefined =>
    people.received(email, now).length === 0
      ? undefined
      : { user_id, account_id: null, email, email_proof: "openid", name: name ?? email, created_at: now }

  const newOwner = ({ account, owner, personal }: OwnedAccount, email: string): User | undefined => {
    opening(account, personal, owner)
    return vouchedFor(email)
  }

  /** The user of an identity on its first sign-in. */
  const linkIdentity = (
    { email, issuer, name, subject }: Identity,
    { account, newUserId }: { readonly account: OwnedAccount | null; readonly newUserId: UserId },
    now: Date
  ): User | undefined => {
    if (email === null) return undefined
    const user = vouchedFor(email) ?? (account === null ? guest(email, name, now, newUserId) : newOwner(account, email))
    if (user === undefined) return undefined
    people.users.set(user.user_id, user)
    people.identities.set(identityKey(issuer, subject), user.user_id)
    people.endSessions(user.user_id, null)
    return user
  }

  const openSession = (user: User | undefined, session: Session, hash: SecretHash, maximum: number) => {
    if (user === undefined) return Option.none()
    people.sessions.set(hash, { user_id: user.user_id, hash, session: copied(session) })
    for (const { hash } of people.sessionsOf(user.user_id).slice(maximum)) people.sessions.delete(hash)
    return Option.some(copied(user))
  }

  return {
    signIn: (link, session, hash, { maximum, newUserId }) =>
      Effect.sync(() => {
        const row = people.links.get(link)
        if (row === undefined || row.expires_at <= session.created_at) return Option.none()
        const { subject } = row
        people.links.set(link, { subject, expires_at: new Date(0) })
        const user = "user_id" in subject
          ? vouch(subject.user_id)
          : acceptInvitation(people.invitations.get(subject.invitation_id), new Date(session.created_at), newUserId)
        return openSession(user, session, hash, maximum)
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
          ? linkIdentity(identity, options, new Date(session.created_at))
          : people.users.get(known)
        return openSession(user, session, hash, options.maximum)
      })
  }
}
