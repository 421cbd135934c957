/** Writes of accounts and workspaces. */
import type { AccountId, ApiKeyId, UserId, WorkspaceId } from "@tributary/core/model/Id"
import type { User } from "@tributary/core/model/Person"
import type { WorkspacePatch, WorkspaceRecord } from "@tributary/core/model/Workspace"
import type { NewJob } from "@tributary/core/ports/JobStore"
import type { AccountRecord } from "@tributary/core/ports/WorkspaceStore"
import { isOpen } from "../internal/isOpen.ts"
import type { MadeKey } from "../rows/madeKey.ts"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import { changedColumns } from "../internal/changedColumns.ts"
import { toWorkspace, WORKSPACE, type WorkspaceColumns } from "../rows/workspaceRows.ts"
import { mayBeMade, putKey, revokeMade } from "./apiKeys.ts"
import { cancelJobs, enqueue } from "./jobs.ts"
import { deleteOrphanedUser, insertUser } from "./users.ts"

const open = (db: SqliteConnection, workspace: WorkspaceRecord): void => {
  const { account_id, created_at, grandfathered, kind, name, overrides, suspended, tier, workspace_id } = workspace
  db.insertRow("workspaces", {
    workspace_id,
    account_id,
    name,
    kind,
    tier,
    created_at,
    grandfathered,
    suspended,
    overrides: JSON.stringify(overrides)
  })
  db.insertRow("counters", { workspace_id })
  db.insertRow("knowledge", { workspace_id })
  db.run(
    `INSERT INTO members (workspace_id, user_id, role, joined_at)
      SELECT ?1, m.user_id, 'owner', ?2 FROM workspaces w JOIN members m ON m.workspace_id = w.workspace_id
      WHERE w.account_id = ?3 AND w.kind = 'personal' AND m.role = 'owner'`,
    workspace_id,
    created_at,
    account_id
  )
}

export const countShared = (db: SqliteConnection, accountId: AccountId): number =>
  db.get<{ readonly shared: number }>(
    "SELECT count(*) AS shared FROM workspaces WHERE account_id = ? AND kind = 'shared'",
    accountId
  )!.shared

/** Suspends what keys of the workspace made, and what theirs did, or lifts what was suspended with it. */
const suspendMade = (db: SqliteConnection, workspaceId: WorkspaceId, suspended: boolean): void => {
  db.run("UPDATE workspaces SET suspended_with = NULL WHERE workspace_id = ?", workspaceId)
  db.run(
    `WITH RECURSIVE made (workspace_id) AS (
        SELECT workspace_id FROM workspaces WHERE parent_id = ?1
        UNION SELECT w.workspace_id FROM made n JOIN workspaces w ON w.parent_id = n.workspace_id
      ) UPDATE workspaces SET suspended = ?2, suspended_with = iif(?2 = 1, ?1, NULL)
        WHERE workspace_id IN (SELECT workspace_id FROM made) AND iif(?2 = 1, suspended = 0, suspended_with = ?1)`,
    workspaceId,
    suspended
  )
}

