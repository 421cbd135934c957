/** `admit` checks a batch of items and stores those that fit, in one round trip under one lock. */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
  // One row of results in the order of the items, or of nulls if the connector is not active.
  `CREATE FUNCTION ${schema}.admit(
    p_workspace uuid, p_connector uuid, p_source text, p_now timestamptz, p_documents bigint, p_storage bigint,
    p_follow jsonb,
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
    item record;
    v_at integer;
    v_earlier integer;
    v_stored_id uuid;
    v_stored_size bigint;
    v_stored_fingerprint text;
    v_stored_timestamp timestamptz;
    v_stored_ends_at timestamptz;
    v_growth bigint;
    v_stored_count integer;
    -- By item; of a rejected or unchanged one only the status, the resource and the document.
    v_status text[] := array_fill(NULL::text, ARRAY[v_length]);
    v_resource text[] := array_fill(NULL::text, ARRAY[v_length]);
    v_document uuid[] := array_fill(NULL::uuid, ARRAY[v_length]);
    v_timestamp timestamptz[] := array_fill(NULL::timestamptz, ARRAY[v_length]);
    v_ends_at timestamptz[] := array_fill(NULL::timestamptz, ARRAY[v_length]);
    v_change bigint[] := array_fill(NULL::bigint, ARRAY[v_length]);
    v_event bigint[] := array_fill(NULL::bigint, ARRAY[v_length]);
    -- Whether it is the version of its external id that stays.
    v_stays boolean[] := array_fill(false, ARRAY[v_length]);
    -- By the first item of an external id: its last version that was admitted in this batch.
    v_last integer[] := array_fill(NULL::integer, ARRAY[v_length]);
    v_replaced uuid[] := '{}';
  BEGIN
    SELECT * INTO v_counters FROM ${schema}.counters WHERE workspace_id = p_workspace FOR UPDATE;
    -- A statement after the lock has a snapshot of its own: it sees what was stored while this one waited.
    IF NOT FOUND OR NOT EXISTS (
      SELECT FROM ${schema}.connectors
        WHERE workspace_id = p_workspace AND connector_id = p_connector AND is_active
    ) THEN
      RETURN QUERY SELECT NULL::text[], NULL::text[], NULL::text[];
      RETURN;
    END IF;

    FOR item IN
      SELECT i.*, min(i.at) OVER (PARTITION BY i.external_id) AS first, d.document_id AS stored_id,
        d.size AS stored_size, d.fingerprint AS stored_fingerprint, d.timestamp AS stored_timestamp,
        d.ends_at AS stored_ends_at
      FROM unnest(p_external, p_document, p_size, p_fingerprint, p_timestamp, p_ends_at, p_oversized)
        WITH ORDINALITY AS i(external_id, document_id, size, fingerprint, timestamp, ends_at, oversized, at)
      -- The limit makes it a probe of the index for each item, whatever the planner believes about the table.
      LEFT JOIN LATERAL (
        SELECT * FROM ${schema}.documents q
          WHERE q.connector_id = p_connector AND q.external_id = i.external_id LIMIT 1
      ) d ON true
      ORDER BY i.at
    LOOP
      v_at := item.at;
      v_earlier := v_last[item.first];
      IF v_earlier IS NULL THEN
        v_stored_id := item.stored_id;
        v_stored_size := item.stored_size;
        v_stored_fingerprint := item.stored_fingerprint;
        v_stored_timestamp := item.stored_timestamp;
        v_stored_ends_at := item.stored_ends_at;
      ELSE
        v_stored_id := v_document[v_earlier];
        v_stored_size := p_size[v_earlier];
        v_stored_fingerprint := p_fingerprint[v_earlier];
        v_stored_timestamp := v_timestamp[v_earlier];
        v_stored_ends_at := v_ends_at[v_earlier];
      END IF;
      v_document[v_at] := v_stored_id;
      v_growth := item.size - coalesce(v_stored_size, 0);
      -- A cap that is null compares as null, and so stops nothing.
      IF item.oversized THEN
        v_status[v_at] := 'rejected';
        v_resource[v_at] := 'doc_size';
      ELSIF v_stored_fingerprint = item.fingerprint
        AND (item.timestamp IS NULL OR item.timestamp = v_stored_timestamp) THEN
        v_status[v_at] := 'unchanged';
      ELSIF v_stored_id IS NULL AND v_counters.documents + 1 > p_documents THEN
        v_status[v_at] := 'rejected';
        v_resource[v_at] := 'documents';
      -- A replacement that does not grow fits even where a cap was lowered below what is stored.
      ELSIF (v_stored_id IS NULL OR v_growth > 0) AND v_counters.storage + v_growth > p_storage THEN
        v_status[v_at] := 'rejected';
        v_resource[v_at] := 'storage';
      ELSE
        v_counters.storage := v_counters.storage + v_growth;
        v_counters.change_seq := v_counters.change_seq + 1;
        v_counters.event_seq := v_counters.event_seq + 1;
        v_change[v_at] := v_counters.change_seq;
        v_event[v_at] := v_counters.event_seq;
        IF v_stored_id IS NULL THEN
          v_status[v_at] := 'created';
          v_counters.documents := v_counters.documents + 1;
          v_document[v_at] := item.document_id;
          v_timestamp[v_at] := coalesce(item.timestamp, p_now);
          v_ends_at[v_at] := item.ends_at;
        ELSE
          v_status[v_at] := 'updated';
          v_timestamp[v_at] := coalesce(item.timestamp, v_stored_timestamp);
          v_ends_at[v_at] := CASE WHEN item.timestamp IS NULL THEN v_stored_ends_at ELSE item.ends_at END;
          IF v_earlier IS NULL THEN
            v_replaced := v_replaced || v_stored_id;
          ELSE
            v_stays[v_earlier] := false;
          END IF;
        END IF;
        v_stays[v_at] := true;
        v_last[item.first] := v_at;
      END IF;
    END LOOP;

    IF true = ANY (v_stays) THEN
      IF cardinality(v_replaced) > 0 THEN
        DELETE FROM ${schema}.chunks WHERE document_id = ANY (v_replaced);
        DELETE FROM ${schema}.payloads WHERE document_id = ANY (v_replaced);
      END IF;
      INSERT INTO ${schema}.documents AS d (workspace_id, document_id, connector_id, external_id, change_seq, source,
          kind, title, url, size, text_bytes, timestamp, ends_at, metadata, fingerprint, created_at, updated_at)
        SELECT p_workspace, i.document_id, p_connector, i.external_id, i.change_seq, p_source, i.kind, i.title, i.url,
          i.size, i.text_bytes, i.timestamp, i.ends_at, i.metadata, i.fingerprint, p_now, p_now
        FROM unnest(v_document, p_external, v_change, p_kind, p_title, p_url, p_size, p_text_bytes, v_timestamp,
            v_ends_at, p_metadata, p_fingerprint, v_stays)
          AS i(document_id, external_id, change_seq, kind, title, url, size, text_bytes, timestamp, ends_at, metadata,
            fingerprint, stays)
        WHERE i.stays
        ON CONFLICT (document_id) DO UPDATE SET
          change_seq = excluded.change_seq, source = excluded.source, kind = excluded.kind, title = excluded.title,
          url = excluded.url, size = excluded.size, text_bytes = excluded.text_bytes,
          timestamp = excluded.timestamp, ends_at = excluded.ends_at, metadata = excluded.metadata,
          fingerprint = excluded.fingerprint, updated_at = excluded.updated_at
          WHERE d.connector_id = excluded.connector_id AND d.external_id = excluded.external_id;
      GET DIAGNOSTICS v_stored_count = ROW_COUNT;
      IF v_stored_count <> cardinality(array_positions(v_stays, true)) THEN
        RAISE unique_violation USING MESSAGE = 'a new document has the id of another one';
      END IF;
      -- No join: an array is read by its index, and a plan cannot go wrong.
      INSERT INTO ${schema}.chunks
        SELECT v_document[c.item], c.ordinal, c.start, c.text
        FROM unnest(p_chunk_item, p_chunk_ordinal, p_chunk_start, p_chunk) AS c(item, ordinal, start, text)
        WHERE v_stays[c.item];
      INSERT INTO ${schema}.payloads
        SELECT v_document[c.item], c.slice, c.text
        FROM unnest(p_payload_item, p_payload_slice, p_payload) AS c(item, slice, text)
        WHERE v_stays[c.item];
      INSERT INTO ${schema}.events (workspace_id, event_seq, event_id, type, source, kind, external_id, document_id,
          timestamp, created_at, metadata)
        SELECT p_workspace, i.event_seq, i.event_id, 'document.' || i.status, p_source, i.kind, i.external_id,
          i.document_id, i.timestamp, p_now, i.metadata
        FROM unnest(v_event, p_event, v_status, p_kind, p_external, v_document, v_timestamp, p_metadata)
          AS i(event_seq, event_id, status, kind, external_id, document_id, timestamp, metadata)
        WHERE i.event_seq IS NOT NULL;
      -- An id that comes back is a change, no longer a deletion.
      IF EXISTS (SELECT FROM ${schema}.tombstones WHERE workspace_id = p_workspace) THEN
        DELETE FROM ${schema}.tombstones WHERE document_id = ANY (v_document);
      END IF;
      UPDATE ${schema}.counters SET documents = v_counters.documents, storage = v_counters.storage,
          change_seq = v_counters.change_seq, event_seq = v_counters.event_seq
        WHERE workspace_id = p_workspace;
      PERFORM ${schema}.enqueue(p_follow, NULL);
    END IF;
    RETURN QUERY SELECT v_status, v_resource, v_document::text[];
  END $$`
]

export const admission: Migration = { name: "admission", oldestCompatible: 1, statements }
