/** Removing what did not change after a given moment: what arrives later is not the deletion's to remove. */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
  `CREATE FUNCTION ${schema}.remove_until(p_workspace uuid, p_connector uuid, p_first integer, p_until bigint,
    p_now timestamptz, p_follow jsonb) RETURNS TABLE (document_id text, external_id text)
  LANGUAGE plpgsql SET enable_seqscan = off AS $$
  DECLARE
    v_external text[];
  BEGIN
    -- What is chosen below cannot change until it is removed.
    PERFORM FROM ${schema}.counters c WHERE c.workspace_id = p_workspace FOR UPDATE;
    v_external := ARRAY(
      SELECT d.external_id FROM ${schema}.documents d
        WHERE d.workspace_id = p_workspace AND d.connector_id = p_connector AND d.change_seq <= p_until
        ORDER BY d.document_id LIMIT p_first);
    RETURN QUERY SELECT * FROM ${schema}.remove(p_workspace, NULL, p_connector, v_external, NULL, p_now, p_follow);
  END $$`
]

export const boundedRemoval: Migration = { name: "bounded_removal", oldestCompatible: 1, statements }
