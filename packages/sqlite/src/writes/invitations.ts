/** Writes of invitations and sign-in links. */
import type { LinkSubject } from "@tributary/core/ports/PeopleStore"
import type { InvitationId, UserId, WorkspaceId } from "@tributary/core/model/Id"
import type { Invitation, User } from "@tributary/core/model/Person"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import { INVITATION, type InvitationColumns, toInvitation } from "../internal/rows.ts"
import { insertUser, userByEmail } from "./users.ts"

const dropInvitation = (db: SqliteConnection, invitationId: InvitationId): void => {
  db.run("DELETE FROM sign_in_links WHERE subject = ?", invitationId)
  db.run("DELETE FROM invitations WHERE invitation_id = ?", invitationId)
}

type InvitationRow = InvitationColumns & Pick<User, "account_id"> & { readonly workspace_id: WorkspaceId }

/** Undefined when the invitation has expired, or when the e-mail belongs to a user by now. */
export const acceptInvitation = (
  db: SqliteConnection,
  row: InvitationRow | undefined,
  newUserId: UserId,
  now: Date
): UserId | undefined => {
  if (row === undefined || row.expires_at <= now.getTime()) return undefined
  const { account_id, email, invitation_id, role, workspace_id } = row
  dropInvitation(db, invitation_id)
  if (userByEmail(db, account_id, email) !== undefined) return undefined
  insertUser(db, { user_id: newUserId, account_id, email, name: email, created_at: now })
  db.run(
    "INSERT INTO members (workspace_id, user_id, role, joined_at) VALUES (?, ?, ?, ?)",
    workspace_id,
    newUserId,
    role,
    now
  )
  return newUserId
}

export const invitationWrites = {
  invite: (db: SqliteConnection, workspaceId: WorkspaceId, invitation: Invitation, maximum: number) => {
    const { created_at, created_by, email, expires_at, invitation_id, role } = invitation
    const account = db.get<Pick<User, "account_id">>(
      "SELECT account_id FROM workspaces WHERE workspace_id = ?",
      workspaceId
    )
    if (account === undefined) return "full" as const
    const user = userByEmail(db, account.account_id, email)
    if (user !== undefined) {
      const joined = db.run(
        "INSERT INTO members (workspace_id, user_id, role, joined_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        workspaceId,
        user.user_id,
        role,
        created_at
      )
      return joined === 1 ? "joined" as const : "present" as const
    }
    const { open } = db.get<{ readonly open: number }>(
      "SELECT count(*) AS open FROM invitations WHERE workspace_id = ? AND email <> ? AND expires_at > ?",
      workspaceId,
      email,
      created_at
    )!
    if (open >= maximum) return "full" as const
    const earlier = db.get<{ readonly invitation_id: InvitationId }>(
      "SELECT invitation_id FROM invitations WHERE workspace_id = ? AND email = ?",
      workspaceId,
      email
    )
    if (earlier !== undefined) dropInvitation(db, earlier.invitation_id)
    db.run(
      `INSERT INTO invitations (workspace_id, account_id, ${INVITATION}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      workspaceId,
      account.account_id,
      invitation_id,
      email,
      role,
      created_at,
      JSON.stringify(created_by),
      expires_at
    )
    return "invited" as const
  },

  revokeInvitation: (db: SqliteConnection, workspaceId: WorkspaceId, invitationId: InvitationId): Invitation | null => {
    const row = db.get<InvitationColumns>(
      `SELECT ${INVITATION} FROM invitations WHERE workspace_id = ? AND invitation_id = ?`,
      workspaceId,
      invitationId
    )
    if (row === undefined) return null
    dropInvitation(db, invitationId)
    return toInvitation(row)
  },

  addLink: (db: SqliteConnection, hash: string, subject: LinkSubject, expiresAt: Date): void => {
    const id = "user_id" in subject ? subject.user_id : subject.invitation_id
    db.run(
      `INSERT INTO sign_in_links (hash, subject, expires_at) SELECT ?2, ?1, ?3
        WHERE EXISTS (SELECT 1 FROM users WHERE user_id = ?1) OR EXISTS (
          SELECT 1 FROM invitations WHERE invitation_id = ?1)
        ON CONFLICT (subject) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at`,
      id,
      hash,
      expiresAt
    )
  },

  prunePeople: (db: SqliteConnection, now: Date): void => {
    db.run("DELETE FROM sign_in_links WHERE expires_at <= ?", now)
    db.run("DELETE FROM invitations WHERE expires_at <= ?", now)
  }
}