export const workspaceWrites = {
  createAccount: (
    db: SqliteConnection,
    { account_id, created_at, email, name, tier }: AccountRecord,
    personal: WorkspaceRecord,
    owner?: User
  ): void => {
    db.insertRow("accounts", { account_id, name, email, tier, created_at })
    open(db, personal)
    if (owner === undefined) return
    insertUser(db, owner)
    const { workspace_id } = personal
    db.insertRow("members", { workspace_id, user_id: owner.user_id, role: "owner", joined_at: owner.created_at })
  },

  createShared: (
    db: SqliteConnection,
    workspace: WorkspaceRecord,
    allowance: number | null,
    parent: WorkspaceId | null,
    first?: MadeKey
  ): boolean => {
    if (db.get("SELECT 1 FROM accounts WHERE account_id = ?", workspace.account_id) === undefined) return false
    if (allowance !== null && countShared(db, workspace.account_id) >= allowance) return false
    if (first !== undefined && !mayBeMade(db, first)) return false
    open(db, workspace)
    if (first !== undefined) putKey(db, workspace.workspace_id, first)
    if (parent === null) return true
    db.run(
      `UPDATE workspaces AS w SET parent_id = p.workspace_id, suspended = max(w.suspended, p.suspended),
          suspended_with = iif(p.suspended = 1, coalesce(p.suspended_with, p.workspace_id), NULL)
        FROM workspaces p WHERE p.workspace_id = ?2 AND w.workspace_id = ?1`,
      workspace.workspace_id,
      parent
    )
    return true
  },

  updateWorkspace: (
    db: SqliteConnection,
    workspaceId: WorkspaceId,
    { grandfathered, limits, name, suspended, tier }: WorkspacePatch & { readonly name?: string }
  ): WorkspaceRecord | null => {
    const { names, values } = changedColumns({ name, tier, grandfathered, suspended })
    const row = db.get<WorkspaceColumns>(
      `UPDATE workspaces AS w SET overrides = w.overrides${names} WHERE workspace_id = ? RETURNING ${
        WORKSPACE.replaceAll("w.", "")
      }`,
      ...values,
      workspaceId
    )
    if (row === undefined) return null
    if (suspended !== undefined) suspendMade(db, workspaceId, suspended)
    const workspace = toWorkspace(row)
    if (limits === undefined) return workspace
    const overrides = limits === null ? {} : { ...workspace.overrides, ...limits }
    db.run("UPDATE workspaces SET overrides = ? WHERE workspace_id = ?", JSON.stringify(overrides), workspaceId)
    return { ...workspace, overrides }
  },

  closeWorkspace: (db: SqliteConnection, workspaceId: WorkspaceId, erase: NewJob): boolean => {
    if (!isOpen(db, workspaceId)) return false
    cancelJobs(db, workspaceId, erase.created_at, null)
    enqueue(db, erase, null)
    db.run("DELETE FROM workspaces WHERE workspace_id = ?", workspaceId)
    const members = db.all<{ readonly user_id: UserId }>(
      "SELECT user_id FROM members WHERE workspace_id = ?",
      workspaceId
    )
    db.run("DELETE FROM counters WHERE workspace_id = ?", workspaceId)
    db.run("DELETE FROM knowledge WHERE workspace_id = ?", workspaceId)
    const keys = db.all<{ readonly key_id: ApiKeyId }>(
      "SELECT key_id FROM api_keys WHERE workspace_id = ?",
      workspaceId
    )
    for (const { key_id } of keys) revokeMade(db, key_id, erase.created_at)
    db.run("DELETE FROM key_traffic WHERE key_id IN (SELECT key_id FROM api_keys WHERE workspace_id = ?)", workspaceId)
    db.run("DELETE FROM api_keys WHERE workspace_id = ?", workspaceId)
    db.run(
      "DELETE FROM sign_in_links WHERE subject IN (SELECT invitation_id FROM invitations WHERE workspace_id = ?)",
      workspaceId
    )
    db.run("DELETE FROM invitations WHERE workspace_id = ?", workspaceId)
    db.run("DELETE FROM members WHERE workspace_id = ?", workspaceId)
    for (const { user_id } of members) deleteOrphanedUser(db, user_id)
    return true
  },

  removeAccount: (db: SqliteConnection, accountId: AccountId): boolean => {
    if (db.run("DELETE FROM accounts WHERE account_id = ?", accountId) === 0) return false
    const users = db.all<{ readonly user_id: UserId }>("SELECT user_id FROM users WHERE account_id = ?", accountId)
    for (const { user_id } of users) {
      db.run("DELETE FROM members WHERE user_id = ?", user_id)
      deleteOrphanedUser(db, user_id)
    }
    db.run("DELETE FROM audit_log WHERE account_id = ?", accountId)
    return true
  }
}
