/** Removing documents of any connectors, each as it was when it was chosen: what changed since is left. */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
  `CREATE FUNCTION ${schema}.remove_versions(p_workspace uuid, p_documents uuid[], p_seqs bigint[],
    p_now timestamptz, p_follow jsonb) RETURNS TABLE (document_id text, external_id text)
  LANGUAGE plpgsql SET enable_seqscan = off AS $$
  DECLARE
    v_chosen record;
  BEGIN
    -- What is chosen below cannot change until it is removed.
    PERFORM FROM ${schema}.counters c WHERE c.workspace_id = p_workspace FOR UPDATE;
    FOR v_chosen IN
      SELECT d.connector_id, array_agg(d.external_id ORDER BY n.at) AS external_ids
      FROM unnest(p_documents, p_seqs) WITH ORDINALITY AS n(id, seq, at)
      CROSS JOIN LATERAL (
        SELECT * FROM ${schema}.documents q
          WHERE q.document_id = n.id AND q.workspace_id IS NOT DISTINCT FROM p_workspace LIMIT 1
      ) d
      WHERE d.change_seq = n.seq
      GROUP BY d.connector_id
    LOOP
      RETURN QUERY SELECT * FROM ${schema}.remove(p_workspace, NULL, v_chosen.connector_id, v_chosen.external_ids,
        NULL, p_now, p_follow);
    END LOOP;
  END $$`
]

export const removalOfVersions: Migration = { name: "removal_of_versions", oldestCompatible: 1, statements }
