/** Writes of sessions. */
import type { InvitationId, SessionId, UserId } from "@tributary/core/model/Id"
import type { User } from "@tributary/core/model/Person"
import type { Session } from "@tributary/core/model/Session"
import type { Identity } from "@tributary/core/ports/IdentityProvider"
import type { Moment } from "@tributary/core/ports/SessionStore"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import { toUser } from "../internal/rows.ts"
import { acceptInvitation } from "./invitations.ts"
import { findUser } from "./users.ts"

/** The user who takes up the identity on its first sign-in. */
const takenUp = (db: SqliteConnection, email: string, newUserId: UserId, now: Date): UserId | undefined =>
  db.get<{ readonly user_id: UserId }>(
    `SELECT user_id FROM users u WHERE email = ?
      AND NOT EXISTS (SELECT 1 FROM identities i WHERE i.user_id = u.user_id) ORDER BY user_id LIMIT 1`,
    email
  )?.user_id ?? acceptInvitation(
    db,
    db.get("SELECT * FROM invitations WHERE email = ? AND expires_at > ? ORDER BY invitation_id LIMIT 1", email, now),
    newUserId,
    now
  )

const openSession = (
  db: SqliteConnection,
  userId: UserId | undefined,
  session: Session,
  hash: string,
  maximum: number
): User | null => {
  const user = userId === undefined ? undefined : findUser(db, userId)
  if (user === undefined) return null
  db.run(
    `INSERT INTO sessions (session_id, user_id, hash, created_at, last_seen_at, expires_at, user_agent, address)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    session.session_id,
    user.user_id,
    hash,
    session.created_at,
    session.last_seen_at,
    session.expires_at,
    session.user_agent,
    session.address
  )
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
    { maximum, newUserId }: { readonly newUserId: UserId; readonly maximum: number }
  ): User | null => {
    const row = db.get<{ readonly subject: UserId & InvitationId }>(
      "DELETE FROM sign_in_links WHERE hash = ? AND expires_at > ? RETURNING subject",
      link,
      session.created_at
    )
    if (row === undefined) return null
    const { subject } = row
    const user = findUser(db, subject)?.user_id ?? acceptInvitation(
      db,
      db.get("SELECT * FROM invitations WHERE invitation_id = ?", subject),
      newUserId,
      session.created_at
    )
    return openSession(db, user, session, hash, maximum)
  },

  signInAs: (
    db: SqliteConnection,
    { email, issuer, subject }: Identity,
    session: Session,
    hash: string,
    { maximum, newUserId }: { readonly newUserId: UserId; readonly maximum: number }
  ): User | null => {
    const known = db.get<{ readonly user_id: UserId }>(
      "SELECT user_id FROM identities WHERE issuer = ? AND subject = ?",
      issuer,
      subject
    )
    if (known !== undefined || email === null) return openSession(db, known?.user_id, session, hash, maximum)
    const user = takenUp(db, email, newUserId, session.created_at)
    if (user !== undefined) {
      db.run("INSERT INTO identities (issuer, subject, user_id) VALUES (?, ?, ?)", issuer, subject, user)
      db.run("DELETE FROM sessions WHERE user_id = ?", user)
    }
    return openSession(db, user, session, hash, maximum)
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
