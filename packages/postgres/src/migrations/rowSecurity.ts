/**
 * Row-level security. It is off until the owner of the tables calls `secure_rows`.
 *
 * Postgres checks a parameter's value against its type when it is bound, before the statement runs. The checks of the
 * two types below set the variables of the policies until the transaction ends. So a statement sets its scope without
 * another round trip, also behind a pooler; a statement without a scope sees no row.
 */
import type { Migration } from "./Migration.ts"
import { RANGED } from "./pages.ts"

const statements: Migration["statements"] = (schema) => [
  `CREATE DOMAIN ${schema}.for_workspace AS text
    CHECK (set_config('tributary.workspace', VALUE, true) IS NOT NULL)`,
  `CREATE DOMAIN ${schema}.as_role AS text CHECK (set_config('role', VALUE, true) IS NOT NULL)`,

  // Never null, which is the workspace of entries that concern an account. A setting of an earlier transaction is empty.
  `CREATE FUNCTION ${schema}.acting_workspace() RETURNS uuid LANGUAGE sql STABLE AS $$
    SELECT coalesce(nullif(current_setting('tributary.workspace', true), ''),
      '00000000-0000-0000-0000-000000000000')::uuid
  $$`,

  // The tables with rows of workspaces, and their policies. No index matches a condition of this form, and the planner
  // derives no estimate from it, so statements have the same plans as without policies.
  `CREATE FUNCTION ${schema}.rows_of_workspaces() RETURNS TABLE (relation name, condition text)
  LANGUAGE sql STABLE AS $$
    SELECT c.relname, CASE
        WHEN 'workspace_id' = ANY (a.names)
          THEN 'coalesce(workspace_id = ${schema}.acting_workspace(), false)'
        WHEN 'document_id' = ANY (a.names) THEN format(
          'EXISTS (SELECT FROM ${schema}.documents o WHERE o.document_id = %I.document_id OFFSET 0)', c.relname)
        ELSE format('EXISTS (SELECT FROM ${schema}.api_keys o WHERE o.key_id = %I.key_id OFFSET 0)', c.relname)
      END
    FROM pg_catalog.pg_class c CROSS JOIN LATERAL (
      SELECT array_agg(attname) AS names FROM pg_catalog.pg_attribute WHERE attrelid = c.oid AND NOT attisdropped
    ) a
    WHERE c.relnamespace = '${schema}'::regnamespace AND c.relkind IN ('r', 'p')
      AND a.names && '{workspace_id,document_id,key_id}'::name[]
  $$`,

  `CREATE FUNCTION ${schema}.secure_rows(p_server name, p_system name) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    v_table record;
  BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA ${schema} TO %I, %I', p_server, p_system);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO %I, %I',
      p_server, p_system);
    FOR v_table IN SELECT * FROM ${schema}.rows_of_workspaces() LOOP
      EXECUTE format('DROP POLICY IF EXISTS one_workspace ON ${schema}.%I', v_table.relation);
      EXECUTE format('DROP POLICY IF EXISTS all_workspaces ON ${schema}.%I', v_table.relation);
      EXECUTE format('CREATE POLICY one_workspace ON ${schema}.%I TO %I USING (%s)',
        v_table.relation, p_server, v_table.condition);
      EXECUTE format('CREATE POLICY all_workspaces ON ${schema}.%I TO %I USING (true)', v_table.relation, p_system);
      EXECUTE format('ALTER TABLE ${schema}.%I ENABLE ROW LEVEL SECURITY', v_table.relation);
    END LOOP;
  END $$`,

  // For tables of later migrations. Does nothing if row-level security is off.
  `CREATE FUNCTION ${schema}.secure_new_rows() RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    v_server name;
    v_system name;
  BEGIN
    SELECT pg_catalog.pg_get_userbyid(p.polroles[1]) INTO v_server FROM pg_catalog.pg_policy p
      WHERE p.polrelid = '${schema}.workspaces'::regclass AND p.polname = 'one_workspace';
    SELECT pg_catalog.pg_get_userbyid(p.polroles[1]) INTO v_system FROM pg_catalog.pg_policy p
      WHERE p.polrelid = '${schema}.workspaces'::regclass AND p.polname = 'all_workspaces';
    IF v_server IS NOT NULL AND v_system IS NOT NULL THEN
      PERFORM ${schema}.secure_rows(v_server, v_system);
    END IF;
  END $$`,

  // As before, and ends with the workspace: a policy would have it read on through the events of others.
  `CREATE OR REPLACE FUNCTION ${schema}.events_since(p_workspace uuid, p_source text, p_kind text, p_since bigint,
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
    SELECT e.workspace_id, e.source, e.kind INTO v_origin FROM ${schema}.events e
      WHERE e.workspace_id >= p_workspace AND e.workspace_id <= p_workspace
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
        WHERE e.workspace_id <= p_workspace
          AND (e.workspace_id, e.source, e.kind) > (p_workspace, v_origin.source, v_origin.kind)
        ORDER BY e.workspace_id, e.source, e.kind, e.event_seq LIMIT 1;
    END LOOP;
  END $$`
]

export const rowSecurity: Migration = { name: "row_security", oldestCompatible: 1, statements }
