/** `remove`: takes documents away under the lock that `admit` takes. */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
  // UUIDv7, for the events that the store itself has to name.
  `CREATE FUNCTION ${schema}.uuid7(p_moment timestamptz) RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT (
      lpad(to_hex(floor(extract(epoch FROM p_moment) * 1000)::bigint), 12, '0') || '7' ||
      substr(replace(gen_random_uuid()::text, '-', ''), 14)
    )::uuid
  $$`,

  // One of p_document, p_external and p_first selects the documents; the last two are within p_connector.
  `CREATE FUNCTION ${schema}.remove(p_workspace uuid, p_document uuid, p_connector uuid, p_external text[],
    p_first integer, p_now timestamptz, p_follow jsonb) RETURNS TABLE (document_id text, external_id text)
  LANGUAGE plpgsql SET enable_seqscan = off AS $$
  DECLARE
    v_counters ${schema}.counters;
    v_removed uuid[];
  BEGIN
    SELECT * INTO v_counters FROM ${schema}.counters c WHERE c.workspace_id = p_workspace FOR UPDATE;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    IF p_document IS NOT NULL THEN
      SELECT array_agg(d.document_id) INTO v_removed FROM ${schema}.documents d
        WHERE d.document_id = p_document AND d.workspace_id IS NOT DISTINCT FROM p_workspace;
    ELSIF p_first IS NOT NULL THEN
      SELECT array_agg(q.document_id ORDER BY q.document_id) INTO v_removed FROM (
        SELECT d.document_id FROM ${schema}.documents d
          WHERE d.workspace_id = p_workspace AND d.connector_id = p_connector
          ORDER BY d.document_id LIMIT p_first
      ) q;
    ELSE
      SELECT array_agg(q.document_id ORDER BY q.at) INTO v_removed FROM (
        SELECT d.document_id, min(e.at) AS at
        FROM unnest(p_external) WITH ORDINALITY AS e(external_id, at)
        CROSS JOIN LATERAL (
          SELECT * FROM ${schema}.documents q
            WHERE q.connector_id = p_connector AND q.external_id = e.external_id
              AND q.workspace_id IS NOT DISTINCT FROM p_workspace
            LIMIT 1
        ) d
        GROUP BY d.document_id
      ) q;
    END IF;
    IF v_removed IS NULL THEN
      RETURN;
    END IF;

    RETURN QUERY SELECT d.document_id::text, d.external_id
      FROM unnest(v_removed) WITH ORDINALITY AS r(id, at)
      CROSS JOIN LATERAL (SELECT * FROM ${schema}.documents q WHERE q.document_id = r.id LIMIT 1) d
      ORDER BY r.at;
    INSERT INTO ${schema}.events (workspace_id, event_seq, event_id, type, source, kind, external_id, document_id,
        timestamp, created_at, metadata)
      SELECT p_workspace, v_counters.event_seq + r.at, ${schema}.uuid7(p_now), 'document.deleted', d.source, d.kind,
        d.external_id, d.document_id, d.timestamp, p_now, d.metadata
      FROM unnest(v_removed) WITH ORDINALITY AS r(id, at)
      CROSS JOIN LATERAL (SELECT * FROM ${schema}.documents q WHERE q.document_id = r.id LIMIT 1) d;
    INSERT INTO ${schema}.tombstones (workspace_id, document_id, change_seq)
      SELECT p_workspace, r.id, v_counters.change_seq + r.at FROM unnest(v_removed) WITH ORDINALITY AS r(id, at);
    UPDATE ${schema}.counters c SET
        documents = c.documents - cardinality(v_removed),
        change_seq = c.change_seq + cardinality(v_removed),
        event_seq = c.event_seq + cardinality(v_removed),
        storage = c.storage - (
          SELECT sum(d.size)::bigint FROM ${schema}.documents d
            WHERE d.document_id = ANY (v_removed))
      WHERE c.workspace_id = p_workspace;
    DELETE FROM ${schema}.chunks c WHERE c.document_id = ANY (v_removed);
    DELETE FROM ${schema}.payloads p WHERE p.document_id = ANY (v_removed);
    DELETE FROM ${schema}.documents d WHERE d.document_id = ANY (v_removed);
    PERFORM ${schema}.enqueue(p_follow, NULL);
  END $$`
]

export const removal: Migration = { name: "removal", oldestCompatible: 1, statements }
