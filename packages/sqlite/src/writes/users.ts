/** Rows of users, shared by the writes of people, invitations and sessions. */
import type { UserId, WorkspaceId } from "@tributary/core/model/Id"
import type { Membership, User } from "@tributary/core/model/Person"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import { type MembershipColumns, SELECT_MEMBERSHIP, toMembership } from "../rows/membershipRows.ts"
import { USER, type UserColumns } from "../rows/userRows.ts"

/** Deletes the user unless a workspace has them as a member. */
export const deleteOrphanedUser = (db: SqliteConnection, userId: UserId): void => {
  if (db.get("SELECT 1 FROM members WHERE user_id = ?", userId) !== undefined) return
  db.run("DELETE FROM users WHERE user_id = ?", userId)
  db.run("DELETE FROM identities WHERE user_id = ?", userId)
  db.run("DELETE FROM sessions WHERE user_id = ?", userId)
  db.run("DELETE FROM sign_in_links WHERE subject = ?", userId)
}

export const findUser = (db: SqliteConnection, userId: UserId): UserColumns | undefined =>
  db.get(`SELECT ${USER} FROM users u WHERE u.user_id = ?`, userId)

/** The user of the account who has proven the e-mail. */
export const provenUser = (
  db: SqliteConnection,
  accountId: string | null,
  email: string | null
): UserColumns | undefined =>
  db.get(
    `SELECT ${USER} FROM users u WHERE u.account_id = ? AND u.email = ? AND u.email_proof <> 'none'`,
    accountId,
    email
  )

export const insertUser = (db: SqliteConnection, user: User): void => {
  const { account_id, created_at, email, email_proof, name, user_id } = user
  db.insertRow("users", { user_id, account_id, email, email_proof, name, created_at })
}

export const findMembership = (db: SqliteConnection, userId: UserId, workspaceId: WorkspaceId): Membership | null => {
  const row = db.get<MembershipColumns>(
    `${SELECT_MEMBERSHIP} WHERE m.user_id = ? AND m.workspace_id = ?`,
    userId,
    workspaceId
  )
  return row === undefined ? null : toMembership(row)
}
