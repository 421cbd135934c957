/** Settings, snapshots and segments. */
import type { Migration } from "./Migration.ts"

const HEAD = `settings text, generation double precision, change_seq double precision, pending double precision,
  snapshot_id text, snapshot_change_seq double precision, snapshot_generation double precision,
  snapshot_settings text, built_at timestamptz, watermark timestamptz, segments text`

const statements: Migration["statements"] = (schema) => [
  `CREATE TABLE ${schema}.knowledge (
    workspace_id uuid PRIMARY KEY,
    settings text,
    generation bigint NOT NULL DEFAULT 0,
    runs bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 50)`,
  // The published one has the greatest position.
  `CREATE TABLE ${schema}.snapshots (
    workspace_id uuid NOT NULL,
    position bigint NOT NULL,
    snapshot_id uuid NOT NULL,
    change_seq bigint NOT NULL,
    generation bigint NOT NULL,
    settings text NOT NULL,
    built_at timestamptz NOT NULL,
    watermark timestamptz,
    segments text NOT NULL,
    segment_ids text[] NOT NULL,
    PRIMARY KEY (workspace_id, position)
  )`,
  `CREATE TABLE ${schema}.segments (
    workspace_id uuid NOT NULL,
    segment_id text COLLATE "C" NOT NULL,
    slice integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (workspace_id, segment_id, slice)
  )`,
  // Segments are dense already.
  `ALTER TABLE ${schema}.segments ALTER COLUMN bytes SET STORAGE EXTERNAL`,

  `CREATE FUNCTION ${schema}.head(p_workspace uuid) RETURNS TABLE (${HEAD})
  LANGUAGE sql STABLE AS $$
    SELECT k.settings, k.generation::double precision, c.change_seq::double precision, (
        SELECT count(*) FROM ${schema}.documents d
          WHERE d.workspace_id = p_workspace AND d.change_seq > coalesce(s.change_seq, 0)
      )::double precision + (
        SELECT count(*) FROM ${schema}.tombstones t
          WHERE t.workspace_id = p_workspace AND t.change_seq > coalesce(s.change_seq, 0)
      )::double precision,
      s.snapshot_id::text, s.change_seq::double precision, s.generation::double precision, s.settings, s.built_at,
      s.watermark, s.segments
    FROM ${schema}.knowledge k
    JOIN ${schema}.counters c ON c.workspace_id = k.workspace_id
    LEFT JOIN LATERAL (
      SELECT * FROM ${schema}.snapshots WHERE workspace_id = p_workspace ORDER BY position DESC LIMIT 1
    ) s ON true
    WHERE k.workspace_id = p_workspace
  $$`,

  // Answers with no row for a workspace that is not open.
  `CREATE FUNCTION ${schema}.configure(p_workspace uuid, p_settings text, p_rebuild jsonb) RETURNS TABLE (${HEAD})
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
    RETURN QUERY SELECT * FROM ${schema}.head(p_workspace);
  END $$`,

  // Only among the candidates when there are any: a build under way has stored segments that nothing names yet.
  `CREATE FUNCTION ${schema}.drop_unnamed(p_workspace uuid, p_candidates text[]) RETURNS void LANGUAGE sql AS $$
    DELETE FROM ${schema}.segments
      WHERE workspace_id = p_workspace AND (p_candidates IS NULL OR segment_id = ANY (p_candidates))
        AND segment_id NOT IN (
          SELECT unnest(s.segment_ids) FROM ${schema}.snapshots s WHERE s.workspace_id = p_workspace)
  $$`,

  `CREATE FUNCTION ${schema}.publish(p_workspace uuid, p_previous uuid, p_replaces boolean, p_keep integer,
    p_snapshot uuid, p_change_seq bigint, p_generation bigint, p_settings text, p_built_at timestamptz,
    p_watermark timestamptz, p_segments text, p_segment_ids text[]) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    v_generation bigint;
    v_published ${schema}.snapshots;
  BEGIN
    SELECT generation INTO v_generation FROM ${schema}.knowledge WHERE workspace_id = p_workspace FOR UPDATE;
    IF NOT FOUND OR v_generation <> p_generation THEN
      RETURN false;
    END IF;
    SELECT * INTO v_published FROM ${schema}.snapshots
      WHERE workspace_id = p_workspace ORDER BY position DESC LIMIT 1;
    IF v_published.snapshot_id IS DISTINCT FROM p_previous OR p_change_seq < v_published.change_seq OR EXISTS (
      SELECT FROM unnest(p_segment_ids) AS named(id) WHERE NOT EXISTS (
        SELECT FROM ${schema}.segments s
          WHERE s.workspace_id = p_workspace AND s.segment_id = named.id AND s.slice = 0)
    ) THEN
      RETURN false;
    END IF;
    IF p_replaces THEN
      DELETE FROM ${schema}.snapshots WHERE workspace_id = p_workspace AND position = v_published.position;
    END IF;
    INSERT INTO ${schema}.snapshots VALUES (p_workspace, coalesce(v_published.position, 0) + 1, p_snapshot,
      p_change_seq, p_generation, p_settings, p_built_at, p_watermark, p_segments, p_segment_ids);
    DELETE FROM ${schema}.snapshots WHERE workspace_id = p_workspace AND position NOT IN (
      SELECT position FROM ${schema}.snapshots
        WHERE workspace_id = p_workspace ORDER BY position DESC LIMIT greatest(p_keep, 1));
    PERFORM ${schema}.drop_unnamed(p_workspace, NULL);
    RETURN true;
  END $$`,

  `CREATE FUNCTION ${schema}.drop_old_snapshots(p_workspace uuid) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    v_dropped integer;
    v_named text[];
  BEGIN
    PERFORM FROM ${schema}.knowledge WHERE workspace_id = p_workspace FOR UPDATE;
    IF NOT FOUND THEN
      RETURN 0;
    END IF;
    WITH old AS (
      DELETE FROM ${schema}.snapshots WHERE workspace_id = p_workspace AND position < (
        SELECT max(position) FROM ${schema}.snapshots WHERE workspace_id = p_workspace)
      RETURNING segment_ids
    )
    SELECT count(*), coalesce((SELECT array_agg(id) FROM old o, unnest(o.segment_ids) AS named(id)), '{}')
      INTO v_dropped, v_named FROM old;
    PERFORM ${schema}.drop_unnamed(p_workspace, v_named);
    RETURN v_dropped;
  END $$`,

  `CREATE FUNCTION ${schema}.drop_segments(p_workspace uuid, p_segment_ids text[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM ${schema}.knowledge WHERE workspace_id = p_workspace FOR UPDATE;
    IF FOUND THEN
      PERFORM ${schema}.drop_unnamed(p_workspace, p_segment_ids);
    END IF;
  END $$`
]

export const knowledge: Migration = { name: "knowledge", oldestCompatible: 1, statements }
