/** Writes of users and their roles. */
import type { AccountId, UserId, WorkspaceId } from "@tributary/core/model/Id"
import type { Role, User } from "@tributary/core/model/Person"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import { toUser, USER, type UserColumns } from "../rows/userRows.ts"
import { deleteOrphanedUser, findUser, insertUser, provenUser } from "./users.ts"

const personalOf = (db: SqliteConnection, accountId: AccountId | null) =>
  db.get<{ readonly workspace_id: WorkspaceId }>(
    "SELECT workspace_id FROM workspaces WHERE account_id = ? AND kind = 'personal' ORDER BY workspace_id LIMIT 1",
    accountId
  )

export const peopleWrites = {
  owner: (db: SqliteConnection, candidate: User): User | null => {
    const { account_id, created_at, email, user_id } = candidate
    const personal = personalOf(db, account_id)
    if (personal === undefined) return null
    const present = db.get<UserColumns>(
      `SELECT ${USER} FROM members m JOIN users u ON u.user_id = m.user_id
        WHERE m.workspace_id = ? AND m.role = 'owner' ORDER BY m.user_id LIMIT 1`,
      personal.workspace_id
    )
    if (present !== undefined) return toUser(present)
    const isTaken = provenUser(db, account_id, email) !== undefined
    const user: User = isTaken ? { ...candidate, email: null, email_proof: "none" } : candidate
    insertUser(db, user)
    db.run(
      `INSERT INTO members (workspace_id, user_id, role, joined_at)
        SELECT workspace_id, ?, 'owner', ? FROM workspaces WHERE account_id = ?`,
      user_id,
      created_at,
      account_id
    )
    return user
  },

  setOwner: (db: SqliteConnection, wanted: User, at: Date): User | null => {
    const personal = personalOf(db, wanted.account_id)
    if (personal === undefined) return null
    const known = findUser(db, wanted.user_id) ?? provenUser(db, wanted.account_id, wanted.email)
    if (known === undefined) insertUser(db, wanted)
    const user = known === undefined ? wanted : toUser(known)
    db.run(
      `INSERT INTO members (workspace_id, user_id, role, joined_at)
        SELECT workspace_id, ?, 'owner', ? FROM workspaces WHERE account_id = ?
        ON CONFLICT (workspace_id, user_id) DO UPDATE SET role = 'owner'`,
      user.user_id,
      at,
      wanted.account_id
    )
    const others = db.all<{ readonly user_id: UserId }>(
      "DELETE FROM members WHERE workspace_id = ? AND user_id <> ? RETURNING user_id",
      personal.workspace_id,
      user.user_id
    )
    for (const { user_id } of others) deleteOrphanedUser(db, user_id)
    return user
  },

  updateUser: (
    db: SqliteConnection,
    userId: UserId,
    change: { readonly name?: string; readonly email?: string }
  ): User | null => {
    const [email, name] = [change.email ?? null, change.name ?? null]
    const row = db.get<UserColumns>(
      `UPDATE users AS u SET name = coalesce(?2, name), email = coalesce(?3, email),
          email_proof = iif(?3 IS NULL, email_proof, 'operator')
        WHERE user_id = ?1 AND (?3 IS NULL OR (email IS NULL AND NOT EXISTS (
          SELECT 1 FROM users o WHERE o.account_id = u.account_id AND o.email = ?3 AND o.email_proof <> 'none')))
        RETURNING user_id, account_id, email, email_proof, name, created_at`,
      userId,
      name,
      email
    )
    return row === undefined ? null : toUser(row)
  },

  setRole: (db: SqliteConnection, workspaceId: WorkspaceId, userId: UserId, role: Role | null) => {
    const part = db.get<{ readonly role: Role }>(
      "SELECT role FROM members WHERE workspace_id = ? AND user_id = ?",
      workspaceId,
      userId
    )
    if (part === undefined) return "absent" as const
    const other = db.get(
      "SELECT 1 FROM members WHERE workspace_id = ? AND role = 'owner' AND user_id <> ?",
      workspaceId,
      userId
    )
    if (part.role === "owner" && role !== "owner" && other === undefined) return "last_owner" as const
    if (role === null) {
      db.run("DELETE FROM members WHERE workspace_id = ? AND user_id = ?", workspaceId, userId)
      deleteOrphanedUser(db, userId)
    } else {
      db.run("UPDATE members SET role = ? WHERE workspace_id = ? AND user_id = ?", role, workspaceId, userId)
    }
    return "changed" as const
  }
}
