/**
 * Reads page after page as one range of the index that orders the list.
 *
 * Neither parameters nor statistics change the plan: sorting and sequential scans are off, and the order names all
 * columns of the index, so that no other index fits. A page costs the same wherever it starts.
 */
import type { Migration } from "./Migration.ts"

export const RANGED = `LANGUAGE plpgsql STABLE ROWS 500
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off SET enable_incremental_sort = off`

const documents = (schema: string): ReadonlyArray<string> => [
  `CREATE FUNCTION ${schema}.documents_by_time(p_workspace uuid, p_timestamp timestamptz, p_after uuid,
    p_limit integer) RETURNS SETOF ${schema}.documents ${RANGED} AS $$
  BEGIN
    RETURN QUERY SELECT * FROM ${schema}.documents d
      WHERE d.workspace_id <= p_workspace
        AND (d.workspace_id, d.timestamp, d.document_id) > (p_workspace, p_timestamp, p_after)
      ORDER BY d.workspace_id, d.timestamp, d.document_id LIMIT p_limit;
  END $$`,

  `CREATE FUNCTION ${schema}.documents_of_connector(p_workspace uuid, p_connector uuid, p_before uuid,
    p_limit integer) RETURNS SETOF ${schema}.documents ${RANGED} AS $$
  BEGIN
    RETURN QUERY SELECT * FROM ${schema}.documents d
      WHERE (d.workspace_id, d.connector_id) >= (p_workspace, p_connector)
        AND (d.workspace_id, d.connector_id, d.document_id) < (p_workspace, p_connector, p_before)
      ORDER BY d.workspace_id DESC, d.connector_id DESC, d.document_id DESC LIMIT p_limit;
  END $$`,

  `CREATE FUNCTION ${schema}.documents_by_external_id(p_connector uuid, p_from text, p_until text, p_after text,
    p_limit integer) RETURNS SETOF ${schema}.documents ${RANGED} AS $$
  BEGIN
    RETURN QUERY SELECT * FROM ${schema}.documents d
      WHERE d.connector_id = p_connector AND d.external_id >= p_from AND d.external_id > p_after
        AND d.external_id < p_until
      ORDER BY d.connector_id, d.external_id LIMIT p_limit;
  END $$`,

  // Present documents and deleted ones, up to p_limit of each.
  `CREATE FUNCTION ${schema}.changes_since(p_workspace uuid, p_since bigint, p_limit integer)
    RETURNS TABLE (document_id uuid, change_seq bigint, deleted boolean) ${RANGED} AS $$
  BEGIN
    RETURN QUERY SELECT d.document_id, d.change_seq, false FROM ${schema}.documents d
      WHERE d.workspace_id <= p_workspace AND (d.workspace_id, d.change_seq) > (p_workspace, p_since)
      ORDER BY d.workspace_id, d.change_seq LIMIT p_limit;
    RETURN QUERY SELECT t.document_id, t.change_seq, true FROM ${schema}.tombstones t
      WHERE t.workspace_id <= p_workspace AND (t.workspace_id, t.change_seq) > (p_workspace, p_since)
      ORDER BY t.workspace_id, t.change_seq LIMIT p_limit;
  END $$`,

  `CREATE FUNCTION ${schema}.count_changes(p_workspace uuid, p_since bigint) RETURNS bigint ${
    RANGED.replace(" ROWS 500", "")
  } AS $$
  BEGIN
    RETURN (SELECT count(*) FROM ${schema}.documents d
        WHERE d.workspace_id = p_workspace AND d.change_seq > p_since)
      + (SELECT count(*) FROM ${schema}.tombstones t
        WHERE t.workspace_id = p_workspace AND t.change_seq > p_since);
  END $$`
]

