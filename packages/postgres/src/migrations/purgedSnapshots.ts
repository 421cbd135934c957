/**
 * Deleted text leaves snapshots, too. Each names the change up to which its bytes hold nothing deleted, and since when
 * they hold text that it hides.
 */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
  // Null where a release before this one published it.
  `ALTER TABLE ${schema}.snapshots ADD COLUMN purged_seq bigint, ADD COLUMN hiding_since timestamptz`,
  // For such a snapshot it is known only whether it contains masked text.
  `CREATE FUNCTION ${schema}.hides(p_segments text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT p_segments ~ '"masked":\\[[0-9]'
  $$`,
  `UPDATE ${schema}.snapshots SET
    purged_seq = CASE WHEN ${schema}.hides(segments) THEN 0 ELSE change_seq END,
    hiding_since = CASE WHEN ${schema}.hides(segments) THEN built_at END`,
  `CREATE INDEX snapshots_hiding ON ${schema}.snapshots (workspace_id)
    WHERE hiding_since IS NOT NULL OR purged_seq IS NULL`,

  `CREATE FUNCTION ${schema}.publish(p_workspace uuid, p_previous uuid, p_replaces boolean, p_keep integer,
    p_snapshot uuid, p_change_seq bigint, p_chunk_seq bigint, p_generation bigint, p_settings text,
    p_built_at timestamptz, p_watermark timestamptz, p_segments text, p_segment_ids text[], p_purged_seq bigint,
    p_hiding_since timestamptz) RETURNS boolean
  LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT ${schema}.publish(p_workspace, p_previous, p_replaces, p_keep, p_snapshot, p_change_seq, p_chunk_seq,
        p_generation, p_settings, p_built_at, p_watermark, p_segments, p_segment_ids) THEN
      RETURN false;
    END IF;
    UPDATE ${schema}.snapshots SET purged_seq = p_purged_seq, hiding_since = p_hiding_since
      WHERE workspace_id = p_workspace AND snapshot_id = p_snapshot;
    DELETE FROM ${schema}.snapshots
      WHERE workspace_id = p_workspace AND snapshot_id <> p_snapshot AND coalesce(purged_seq, 0) < (
        SELECT max(t.change_seq) FROM ${schema}.tombstones t
          WHERE t.workspace_id = p_workspace AND t.change_seq <= p_change_seq);
    IF FOUND THEN
      PERFORM ${schema}.drop_unnamed(p_workspace, NULL);
    END IF;
    RETURN true;
  END $$`
]

export const purgedSnapshots: Migration = { name: "purged_snapshots", oldestCompatible: 1, statements }
