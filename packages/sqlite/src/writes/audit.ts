/** Writes of the audit log. */
import type { AuditRecord } from "@tributary/core/model/AuditEntry"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"

export const auditWrites = {
  appendAudit: (db: SqliteConnection, entry: AuditRecord): void => {
    db.run(
      `INSERT INTO audit_log (entry_id, account_id, workspace_id, action, actor, subject, details, address, created_at)
        SELECT ?, account_id, ?, ?, ?, ?, ?, ?, ? FROM accounts WHERE account_id = ?`,
      entry.entry_id,
      entry.workspace_id,
      entry.action,
      JSON.stringify(entry.actor),
      entry.subject,
      JSON.stringify(entry.details),
      entry.address,
      entry.created_at,
      entry.account_id
    )
  },

  pruneAudit: (db: SqliteConnection, before: Date, limit: number): number =>
    db.run(
      "DELETE FROM audit_log WHERE rowid IN (SELECT rowid FROM audit_log WHERE created_at < ? LIMIT ?)",
      before,
      limit
    )
}
