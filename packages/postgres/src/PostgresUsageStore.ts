/** Counts of requests on Postgres. */
import { type StoredDay, type UsageCount, UsageStore } from "@tributary/core/ports/UsageStore"
import { Effect, Layer } from "effect"
import type { Columns } from "./internal/rows/Columns.ts"
import { arrayLiteral } from "./internal/arrayLiteral.ts"
import { Database } from "./internal/Database.ts"
import { limitTo } from "./internal/page.ts"
import { deleteSteps, type Pruned, pruneSteps } from "./internal/pruning.ts"
import { execute, stored } from "./internal/storageErrors.ts"

type DayColumns = Columns<StoredDay, "counts">

/** The number of days of workspaces, or of writers, deleted at a time. */
const STEP = 100

export const layer = Layer.effect(
  UsageStore,
  Effect.gen(function*() {
    const { isOpen, our, sql } = yield* Database

    return {
      add: ({ day, number, usage, writer }) => {
        const counts = usage.flatMap(({ counts, workspace_id }) => counts.map((count) => ({ ...count, workspace_id })))
        const all = (read: (count: UsageCount & { readonly workspace_id: string }) => string | number) =>
          arrayLiteral(counts.map(read))
        return execute(
          // Rows are locked in one order, so that two nodes which add at once wait for each other in turn.
          sql`WITH fresh AS (
              INSERT INTO ${our("usage_writers")} AS t (writer, number, day)
              VALUES (${writer}::uuid, ${number}::bigint, ${day}::date)
              ON CONFLICT (writer) DO UPDATE SET number = excluded.number, day = excluded.day
                WHERE t.number < excluded.number
              RETURNING 1
            ), sized AS (
              INSERT INTO ${our("usage_days")} (workspace_id, day, documents, storage)
              SELECT w.workspace_id, ${day}::date, coalesce(c.documents, 0), coalesce(c.storage, 0)
              FROM unnest(${arrayLiteral(usage.map(({ workspace_id }) => workspace_id))}::uuid[]) AS u(workspace_id)
              JOIN ${our("workspaces")} w ON w.workspace_id = u.workspace_id
              LEFT JOIN ${our("counters")} c ON c.workspace_id = w.workspace_id
              WHERE EXISTS (SELECT FROM fresh)
              ORDER BY w.workspace_id FOR KEY SHARE OF w
              ON CONFLICT (workspace_id, day) DO UPDATE SET documents = excluded.documents, storage = excluded.storage
            )
            INSERT INTO ${our("usage_counts")} AS t (workspace_id, day, operation, outcome, bucket, requests)
            SELECT w.workspace_id, ${day}::date, u.operation, u.outcome, u.bucket, u.requests
            FROM unnest(${all(({ workspace_id }) => workspace_id)}::uuid[],
              ${all(({ operation }) => operation)}::text[], ${all(({ outcome }) => outcome)}::text[],
              ${all(({ bucket }) => bucket)}::integer[], ${all(({ requests }) => requests)}::bigint[]
            ) AS u(workspace_id, operation, outcome, bucket, requests)
            JOIN ${our("workspaces")} w ON w.workspace_id = u.workspace_id
            WHERE EXISTS (SELECT FROM fresh)
            ORDER BY w.workspace_id, u.operation, u.outcome, u.bucket FOR KEY SHARE OF w
            ON CONFLICT (workspace_id, day, operation, outcome, bucket)
              DO UPDATE SET requests = t.requests + excluded.requests`
        )
      },

      history: (workspaceId, since) =>
        stored(
          sql<DayColumns>`SELECT to_char(d.day, 'YYYY-MM-DD') AS day, d.documents::float8 AS documents,
              d.storage::float8 AS storage, coalesce((
                SELECT json_agg(json_build_object('operation', c.operation, 'outcome', c.outcome, 'bucket', c.bucket,
                  'requests', c.requests))
                FROM ${our("usage_counts")} c WHERE c.workspace_id = d.workspace_id AND c.day = d.day
              ), '[]')::text AS counts
            FROM ${our("usage_days")} d
            WHERE d.workspace_id = ${workspaceId}::uuid AND d.day >= ${since}::date
              AND ${isOpen(workspaceId)}
            ORDER BY d.day`,
          (rows) => rows.map((row): StoredDay => ({ ...row, counts: JSON.parse(row.counts) }))
        ),

      prune: (day) =>
        Effect.andThen(
          deleteSteps(
            sql,
            STEP,
            our("usage_writers"),
            sql`SELECT ctid FROM ${our("usage_writers")} WHERE day < ${day}::date ORDER BY day ${limitTo(sql, STEP)}`
          ),
          Effect.asVoid(pruneSteps(
            STEP,
            sql<Pruned>`WITH gone AS (
              DELETE FROM ${our("usage_days")} WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM ${our("usage_days")} WHERE day < ${day}::date ORDER BY day ${limitTo(sql, STEP)}))
              RETURNING workspace_id, day
            ), counts AS (
              DELETE FROM ${our("usage_counts")} WHERE ctid = ANY (ARRAY(
                SELECT q.ctid FROM gone g CROSS JOIN LATERAL (
                  SELECT c.ctid FROM ${our("usage_counts")} c
                    WHERE c.workspace_id = g.workspace_id AND c.day = g.day OFFSET 0
                ) q))
            ) SELECT count(*)::integer AS pruned FROM gone`
          ))
        )
    }
  })
)
