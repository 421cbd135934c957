/** Writes of invitations and sign-in links. */
import type { Invited, LinkSubject } from "@tributary/core/ports/PeopleStore"
import type { InvitationId, UserId, WorkspaceId } from "@tributary/core/model/Id"
import type { Invitation, Membership, User } from "@tributary/core/model/Person"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import {
  INVITATION,
  type InvitationColumns,
  type InvitedColumns,
  SELECT_INVITED,
  toInvitation,
  toInvited
} from "../rows/invitationRows.ts"
import type { UserColumns } from "../rows/userRows.ts"
import { deleteOrphanedUser, findMembership, findUser, insertUser, provenUser } from "./users.ts"

const dropInvitation = (db: SqliteConnection, invitationId: InvitationId): void => {
  db.run("DELETE FROM sign_in_links WHERE subject = ?", invitationId)
  db.run("DELETE FROM invitations WHERE invitation_id = ?", invitationId)
}

type InvitationRow = InvitationColumns & Pick<User, "account_id"> & { readonly workspace_id: WorkspaceId }

const addMember = (db: SqliteConnection, { role, workspace_id }: InvitationRow, userId: UserId, now: Date): void => {
  db.run(
    "INSERT INTO members (workspace_id, user_id, role, joined_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    workspace_id,
    userId,
    role,
    now
  )
}

/** The user whom the invitation makes, who has proven nothing. Undefined when it has expired. */
export const acceptInvitation = (
  db: SqliteConnection,
  row: InvitationRow | undefined,
  newUserId: UserId,
  now: Date
): UserId | undefined => {
  if (row === undefined || row.expires_at <= now.getTime()) return undefined
  const { account_id, email, invitation_id } = row
  dropInvitation(db, invitation_id)
  insertUser(db, { user_id: newUserId, account_id, email, email_proof: "none", name: email, created_at: now })
  addMember(db, row, newUserId, now)
  return newUserId
}

/** The open invitation of the e-mail that the user has proven. */
const addressed = (db: SqliteConnection, { email, email_proof }: UserColumns, invitationId: InvitationId, now: Date) =>
  email_proof === "none"
    ? undefined
    : db.get<InvitationRow>(
      "SELECT * FROM invitations WHERE invitation_id = ? AND email = ? AND expires_at > ?",
      invitationId,
      email,
      now
    )

const linked = (db: SqliteConnection, hash: string, now: Date) =>
  db.get<InvitationRow>(
    `SELECT i.* FROM sign_in_links l JOIN invitations i ON i.invitation_id = l.subject
      WHERE l.hash = ?1 AND l.expires_at > ?2 AND i.expires_at > ?2`,
    hash,
    now
  )

/** Deletes a guest without an invitation. */
const dropGuest = (db: SqliteConnection, userId: UserId): void => {
  const waits = db.get(
    `SELECT 1 FROM users u WHERE u.user_id = ? AND (u.account_id IS NOT NULL
      OR EXISTS (SELECT 1 FROM invitations i WHERE i.email = u.email))`,
    userId
  )
  if (waits === undefined) deleteOrphanedUser(db, userId)
}

export const invitationWrites = {
  invite: (db: SqliteConnection, workspaceId: WorkspaceId, invitation: Invitation, maximum: number) => {
    const { created_at, created_by, email, expires_at, invitation_id, role } = invitation
    const account = db.get<Pick<User, "account_id">>(
      "SELECT account_id FROM workspaces WHERE workspace_id = ?",
      workspaceId
    )
    if (account === undefined) return "full" as const
    const member = db.get(
      `SELECT 1 FROM users u JOIN members m ON m.user_id = u.user_id
        WHERE u.email = ? AND u.email_proof <> 'none' AND m.workspace_id = ?`,
      email,
      workspaceId
    )
    if (member !== undefined) return "present" as const
    const user = provenUser(db, account.account_id, email)
    if (user !== undefined) {
      const { user_id } = user
      db.insertRow("members", { workspace_id: workspaceId, user_id, role, joined_at: created_at })
      return "joined" as const
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
    db.insertRow("invitations", {
      workspace_id: workspaceId,
      account_id: account.account_id,
      invitation_id,
      email,
      role,
      created_at,
      created_by: JSON.stringify(created_by),
      expires_at
    })
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

  join: (
    db: SqliteConnection,
    userId: UserId,
    by: { readonly link: string } | { readonly invitation_id: InvitationId },
    now: Date
  ): Membership | null => {
    const user = findUser(db, userId)
    if (user === undefined) return null
    const row = "link" in by ? linked(db, by.link, now) : addressed(db, user, by.invitation_id, now)
    if (row === undefined) return null
    dropInvitation(db, row.invitation_id)
    addMember(db, row, userId, now)
    if (user.account_id === null && provenUser(db, row.account_id, user.email) === undefined) {
      db.run("UPDATE users SET account_id = ? WHERE user_id = ?", row.account_id, userId)
    }
    return findMembership(db, userId, row.workspace_id)
  },

  decline: (db: SqliteConnection, userId: UserId, invitationId: InvitationId): Invited | null => {
    const user = findUser(db, userId)
    if (user === undefined || addressed(db, user, invitationId, new Date(0)) === undefined) return null
    const row = db.get<InvitedColumns>(`${SELECT_INVITED} WHERE i.invitation_id = ?`, invitationId)
    dropInvitation(db, invitationId)
    dropGuest(db, userId)
    return row === undefined ? null : toInvited(row)
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
    const expired = "SELECT invitation_id FROM invitations WHERE expires_at <= ?1"
    db.run(`DELETE FROM sign_in_links WHERE expires_at <= ?1 OR subject IN (${expired})`, now)
    db.run("DELETE FROM invitations WHERE expires_at <= ?", now)
    const guests = db.all<{ readonly user_id: UserId }>("SELECT user_id FROM users WHERE account_id IS NULL")
    for (const { user_id } of guests) dropGuest(db, user_id)
  }
}
