/** Deletes what a closed workspace leaves behind, step by step. */
import type { WorkspaceId } from "@tributary/core/model/Id"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import { isOpen } from "../internal/isOpen.ts"

/** Tables with rows of a closed workspace, and how many of them one step deletes. */
const ERASED: ReadonlyArray<readonly [table: string, key: string, step: number, only?: string]> = [
  ["tombstones", "document_id", 5_000],
  ["events", "rowid", 5_000],
  ["snapshots", "rowid", 10],
  ["segments", "rowid", 50],
  ["rate_windows", "operation", 100],
  ["source_deletions", "external_id", 5_000],
  ["sync_states", "rowid", 1_000],
  ["sync_runs", "rowid", 1_000],
  ["connections", "connection_id", 1_000],
  ["connectors", "connector_id", 1_000],
  ["webhook_deliveries", "rowid", 1_000],
  ["webhooks", "webhook_id", 1_000],
  ["api_keys", "key_id", 1_000],
  ["questions", "question_id", 1_000],
  ["usage_counts", "rowid", 5_000],
  ["usage_days", "day", 100],
  ["jobs", "job_id", 1_000, "status <> 'running'"]
]

const DOCUMENTS_PER_STEP = 500

export const eraseWrites = {
  /** One step; true while rows may be left. */
  erase: (db: SqliteConnection, workspaceId: WorkspaceId): boolean => {
    if (isOpen(db, workspaceId)) return false
    const documents = db.all<{ readonly id: number }>(
      "SELECT id FROM documents WHERE workspace_id = ? LIMIT ?",
      workspaceId,
      DOCUMENTS_PER_STEP
    )
    for (const { id } of documents) {
      db.run("DELETE FROM chunks WHERE document = ?", id)
      db.run("DELETE FROM payloads WHERE document = ?", id)
      db.run("DELETE FROM documents WHERE id = ?", id)
    }
    if (documents.length === DOCUMENTS_PER_STEP) return true
    return ERASED.some(([table, key, step, only = "true"]) =>
      db.run(
        `DELETE FROM ${table} WHERE workspace_id = ?1 AND ${key} IN (
          SELECT ${key} FROM ${table} WHERE workspace_id = ?1 AND ${only} LIMIT ?2)`,
        workspaceId,
        step
      ) >= step
    )
  }
}
