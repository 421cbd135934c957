/** Syncs that have ended. */
export const syncRuns = `
CREATE TABLE sync_runs (
  workspace_id TEXT NOT NULL, connection_id TEXT NOT NULL, resource TEXT NOT NULL, run_id TEXT NOT NULL,
  status TEXT NOT NULL, started_at INTEGER NOT NULL, ended_at INTEGER NOT NULL, items_ingested INTEGER NOT NULL,
  items_deleted INTEGER NOT NULL, deletions_held INTEGER NOT NULL, left_out TEXT NOT NULL, error TEXT,
  next_attempt_at INTEGER, UNIQUE (connection_id, resource, run_id)
) STRICT;
CREATE INDEX sync_runs_by_connection ON sync_runs (connection_id, run_id);
CREATE INDEX sync_runs_by_workspace ON sync_runs (workspace_id);
`
