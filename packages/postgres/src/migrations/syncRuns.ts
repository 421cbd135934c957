/** Syncs that have ended; they go with their connection. */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
  `CREATE TABLE ${schema}.sync_runs (
    workspace_id uuid NOT NULL,
    connection_id uuid NOT NULL,
    resource text COLLATE "C" NOT NULL,
    run_id uuid NOT NULL,
    status text NOT NULL,
    started_at timestamptz NOT NULL,
    ended_at timestamptz NOT NULL,
    items_ingested integer NOT NULL,
    items_deleted integer NOT NULL,
    deletions_held integer NOT NULL,
    left_out text NOT NULL,
    error text,
    next_attempt_at timestamptz,
    PRIMARY KEY (connection_id, resource, run_id)
  )`,
  `CREATE INDEX sync_runs_by_connection ON ${schema}.sync_runs (connection_id, run_id)`,
  `CREATE INDEX sync_runs_by_workspace ON ${schema}.sync_runs (workspace_id)`,

  // Waits for what is being admitted: once it has answered, nothing more comes in.
  `CREATE OR REPLACE FUNCTION ${schema}.remove_connection(p_workspace uuid, p_connection uuid) RETURNS boolean
  LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  BEGIN
    PERFORM FROM ${schema}.counters WHERE workspace_id = p_workspace FOR UPDATE;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
    DELETE FROM ${schema}.connections WHERE connection_id = p_connection AND workspace_id = p_workspace;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
    DELETE FROM ${schema}.sync_states WHERE connection_id = p_connection;
    DELETE FROM ${schema}.sync_runs WHERE connection_id = p_connection;
    DELETE FROM ${schema}.source_deletions WHERE connection_id = p_connection;
    UPDATE ${schema}.connectors SET is_active = false
      WHERE workspace_id = p_workspace AND connector_id = p_connection;
    RETURN true;
  END $$`
]

export const syncRuns: Migration = { name: "sync_runs", oldestCompatible: 1, statements }
