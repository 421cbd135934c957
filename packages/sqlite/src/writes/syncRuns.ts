/** Writes of syncs that have ended. */
import type { WorkspaceId } from "@tributary/core/model/Id"
import type { SyncRun } from "@tributary/core/model/SyncRun"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import { isOpen } from "../internal/isOpen.ts"

export const syncRunWrites = {
  appendSyncRun: (db: SqliteConnection, workspaceId: WorkspaceId, run: SyncRun, kept: number): void => {
    if (!isOpen(db, workspaceId)) return
    const added = db.run(
      `INSERT INTO sync_runs (workspace_id, connection_id, resource, run_id, status, started_at, ended_at,
          items_ingested, items_deleted, deletions_held, left_out, error, next_attempt_at)
        SELECT workspace_id, connection_id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM connections
        WHERE workspace_id = ? AND connection_id = ? ON CONFLICT DO NOTHING`,
      run.resource,
      run.run_id,
      run.status,
      run.started_at,
      run.ended_at,
      run.items_ingested,
      run.items_deleted,
      run.deletions_held,
      JSON.stringify(run.left_out),
      run.error,
      run.next_attempt_at,
      workspaceId,
      run.connection_id
    )
    // The connection is of another workspace, or gone; or the run is stored.
    if (added === 0) return
    db.run(
      `DELETE FROM sync_runs WHERE rowid IN (
        SELECT rowid FROM sync_runs WHERE connection_id = ? AND resource = ? ORDER BY run_id DESC LIMIT -1 OFFSET ?)`,
      run.connection_id,
      run.resource,
      kept
    )
  }
}
