/** Settings, snapshots and segments on Postgres. */
import type { SnapshotId } from "@tributary/core/model/Id"
import { DEFAULT_SETTINGS } from "@tributary/core/model/KnowledgeSettings"
import { type Head, KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import { Effect, Layer, Option } from "effect"
import { arrayLiteral } from "./internal/arrayLiteral.ts"
import { Database } from "./internal/Database.ts"
import { JobSignal } from "./internal/JobSignal.ts"
import { moment } from "./internal/moment.ts"
import { stored } from "./internal/storageErrors.ts"

/** A segment is kept in slices of this many bytes. */
const SLICE = 1024 * 1024

interface HeadColumns {
  readonly settings: string | null
  readonly generation: number
  readonly change_seq: number
  readonly pending: number
  /** Null, and all that follows with it, when nothing was published. */
  readonly snapshot_id: SnapshotId | null
  readonly snapshot_change_seq: number
  readonly snapshot_generation: number
  readonly snapshot_settings: string
  readonly built_at: Date
  readonly watermark: Date | null
  readonly segments: string
}

const toHead = ([row]: ReadonlyArray<HeadColumns>): Head => {
  if (row === undefined) return { settings: DEFAULT_SETTINGS, generation: 0, change_seq: 0, snapshot: null, pending: 0 }
  const { change_seq, generation, pending, settings } = row
  return {
    settings: settings === null ? DEFAULT_SETTINGS : JSON.parse(settings),
    generation,
    change_seq,
    pending,
    snapshot: row.snapshot_id === null ? null : {
      snapshot_id: row.snapshot_id,
      change_seq: row.snapshot_change_seq,
      generation: row.snapshot_generation,
      settings: JSON.parse(row.snapshot_settings),
      built_at: row.built_at,
      watermark: row.watermark,
      segments: JSON.parse(row.segments)
    }
  }
}

const joined = (slices: ReadonlyArray<{ readonly bytes: Uint8Array }>): Uint8Array => {
  const bytes = new Uint8Array(slices.reduce((length, slice) => length + slice.bytes.length, 0))
  let at = 0
  for (const slice of slices) {
    bytes.set(slice.bytes, at)
    at += slice.bytes.length
  }
  return bytes
}

export const layer = Layer.effect(
  KnowledgeStore,
  Effect.gen(function*() {
    const { our, sql } = yield* Database
    const { announcing } = yield* JobSignal
    const segments = our("segments")

    return KnowledgeStore.of({
      head: (workspaceId) => stored(sql<HeadColumns>`SELECT * FROM ${our("head")}(${workspaceId}::uuid)`, toHead),

      configure: (workspaceId, settings, rebuild) =>
        announcing(stored(
          sql<HeadColumns>`SELECT * FROM ${our("configure")}(${workspaceId}::uuid,
            ${settings === null ? null : JSON.stringify(settings)}::text, ${JSON.stringify(rebuild)}::text::jsonb)`,
          toHead
        )),

      nextRun: (workspaceId) =>
        stored(
          sql<{ readonly runs: number }>`UPDATE ${our("knowledge")} SET runs = runs + 1
            WHERE workspace_id = ${workspaceId}::uuid RETURNING runs::double precision AS runs`,
          ([row]) => row?.runs ?? 1
        ),

      // Sent whole and cut there: one statement, and no array of byte strings, which not every driver can send. What a
      // longer one of the same name had beyond the end goes away. The lock holds back whoever closes the workspace.
      putSegment: (workspaceId, segmentId, bytes) =>
        stored(
          sql`WITH whole AS MATERIALIZED (
              SELECT ${bytes}::bytea AS bytes FROM ${our("workspaces")}
                WHERE workspace_id = ${workspaceId}::uuid FOR KEY SHARE
            ), cut AS (
              DELETE FROM ${segments} s USING whole WHERE s.workspace_id = ${workspaceId}::uuid
                AND s.segment_id = ${segmentId}::text AND s.slice > (length(whole.bytes) - 1) / ${SLICE}::integer
            )
            INSERT INTO ${segments} (workspace_id, segment_id, slice, bytes)
            SELECT ${workspaceId}::uuid, ${segmentId}::text, n, substring(whole.bytes FROM n * ${SLICE}::integer + 1
              FOR ${SLICE}::integer)
            FROM whole, generate_series(0, greatest(length(whole.bytes) - 1, 0) / ${SLICE}::integer) AS n
            ON CONFLICT (workspace_id, segment_id, slice) DO UPDATE SET bytes = excluded.bytes`,
          () => undefined
        ),

      getSegment: (workspaceId, segmentId) =>
        stored(
          sql<{ readonly bytes: Uint8Array }>`SELECT s.bytes FROM ${segments} s
            WHERE s.workspace_id = ${workspaceId}::uuid AND s.segment_id = ${segmentId}::text
              AND EXISTS (SELECT FROM ${our("workspaces")} w WHERE w.workspace_id = ${workspaceId}::uuid)
            ORDER BY s.slice`,
          (slices) => slices.length === 0 ? Option.none() : Option.some(joined(slices))
        ),

      publish: (workspaceId, snapshot, { keep, previous, replaces }) =>
        stored(
          sql<{ readonly published: boolean }>`SELECT ${our("publish")}(${workspaceId}::uuid, ${previous}::uuid,
            ${replaces}::boolean, ${keep}::integer, ${snapshot.snapshot_id}::uuid, ${snapshot.change_seq}::bigint,
            ${snapshot.generation}::bigint, ${JSON.stringify(snapshot.settings)}::text,
            ${moment(snapshot.built_at)}::timestamptz,
            ${moment(snapshot.watermark)}::timestamptz, ${JSON.stringify(snapshot.segments)}::text,
            ${arrayLiteral(snapshot.segments.map(({ segment_id }) => segment_id))}::text[]) AS published`,
          ([row]) => row?.published === true
        ),

      dropOldSnapshots: (workspaceId) =>
        stored(
          sql<{ readonly dropped: number }>`SELECT ${our("drop_old_snapshots")}(${workspaceId}::uuid) AS dropped`,
          ([row]) => row?.dropped ?? 0
        ),

      dropSegments: (workspaceId, segmentIds) =>
        stored(
          sql`SELECT ${our("drop_segments")}(${workspaceId}::uuid, ${arrayLiteral(segmentIds)}::text[])::text`,
          () => undefined
        )
    })
  })
)
