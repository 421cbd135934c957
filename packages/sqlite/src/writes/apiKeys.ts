/** Writes of API keys and of their daily request counts. */
import type { Day, KeyTraffic } from "@tributary/core/model/ApiKey"
import type { ApiKeyId, WorkspaceId } from "@tributary/core/model/Id"
import type { MadeKey } from "../rows/madeKey.ts"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import { isOpen } from "../internal/isOpen.ts"
import { type KeyColumns, toKey } from "../rows/keyRows.ts"
import { toWorkspace, WORKSPACE, type WorkspaceColumns } from "../rows/workspaceRows.ts"

const isValid = (db: SqliteConnection, keyId: string, now: Date): boolean =>
  db.get(
    "SELECT 1 FROM api_keys WHERE key_id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)",
    keyId,
    now
  ) !== undefined

/** Whether the key that made this one is valid, if a key did. */
export const mayBeMade = (db: SqliteConnection, { key, maker }: MadeKey): boolean =>
  maker === null || isValid(db, maker, key.created_at)

export const putKey = (db: SqliteConnection, workspaceId: WorkspaceId, { hash, key, maker }: MadeKey): void => {
  db.insertRow("api_keys", {
    key_id: key.key_id,
    workspace_id: workspaceId,
    hash,
    name: key.name,
    hint: key.hint,
    scopes: JSON.stringify(key.scopes),
    created_at: key.created_at,
    created_by: JSON.stringify(key.created_by),
    last_used_at: key.last_used_at,
    expires_at: key.expires_at,
    revoked_at: key.revoked_at,
    made_by: maker
  })
}

/** Revokes the keys that a key made, and those that they made. */
export const revokeMade = (db: SqliteConnection, keyId: ApiKeyId, now: Date): void => {
  db.run(
    `WITH RECURSIVE made (key_id) AS (
        SELECT key_id FROM api_keys WHERE made_by = ?1
        UNION SELECT k.key_id FROM made n JOIN api_keys k ON k.made_by = n.key_id
      ) UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?2) WHERE key_id IN (SELECT key_id FROM made)`,
    keyId,
    now
  )
}

export const apiKeyWrites = {
  insertKey: (db: SqliteConnection, workspaceId: WorkspaceId, stored: MadeKey): boolean => {
    if (!isOpen(db, workspaceId) || !mayBeMade(db, stored)) return false
    putKey(db, workspaceId, stored)
    return true
  },

  noteKeyUse: (db: SqliteConnection, keyId: ApiKeyId, now: Date): void => {
    db.run("UPDATE api_keys SET last_used_at = ? WHERE key_id = ?", now, keyId)
  },

  revokeKey: (db: SqliteConnection, keyId: ApiKeyId, within: WorkspaceId | null, now: Date) => {
    const row = db.get<KeyColumns & { readonly workspace_id: WorkspaceId }>(
      `UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?3)
        WHERE key_id = ?1 AND (?2 IS NULL OR workspace_id = ?2) RETURNING *`,
      keyId,
      within,
      now
    )
    if (row === undefined) return null
    revokeMade(db, keyId, now)
    const workspace = db.get<WorkspaceColumns>(
      `SELECT ${WORKSPACE} FROM workspaces w WHERE w.workspace_id = ?`,
      row.workspace_id
    )
    return workspace === undefined ? null : { key: toKey(row), workspace: toWorkspace(workspace) }
  },

  countRequests: (db: SqliteConnection, counts: ReadonlyArray<KeyTraffic>): void => {
    for (const { day, key_id, requests } of counts) {
      db.run(
        `INSERT INTO key_traffic (key_id, day, requests) SELECT key_id, ?, ? FROM api_keys WHERE key_id = ?
          ON CONFLICT DO UPDATE SET requests = requests + excluded.requests`,
        day,
        requests,
        key_id
      )
    }
  },

  pruneTraffic: (db: SqliteConnection, day: Day): void => {
    db.run("DELETE FROM key_traffic WHERE day < ?", day)
  }
}
