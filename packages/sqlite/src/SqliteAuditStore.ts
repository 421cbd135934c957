/** Audit logs in SQLite. */
import type { AuditEntry } from "@tributary/core/model/AuditEntry"
import { AuditStore } from "@tributary/core/ports/AuditStore"
import { Effect, Layer } from "effect"
import { Database } from "./internal/Database.ts"
import type { Columns } from "./internal/rows.ts"

const toEntry = (row: Columns<AuditEntry, "actor" | "details">): AuditEntry => ({
  ...row,
  actor: JSON.parse(row.actor),
  details: JSON.parse(row.details),
  created_at: new Date(row.created_at)
})

const PRUNED_AT_ONCE = 5_000

export const layer = Layer.effect(
  AuditStore,
  Effect.gen(function*() {
    const { read, write } = yield* Database

    return AuditStore.of({
      append: (entry) => write("appendAudit", entry),

      list: (accountId, { after, limit, workspaceId }) =>
        read((db) =>
          db.all<Columns<AuditEntry, "actor" | "details">>(
            `SELECT entry_id, action, actor, workspace_id, subject, details, address, created_at FROM audit_log
              WHERE account_id = ?1 AND ${workspaceId === null ? "?2 IS NULL" : "workspace_id = ?2"}
                ${after === null ? "AND ?3 IS NULL" : "AND entry_id < ?3"} ORDER BY entry_id DESC LIMIT ?4`,
            accountId,
            workspaceId,
            after,
            limit
          ).map(toEntry)
        ),

      prune: (before) =>
        Effect.asVoid(
          Effect.repeat(write("pruneAudit", before, PRUNED_AT_ONCE), { while: (pruned) => pruned === PRUNED_AT_ONCE })
        )
    })
  })
)
