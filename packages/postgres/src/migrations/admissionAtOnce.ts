/**
 * `admit_at_once` stores a batch of new items that fits as a whole. Other batches, whose items must be checked one
 * after the other, go through `admit`, which takes a quarter longer.
 */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
  // Takes and answers what `admit` does.
  `CREATE FUNCTION ${schema}.admit_at_once(
    p_workspace uuid, p_connector uuid, p_source text, p_now timestamptz, p_documents bigint, p_storage bigint,
    p_pending bigint, p_follow jsonb,
    p_external text[], p_document uuid[], p_event uuid[], p_kind text[], p_title text[], p_url text[],
    p_size bigint[], p_text_bytes bigint[], p_timestamp timestamptz[], p_ends_at timestamptz[], p_metadata text[],
    p_fingerprint text[], p_oversized boolean[],
    p_chunk_item integer[], p_chunk_ordinal integer[], p_chunk_start integer[], p_chunk text[],
    p_payload_item integer[], p_payload_slice integer[], p_payload text[]
  ) RETURNS TABLE (statuses text[], resources text[], document_ids text[])
  LANGUAGE plpgsql SET enable_seqscan = off AS $$
  DECLARE
    v_counters ${schema}.counters;
    v_length integer := cardinality(p_external);
    v_size bigint := coalesce((SELECT sum(size) FROM unnest(p_size) AS size), 0);
  BEGIN
    SELECT * INTO v_counters FROM ${schema}.counters WHERE workspace_id = p_workspace FOR UPDATE;
    -- A statement after the lock has a snapshot of its own: it sees what was stored while this one waited. A cap that
    -- is null compares as null, and so stops nothing.
    IF NOT FOUND OR v_length = 0
      OR true = ANY (p_oversized)
      OR v_counters.documents + v_length > p_documents
      OR v_counters.storage + v_size > p_storage
      OR v_length > (SELECT count(DISTINCT external_id COLLATE "C") FROM unnest(p_external) AS external_id)
      OR NOT EXISTS (
        SELECT FROM ${schema}.connectors
          WHERE workspace_id = p_workspace AND connector_id = p_connector AND is_active
      )
      -- From here on a refresh is hurried.
      OR v_counters.chunk_seq - coalesce((
        SELECT coalesce(s.chunk_seq, v_counters.chunk_seq) FROM ${schema}.snapshots s
          WHERE s.workspace_id = p_workspace ORDER BY s.position DESC LIMIT 1
      ), 0) >= p_pending / 5 * 2
      -- The limit makes it a probe of the index for each item, whatever the planner believes about the table.
      OR EXISTS (
        SELECT FROM unnest(p_external) AS i(external_id) CROSS JOIN LATERAL (
          SELECT FROM ${schema}.documents q
            WHERE q.connector_id = p_connector AND q.external_id = i.external_id LIMIT 1
        ) d
      )
    THEN
      RETURN QUERY SELECT * FROM ${schema}.admit(p_workspace, p_connector, p_source, p_now, p_documents, p_storage,
        p_pending, p_follow, p_external, p_document, p_event, p_kind, p_title, p_url, p_size, p_text_bytes, p_timestamp,
        p_ends_at, p_metadata, p_fingerprint, p_oversized, p_chunk_item, p_chunk_ordinal, p_chunk_start, p_chunk,
        p_payload_item, p_payload_slice, p_payload);
      RETURN;
    END IF;

    -- The id of another document, of whatever workspace, is refused by the table's key.
    INSERT INTO ${schema}.documents (workspace_id, document_id, connector_id, external_id, change_seq, source, kind,
        title, url, size, text_bytes, timestamp, ends_at, metadata, fingerprint, created_at, updated_at)
      SELECT p_workspace, i.document_id, p_connector, i.external_id, v_counters.change_seq + i.at, p_source, i.kind,
        i.title, i.url, i.size, i.text_bytes, coalesce(i.timestamp, p_now), i.ends_at, i.metadata, i.fingerprint, p_now,
        p_now
      FROM unnest(p_document, p_external, p_kind, p_title, p_url, p_size, p_text_bytes, p_timestamp, p_ends_at,
          p_metadata, p_fingerprint)
        WITH ORDINALITY AS i(document_id, external_id, kind, title, url, size, text_bytes, timestamp, ends_at, metadata,
          fingerprint, at);
    -- No join: an array is read by its index, and a plan cannot go wrong.
    INSERT INTO ${schema}.chunks
      SELECT p_document[c.item], c.ordinal, c.start, c.text
      FROM unnest(p_chunk_item, p_chunk_ordinal, p_chunk_start, p_chunk) AS c(item, ordinal, start, text);
    INSERT INTO ${schema}.payloads
      SELECT p_document[c.item], c.slice, c.text
      FROM unnest(p_payload_item, p_payload_slice, p_payload) AS c(item, slice, text);
    INSERT INTO ${schema}.events (workspace_id, event_seq, event_id, type, source, kind, external_id, document_id,
        timestamp, created_at, metadata)
      SELECT p_workspace, v_counters.event_seq + i.at, i.event_id, 'document.created', p_source, i.kind, i.external_id,
        i.document_id, coalesce(i.timestamp, p_now), p_now, i.metadata
      FROM unnest(p_event, p_kind, p_external, p_document, p_timestamp, p_metadata)
        WITH ORDINALITY AS i(event_id, kind, external_id, document_id, timestamp, metadata, at);
    -- An id that comes back is a change, no longer a deletion.
    IF EXISTS (SELECT FROM ${schema}.tombstones WHERE workspace_id = p_workspace) THEN
      DELETE FROM ${schema}.tombstones WHERE document_id = ANY (p_document);
    END IF;
    UPDATE ${schema}.counters SET documents = v_counters.documents + v_length, storage = v_counters.storage + v_size,
        change_seq = v_counters.change_seq + v_length, event_seq = v_counters.event_seq + v_length,
        chunk_seq = v_counters.chunk_seq + greatest(cardinality(p_chunk), v_length)
      WHERE workspace_id = p_workspace;
    PERFORM ${schema}.enqueue(p_follow, NULL);
    RETURN QUERY SELECT array_fill('created'::text, ARRAY[v_length]), array_fill(NULL::text, ARRAY[v_length]),
      p_document::text[];
  END $$`
]

export const admissionAtOnce: Migration = { name: "admission_at_once", oldestCompatible: 1, statements }
