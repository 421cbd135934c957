/** Syncs that have ended, on Postgres. */
import type { SyncRun } from "@tributary/core/model/SyncRun"
import { SyncRunStore } from "@tributary/core/ports/SyncRunStore"
import { Effect, Layer } from "effect"
import type { Columns } from "./internal/rows/Columns.ts"
import { Database } from "./internal/Database.ts"
import { moment } from "./internal/moment.ts"
import { GREATEST_ID, limitTo } from "./internal/page.ts"
import { execute, stored } from "./internal/storageErrors.ts"

type RunColumns = Columns<SyncRun, "left_out">

const toRun = (row: RunColumns): SyncRun => ({ ...row, left_out: JSON.parse(row.left_out) })

/** The maximum number of old runs that are deleted with a new one. */
const TRIMMED = 100

export const layer = Layer.effect(
  SyncRunStore,
  Effect.gen(function*() {
    const { our, sql } = yield* Database

    return {
      append: (workspaceId, run, kept) =>
        execute(
          // The lock blocks a concurrent removal of the connection. The deletion does not see the new row.
          sql`WITH added AS (
              INSERT INTO ${our("sync_runs")} (workspace_id, connection_id, resource, run_id, status, started_at,
                ended_at, items_ingested, items_deleted, deletions_held, left_out, error, next_attempt_at)
              SELECT c.workspace_id, c.connection_id, ${run.resource}::text, ${run.run_id}::uuid, ${run.status}::text,
                ${moment(run.started_at)}::timestamptz, ${moment(run.ended_at)}::timestamptz,
                ${run.items_ingested}::integer, ${run.items_deleted}::integer, ${run.deletions_held}::integer,
                ${JSON.stringify(run.left_out)}::text, ${run.error}::text,
                ${moment(run.next_attempt_at)}::timestamptz
              FROM ${our("connections")} c
              WHERE c.connection_id = ${run.connection_id}::uuid AND c.workspace_id = ${workspaceId}::uuid
                AND EXISTS (SELECT FROM ${our("workspaces")} w WHERE w.workspace_id = ${workspaceId}::uuid OFFSET 0)
              FOR KEY SHARE OF c
              ON CONFLICT DO NOTHING
              RETURNING 1
            )
            DELETE FROM ${our("sync_runs")} WHERE ctid = ANY (ARRAY(
              SELECT q.ctid FROM (
                SELECT q.ctid, q.connection_id, q.resource FROM ${our("sync_runs")} q
                WHERE (q.connection_id, q.resource, q.run_id)
                  < (${run.connection_id}::uuid, ${run.resource}::text, ${GREATEST_ID}::uuid)
                ORDER BY q.connection_id DESC, q.resource DESC, q.run_id DESC
                OFFSET ${kept - 1}::integer ${limitTo(sql, TRIMMED)}
              ) q
              WHERE q.connection_id = ${run.connection_id}::uuid AND q.resource = ${run.resource}::text
                AND EXISTS (SELECT FROM added)))`
        ),

      list: (workspaceId, connectionId, { after, limit, resource }) => {
        const id = after ?? GREATEST_ID
        // The first rows in the order of an index: no plan takes them for most of the table.
        const before = resource === null
          ? sql`(q.connection_id, q.run_id) < (${connectionId}::uuid, ${id}::uuid)
            ORDER BY q.connection_id DESC, q.run_id DESC`
          : sql`(q.connection_id, q.resource, q.run_id) < (${connectionId}::uuid, ${resource}::text, ${id}::uuid)
            ORDER BY q.connection_id DESC, q.resource DESC, q.run_id DESC`
        return stored(
          sql<RunColumns>`SELECT q.run_id::text AS run_id, q.connection_id::text AS connection_id, q.resource, q.status,
              q.started_at, q.ended_at, q.items_ingested, q.items_deleted, q.deletions_held, q.left_out, q.error,
              q.next_attempt_at
            FROM (SELECT * FROM ${our("sync_runs")} q WHERE ${before} ${limitTo(sql, limit)}) q
            WHERE q.connection_id = ${connectionId}::uuid AND q.workspace_id = ${workspaceId}::uuid
              AND ${resource === null ? sql.literal("true") : sql`q.resource = ${resource}::text`}
              AND EXISTS (SELECT FROM ${our("workspaces")} w WHERE w.workspace_id = ${workspaceId}::uuid OFFSET 0)
            ORDER BY q.run_id DESC`,
          (rows) => rows.map(toRun)
        )
      }
    }
  })
)
