/** Writes of sessions. */
import type { InvitationId, SessionId, UserId } from "@tributary/core/model/Id"
import type { User } from "@tributary/core/model/Person"
import type { Session } from "@tributary/core/model/Session"
import type { Identity } from "@tributary/core/ports/IdentityProvider"
import type { Moment } from "@tributary/core/ports/SessionStore"
import type { OwnedAccount } from "@tributary/core/ports/WorkspaceStore"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import { toUser, type UserColumns } from "../rows/userRows.ts"
import { acceptInvitation } from "./invitations.ts"
import { findUser, insertUser, provenUser } from "./users.ts"
import { workspaceWrites } from "./workspaces.ts"

export interface Options {
  readonly newUserId: UserId
  readonly maximum: number
}

export interface IdentityOptions extends Options {
  readonly account: OwnedAccount | null
}

/** The one whom the operator gave a link has the e-mail, unless another user of the account has proven it. */
const vouch = (db: SqliteConnection, { account_id, email, email_proof, user_id }: UserColumns): UserId => {
  if (email !== null && email_proof === "none" && provenUser(db, account_id, email) === undefined) {
    db.run("UPDATE users SET email_proof = 'operator' WHERE user_id = ?", user_id)
    db.run("DELETE FROM sessions WHERE user_id = ?", user_id)
  }
  return user_id
}

/** A user for an invited person, until an invitation is accepted. */
const addGuest = (db: SqliteConnection, email: string, name: string | null, newUserId: UserId, now: Date) => {
  if (db.get("SELECT 1 FROM invitations WHERE email = ? AND expires_at > ?", email, now) === undefined) return undefined
  insertUser(db, {
    user_id: newUserId,
    account_id: null,
    email,
    email_proof: "openid",
    name: name ?? email,
    created_at: now
  })
  return newUserId
}

/** The oldest user without an identity for whose e-mail the operator vouches. */
const takeVouchedFor = (db: SqliteConnection, email: string): UserId | undefined =>
  db.get<{ readonly user_id: UserId }>(
    `UPDATE users SET email_proof = 'openid' WHERE user_id = (
      SELECT user_id FROM users WHERE email = ? AND email_proof = 'operator' ORDER BY user_id LIMIT 1)
      RETURNING user_id`,
    email
  )?.user_id

const addOwner = (db: SqliteConnection, { account, owner, personal }: OwnedAccount, email: string) => {
  workspaceWrites.createAccount(db, account, personal, owner)
  return takeVouchedFor(db, email)
}

/** The user of an identity on its first sign-in. */
const linkIdentity = (
  db: SqliteConnection,
  { email, issuer, name, subject }: Identity,
  { account, newUserId }: IdentityOptions,
  now: Date
): UserId | undefined => {
  if (email === null) return undefined
  const user = takeVouchedFor(db, email) ??
    (account === null ? addGuest(db, email, name, newUserId, now) : addOwner(db, account, email))
  if (user === undefined) return undefined
  db.insertRow("identities", { issuer, subject, user_id: user })
  db.run("DELETE FROM sessions WHERE user_id = ?", user)
  return user
}

const openSession = (
  db: SqliteConnection,
  userId: UserId | undefined,
  session: Session,
  hash: string,
  maximum: number
): User | null => {
  const user = userId === undefined ? undefined : findUser(db, userId)
  if (user === undefined) return null
  db.insertRow("sessions", {
    session_id: session.session_id,
    user_id: user.user_id,
    hash,
    created_at: session.created_at,
    last_seen_at: session.last_seen_at,
    expires_at: session.expires_at,
    user_agent: session.user_agent,
    address: session.address
  })
  db.run(
    `DELETE FROM sessions WHERE session_id IN (
      SELECT session_id FROM sessions WHERE user_id = ? ORDER BY session_id DESC LIMIT -1 OFFSET ?)`,
    user.user_id,
    maximum
  )
  return toUser(user)
}

export const sessionWrites = {
  signIn: (
    db: SqliteConnection,
    link: string,
    session: Session,
    hash: string,
    { maximum, newUserId }: Options
  ): User | null => {
    const row = db.get<{ readonly subject: UserId & InvitationId }>(
      "UPDATE sign_in_links SET expires_at = 0 WHERE hash = ? AND expires_at > ? RETURNING subject",
      link,
      session.created_at
    )
    if (row === undefined) return null
    const { subject } = row
    const known = findUser(db, subject)
    const user = known === undefined
      ? acceptInvitation(
        db,
        db.get("SELECT * FROM invitations WHERE invitation_id = ?", subject),
        newUserId,
        session.created_at
      )
      : vouch(db, known)
    return openSession(db, user, session, hash, maximum)
  },

  signInAs: (
    db: SqliteConnection,
    identity: Identity,
    session: Session,
    hash: string,
    options: IdentityOptions
  ): User | null => {
    const { issuer, subject } = identity
    const known = db.get<{ readonly user_id: UserId }>(
      "SELECT user_id FROM identities WHERE issuer = ? AND subject = ?",
      issuer,
      subject
    )
    const user = known === undefined ? linkIdentity(db, identity, options, session.created_at) : known.user_id
    return openSession(db, user, session, hash, options.maximum)
  },

  noteSeen: (db: SqliteConnection, sessionId: SessionId, now: Date): void => {
    db.run("UPDATE sessions SET last_seen_at = ? WHERE session_id = ?", now, sessionId)
  },

  endSessions: (db: SqliteConnection, userId: UserId, sessionId: SessionId | null): number =>
    db.run("DELETE FROM sessions WHERE user_id = ?1 AND (?2 IS NULL OR session_id = ?2)", userId, sessionId),

  pruneSessions: (db: SqliteConnection, { now, seenAfter }: Moment): void => {
    db.run("DELETE FROM sessions WHERE expires_at <= ? OR last_seen_at <= ?", now, seenAfter)
  }
}
