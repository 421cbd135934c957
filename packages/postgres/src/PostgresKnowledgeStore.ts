/** Settings, snapshots and segments on Postgres. */
import { KnownSegments } from "@tributary/core/KnownSegments"
import type { WorkspaceId } from "@tributary/core/model/Id"
import { KnowledgeStore, maskedSince, purgedSeq } from "@tributary/core/ports/KnowledgeStore"
import { RequestHead } from "@tributary/core/ports/RequestHead"
import { getSlices, putSlices } from "@tributary/core/ports/segmentSlices"
import { Effect, Layer } from "effect"
import { arrayLiteral } from "./internal/arrayLiteral.ts"
import { Database } from "./internal/Database.ts"
import { type HeadColumns, headColumns, segmentsIn, toHead } from "./internal/rows/headRows.ts"
import { heldBy } from "./internal/rows/jobRows.ts"
import { JobSignal } from "./internal/JobSignal.ts"
import { moment } from "./internal/moment.ts"
import { LEAST_ID, limitTo } from "./internal/page.ts"
import { execute, stored } from "./internal/storageErrors.ts"
import { asyncCommit } from "./internal/asyncCommit.ts"

export const layer = Layer.effect(
  KnowledgeStore,
  Effect.gen(function*() {
    const database = yield* Database
    const { isOpen, our, sql } = database
    const { announcing } = yield* JobSignal
    const segments = our("segments")
    const lists = new KnownSegments()

    // The lock blocks a concurrent closing of the workspace. The commit that publishes the segment makes it durable.
    const putSlice = (workspaceId: WorkspaceId, segmentId: string, slice: number, last: number, bytes: Uint8Array) =>
      execute(
        sql`WITH cut AS (
            DELETE FROM ${segments} WHERE workspace_id = ${workspaceId}::uuid AND segment_id = ${segmentId}::text
              AND slice > ${last}::integer
          )
          INSERT INTO ${segments} (workspace_id, segment_id, slice, bytes)
          SELECT w.workspace_id, ${segmentId}::text, ${slice}::integer, ${bytes}::bytea
            FROM ${our("workspaces")} w, ${asyncCommit(sql)}
            WHERE w.workspace_id = ${workspaceId}::uuid AND (${slice}::integer = ${last}::integer OR EXISTS (
              SELECT FROM ${segments} n WHERE n.workspace_id = ${workspaceId}::uuid
                AND n.segment_id = ${segmentId}::text AND n.slice = ${slice + 1}::integer))
            FOR KEY SHARE OF w
          ON CONFLICT (workspace_id, segment_id, slice) DO UPDATE SET bytes = excluded.bytes`
      )

    const getSlice = (workspaceId: WorkspaceId, segmentId: string, slice: number) =>
      stored(
        sql<{ readonly bytes: Uint8Array; readonly isLast: boolean }>`SELECT s.bytes, s.slice = (
              SELECT max(m.slice) FROM ${segments} m
                WHERE m.workspace_id = s.workspace_id AND m.segment_id = s.segment_id
            ) AS "isLast"
          FROM ${segments} s
          WHERE s.workspace_id = ${workspaceId}::uuid AND s.segment_id = ${segmentId}::text
            AND s.slice = ${slice}::integer
            AND ${isOpen(workspaceId)}`,
        ([row]) => row
      )

    return KnowledgeStore.of({
      head: (workspaceId) =>
        Effect.flatMap(RequestHead, (place) => {
          const head = place?.take(workspaceId) ?? null
          const known = lists.get(workspaceId)
          return head !== null ? Effect.succeed(head) : stored(
            sql<HeadColumns>`SELECT ${headColumns(sql, known)} FROM ${our("standing")}(${workspaceId}::uuid) h`,
            ([row]) => toHead(row, segmentsIn(lists, workspaceId, known))
          )
        }),

      countPending: (workspaceId, since) =>
        stored(
          sql<{ readonly pending: number }>`SELECT
            ${our("count_changes")}(${workspaceId}::uuid, ${since}::bigint)::double precision AS pending
            WHERE ${isOpen(workspaceId)}`,
          ([row]) => row?.pending ?? 0
        ),

      configure: (workspaceId, settings, rebuild) =>
        announcing(stored(
          sql<HeadColumns>`SELECT * FROM ${our("reconfigure")}(${workspaceId}::uuid,
            ${settings === null ? null : JSON.stringify(settings)}::text, ${JSON.stringify(rebuild)}::text::jsonb)`,
          ([row]) => toHead(row)
        )),

      nextRun: (workspaceId) =>
        stored(
          sql<{ readonly runs: number }>`UPDATE ${our("knowledge")} SET runs = runs + 1
            WHERE workspace_id = ${workspaceId}::uuid RETURNING runs::double precision AS runs`,
          ([row]) => row?.runs ?? 1
        ),

      putSegment: (workspaceId, segmentId, bytes) =>
        putSlices(bytes, (slice, last, part) => putSlice(workspaceId, segmentId, slice, last, part)),

      getSegment: (workspaceId, segmentId) => getSlices((slice) => getSlice(workspaceId, segmentId, slice)),

      publish: (workspaceId, snapshot, { keep, previous, replaces, fencingToken }) =>
        stored(
          sql<{ readonly published: boolean }>`WITH ${
            heldBy(
              database,
              fencingToken,
              sql`SELECT FROM ${our("knowledge")} WHERE workspace_id = ${workspaceId}::uuid FOR UPDATE`
            )
          }
          SELECT ${our("publish")}(${workspaceId}::uuid, ${previous}::uuid,
            ${replaces}::boolean, ${keep}::integer, ${snapshot.snapshot_id}::uuid, ${snapshot.change_seq}::bigint,
            ${snapshot.chunk_seq}::bigint, ${snapshot.generation}::bigint, ${JSON.stringify(snapshot.settings)}::text,
            ${moment(snapshot.built_at)}::timestamptz,
            ${moment(snapshot.watermark)}::timestamptz, ${JSON.stringify(snapshot.segments)}::text,
            ${arrayLiteral(snapshot.segments.map(({ segment_id }) => segment_id))}::text[],
            ${purgedSeq(snapshot)}::bigint, ${moment(maskedSince(snapshot))}::timestamptz) AS published
          WHERE EXISTS (SELECT FROM held)`,
          ([row]) => row?.published === true
        ),

      dropOldSnapshots: (workspaceId) =>
        stored(
          sql<{ readonly dropped: number }>`SELECT ${our("drop_old_snapshots")}(${workspaceId}::uuid) AS dropped`,
          ([row]) => row?.dropped ?? 0
        ),

      // Snapshots of a server of the previous release do not record this; only their bytes show it.
      withMaskedText: (before, { after, limit }) =>
        stored(
          sql<{ readonly workspace_id: WorkspaceId }>`SELECT s.workspace_id::text FROM ${our("snapshots")} s
            WHERE (s.hiding_since IS NOT NULL OR s.purged_seq IS NULL)
              AND (s.hiding_since < ${moment(before)}::timestamptz
                OR s.purged_seq IS NULL AND ${our("hides")}(s.segments))
              AND EXISTS (SELECT FROM ${our("workspaces")} w WHERE w.workspace_id = s.workspace_id)
              AND s.position = (
                SELECT max(p.position) FROM ${our("snapshots")} p WHERE p.workspace_id = s.workspace_id)
              AND s.workspace_id > ${after ?? LEAST_ID}::uuid
            ORDER BY s.workspace_id ${limitTo(sql, limit)}`,
          (rows) => rows.map(({ workspace_id }) => workspace_id)
        ),

      dropSegments: (workspaceId, segmentIds) =>
        execute(
          sql`SELECT ${our("drop_segments")}(${workspaceId}::uuid, ${arrayLiteral(segmentIds)}::text[])::text`
        )
    })
  })
)
