/**
 * Cursors get a separate column, so that reading the progress of a sync does not read them. If the column is null, the
 * cursor is still in the state, where the previous release writes it; otherwise it is JSON. The next sync may be queued
 * as soon as the previous one has its result: that job has not ended yet, and keeps its turn.
 */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
  `ALTER TABLE ${schema}.sync_states ADD COLUMN cursor text`,

  `CREATE FUNCTION ${schema}.save_sync(p_workspace uuid, p_connection uuid, p_resource text, p_holder uuid, p_job uuid,
    p_due_at timestamptz, p_is_live boolean, p_state text, p_cursor text, p_follow jsonb) RETURNS boolean
  LANGUAGE plpgsql AS $$
  DECLARE
    v_held uuid;
    v_is_live boolean;
  BEGIN
    SELECT s.job_id, s.is_live INTO v_held, v_is_live FROM ${schema}.sync_states s
      JOIN ${schema}.workspaces w ON w.workspace_id = s.workspace_id
      WHERE s.connection_id = p_connection AND s.resource = p_resource AND s.workspace_id = p_workspace
      FOR UPDATE OF s;
    IF NOT FOUND OR v_held IS DISTINCT FROM p_holder THEN
      RETURN false;
    END IF;
    IF p_follow IS NOT NULL THEN
      IF v_is_live
        AND EXISTS (SELECT FROM ${schema}.jobs j WHERE j.job_id = p_holder AND j.status IN ('queued', 'running')) THEN
        RETURN false;
      END IF;
      PERFORM ${schema}.enqueue(p_follow, NULL);
    END IF;
    UPDATE ${schema}.sync_states
      SET job_id = p_job, due_at = p_due_at, is_live = p_is_live, state = p_state, cursor = p_cursor
      WHERE connection_id = p_connection AND resource = p_resource;
    RETURN true;
  END $$`,

  `CREATE OR REPLACE FUNCTION ${schema}.save_sync_state(p_workspace uuid, p_connection uuid, p_resource text,
    p_holder uuid, p_job uuid, p_due_at timestamptz, p_is_live boolean, p_state text, p_follow jsonb) RETURNS boolean
  LANGUAGE sql AS $$
    SELECT ${schema}.save_sync(p_workspace, p_connection, p_resource, p_holder, p_job, p_due_at, p_is_live, p_state,
      NULL, p_follow)
  $$`
]

export const syncCursors: Migration = { name: "sync_cursors", oldestCompatible: 1, statements }
