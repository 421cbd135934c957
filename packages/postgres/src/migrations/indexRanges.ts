/**
 * Every statement begins at a range of an index: also lists that are filtered, and also where statistics are missing or
 * old, or where one workspace has most of all rows.
 */
import type { Migration } from "./Migration.ts"

const indexes = (schema: string): ReadonlyArray<string> => [
  `CREATE INDEX events_by_origin ON ${schema}.events (workspace_id, source, kind, event_seq)`,
  `CREATE INDEX jobs_by_status ON ${schema}.jobs (workspace_id, queue, status, job_id)`,
  // The first of several by id begins the range.
  `CREATE INDEX users_of_email ON ${schema}.users (email, user_id)`,
  `DROP INDEX ${schema}.users_by_email`,
  `CREATE INDEX invitations_of_email ON ${schema}.invitations (email, invitation_id)`,
  `DROP INDEX ${schema}.invitations_by_email`
]

const functions = (schema: string): ReadonlyArray<string> => [
  `CREATE FUNCTION ${schema}.prune_events(p_before timestamptz, p_limit integer) RETURNS integer
  LANGUAGE plpgsql AS $$
  DECLARE
    v_pruned integer;
  BEGIN
    DELETE FROM ${schema}.events WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${schema}.events WHERE created_at < p_before LIMIT p_limit));
    GET DIAGNOSTICS v_pruned = ROW_COUNT;
    RETURN v_pruned;
  END $$`,

  // The connector is a range, and the order names it: the documents' own key yields no such order.
  `CREATE OR REPLACE FUNCTION ${schema}.remove_until(p_workspace uuid, p_connector uuid, p_first integer, p_until bigint,
    p_now timestamptz, p_follow jsonb) RETURNS TABLE (document_id text, external_id text)
  LANGUAGE plpgsql SET enable_bitmapscan = off SET enable_sort = off SET enable_incremental_sort = off AS $$
  DECLARE
    v_external text[];
  BEGIN
    -- What is chosen below cannot change until it is removed.
    PERFORM FROM ${schema}.counters c WHERE c.workspace_id = p_workspace FOR UPDATE;
    v_external := ARRAY(
      SELECT d.external_id FROM ${schema}.documents d
        WHERE (d.workspace_id, d.connector_id) >= (p_workspace, p_connector)
          AND (d.workspace_id, d.connector_id) <= (p_workspace, p_connector) AND d.change_seq <= p_until
        ORDER BY d.workspace_id, d.connector_id, d.document_id LIMIT p_first);
    RETURN QUERY SELECT * FROM ${schema}.remove(p_workspace, NULL, p_connector, v_external, NULL, p_now, p_follow);
  END $$`,

  `CREATE OR REPLACE FUNCTION ${schema}.cancel_jobs(p_workspace uuid, p_at timestamptz, p_queue text, p_key text)
  RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ${schema}.lock_jobs(p_workspace);
    IF p_queue IS NULL THEN
      UPDATE ${schema}.jobs SET status = 'cancelled', finished_at = p_at, lease = NULL, lease_until = NULL
        WHERE workspace_id = p_workspace AND status IN ('queued', 'running');
    ELSE
      UPDATE ${schema}.jobs SET status = 'cancelled', finished_at = p_at, lease = NULL, lease_until = NULL
        WHERE queue = p_queue AND key = p_key AND status = 'queued'
          AND workspace_id IS NOT DISTINCT FROM p_workspace;
      UPDATE ${schema}.jobs SET status = 'cancelled', finished_at = p_at, lease = NULL, lease_until = NULL
        WHERE queue = p_queue AND key = p_key AND status = 'running'
          AND workspace_id IS NOT DISTINCT FROM p_workspace;
    END IF;
  END $$`,

  // Uses the indexes of a table, whatever its statistics. The plan of the calling query does not change.
  `DO $$
  DECLARE
    v_function regprocedure;
  BEGIN
    FOR v_function IN
      SELECT p.oid FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_language l ON l.oid = p.prolang
        WHERE p.pronamespace = '${schema}'::regnamespace AND p.prorettype <> 'trigger'::regtype
          AND (l.lanname = 'plpgsql' OR p.proname = 'drop_unnamed')
    LOOP
      EXECUTE format('ALTER FUNCTION %s SET enable_seqscan = off', v_function);
      EXECUTE format('ALTER FUNCTION %s SET enable_hashjoin = off', v_function);
      EXECUTE format('ALTER FUNCTION %s SET enable_mergejoin = off', v_function);
    END LOOP;
  END $$`
]

const statements: Migration["statements"] = (schema) => [...indexes(schema), ...functions(schema)]

export const indexRanges: Migration = { name: "index_ranges", oldestCompatible: 1, statements }