const logs = (schema: string): ReadonlyArray<string> => [
  // With a source or a kind: up to p_limit of each existing combination.
  `CREATE FUNCTION ${schema}.events_since(p_workspace uuid, p_source text, p_kind text, p_since bigint,
    p_limit integer) RETURNS SETOF ${schema}.events ${RANGED} AS $$
  DECLARE
    v_origin record;
  BEGIN
    IF p_source IS NULL AND p_kind IS NULL THEN
      RETURN QUERY SELECT * FROM ${schema}.events e
        WHERE e.workspace_id <= p_workspace AND (e.workspace_id, e.event_seq) > (p_workspace, p_since)
        ORDER BY e.workspace_id, e.event_seq LIMIT p_limit;
      RETURN;
    END IF;
    SELECT e.workspace_id, e.source, e.kind INTO v_origin FROM ${schema}.events e WHERE e.workspace_id >= p_workspace
      ORDER BY e.workspace_id, e.source, e.kind, e.event_seq LIMIT 1;
    WHILE v_origin.workspace_id = p_workspace LOOP
      IF (p_kind IS NULL OR v_origin.kind = p_kind)
        AND (p_source IS NULL OR v_origin.source = p_source OR starts_with(v_origin.source, p_source || ':')) THEN
        RETURN QUERY SELECT * FROM ${schema}.events e
          WHERE (e.workspace_id, e.source, e.kind) <= (p_workspace, v_origin.source, v_origin.kind)
            AND (e.workspace_id, e.source, e.kind, e.event_seq)
              > (p_workspace, v_origin.source, v_origin.kind, p_since)
          ORDER BY e.workspace_id, e.source, e.kind, e.event_seq LIMIT p_limit;
      END IF;
      SELECT e.workspace_id, e.source, e.kind INTO v_origin FROM ${schema}.events e
        WHERE (e.workspace_id, e.source, e.kind) > (p_workspace, v_origin.source, v_origin.kind)
        ORDER BY e.workspace_id, e.source, e.kind, e.event_seq LIMIT 1;
    END LOOP;
  END $$`,

  `CREATE FUNCTION ${schema}.jobs_before(p_workspace uuid, p_queue text, p_status text, p_before uuid,
    p_limit integer) RETURNS SETOF ${schema}.jobs ${RANGED} AS $$
  BEGIN
    IF p_status IS NULL THEN
      RETURN QUERY SELECT * FROM ${schema}.jobs j
        WHERE (j.workspace_id, j.queue) >= (p_workspace, p_queue)
          AND (j.workspace_id, j.queue, j.job_id) < (p_workspace, p_queue, p_before)
        ORDER BY j.workspace_id DESC, j.queue DESC, j.job_id DESC LIMIT p_limit;
    ELSE
      RETURN QUERY SELECT * FROM ${schema}.jobs j
        WHERE (j.workspace_id, j.queue, j.status) >= (p_workspace, p_queue, p_status)
          AND (j.workspace_id, j.queue, j.status, j.job_id) < (p_workspace, p_queue, p_status, p_before)
        ORDER BY j.workspace_id DESC, j.queue DESC, j.status DESC, j.job_id DESC LIMIT p_limit;
    END IF;
  END $$`,

  // For one workspace, if given.
  `CREATE FUNCTION ${schema}.audit_before(p_account uuid, p_workspace uuid, p_before uuid, p_limit integer)
    RETURNS SETOF ${schema}.audit_log ${RANGED} AS $$
  BEGIN
    IF p_workspace IS NULL THEN
      RETURN QUERY SELECT * FROM ${schema}.audit_log e
        WHERE e.account_id >= p_account AND (e.account_id, e.entry_id) < (p_account, p_before)
        ORDER BY e.account_id DESC, e.entry_id DESC LIMIT p_limit;
    ELSE
      RETURN QUERY SELECT * FROM ${schema}.audit_log e
        WHERE e.account_id IS NOT DISTINCT FROM p_account
          AND e.workspace_id >= p_workspace AND (e.workspace_id, e.entry_id) < (p_workspace, p_before)
        ORDER BY e.workspace_id DESC, e.entry_id DESC LIMIT p_limit;
    END IF;
  END $$`
]

const statements: Migration["statements"] = (schema) => [...documents(schema), ...logs(schema)]

export const pages: Migration = { name: "pages", oldestCompatible: 1, statements }
