/**
 * The number of chunks that wait for the snapshot, as the difference of two counters: `chunk_seq` counts every stored
 * chunk, as `change_seq` counts changes, and each snapshot stores the count that it includes. Reading the head of a
 * context does not count documents.
 */
import type { Migration } from "./Migration.ts"

const STANDING = `settings text, generation double precision, change_seq double precision, chunk_seq double precision,
  snapshot_id text, snapshot_change_seq double precision, snapshot_chunk_seq double precision,
  snapshot_generation double precision, snapshot_settings text, built_at timestamptz, watermark timestamptz,
  segments text`

const statements: Migration["statements"] = (schema) => [
  `ALTER TABLE ${schema}.counters ADD COLUMN chunk_seq bigint NOT NULL DEFAULT 0`,
  // Null in snapshots of older releases: then no backlog is reported, and ingest does not wait.
  `ALTER TABLE ${schema}.snapshots ADD COLUMN chunk_seq bigint`,

  `CREATE FUNCTION ${schema}.standing(p_workspace uuid) RETURNS TABLE (${STANDING}) LANGUAGE sql STABLE AS $$
    SELECT k.settings, k.generation::double precision, c.change_seq::double precision, c.chunk_seq::double precision,
      s.snapshot_id::text, s.change_seq::double precision, coalesce(s.chunk_seq, c.chunk_seq)::double precision,
      s.generation::double precision, s.settings, s.built_at, s.watermark, s.segments
    FROM ${schema}.knowledge k
    JOIN ${schema}.counters c ON c.workspace_id = k.workspace_id
    LEFT JOIN LATERAL (
      SELECT * FROM ${schema}.snapshots WHERE workspace_id = p_workspace ORDER BY position DESC LIMIT 1
    ) s ON true
    WHERE k.workspace_id = p_workspace
  $$`,

  // Answers with no row for a workspace that is not open.
  `CREATE FUNCTION ${schema}.reconfigure(p_workspace uuid, p_settings text, p_rebuild jsonb) RETURNS TABLE (${STANDING})
  LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE ${schema}.knowledge k SET settings = coalesce(p_settings, k.settings), generation = k.generation + 1
      WHERE k.workspace_id = p_workspace;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    PERFORM ${schema}.cancel_jobs(
      p_workspace, (p_rebuild ->> 'created_at')::timestamptz, p_rebuild ->> 'queue', p_rebuild ->> 'key');
    PERFORM ${schema}.enqueue(p_rebuild, NULL);
    RETURN QUERY SELECT * FROM ${schema}.standing(p_workspace);
  END $$`,

  `CREATE FUNCTION ${schema}.publish(p_workspace uuid, p_previous uuid, p_replaces boolean, p_keep integer,
    p_snapshot uuid, p_change_seq bigint, p_chunk_seq bigint, p_generation bigint, p_settings text,
    p_built_at timestamptz, p_watermark timestamptz, p_segments text, p_segment_ids text[]) RETURNS boolean
  LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT ${schema}.publish(p_workspace, p_previous, p_replaces, p_keep, p_snapshot, p_change_seq, p_generation,
        p_settings, p_built_at, p_watermark, p_segments, p_segment_ids) THEN
      RETURN false;
    END IF;
    UPDATE ${schema}.snapshots SET chunk_seq = p_chunk_seq
      WHERE workspace_id = p_workspace AND snapshot_id = p_snapshot;
    RETURN true;
  END $$`
]

export const backlog: Migration = { name: "backlog", oldestCompatible: 1, statements }
