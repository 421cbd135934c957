/** The content of the tables, counted row by row, independent of the counters. */
import type { WorkspaceId } from "@tributary/core/model/Id"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const countedIn = Effect.fnUntraced(function*(schema: string, workspaceId: WorkspaceId) {
  const sql = yield* SqlClient.SqlClient
  const our = (table: string) => sql(`${schema}.${table}`)
  const [row] = yield* sql<{
    readonly documents: number
    readonly storage: number
    readonly changes: ReadonlyArray<number>
    readonly events: ReadonlyArray<number>
    readonly change_seq: number
    readonly metered: { readonly documents: number; readonly storage: number }
    readonly strays: number
    readonly jobs: number
  }>`SELECT
    (SELECT count(*)::integer FROM ${our("documents")} WHERE workspace_id = ${workspaceId}::uuid) AS documents,
    (SELECT coalesce(sum(size), 0)::integer FROM ${our("documents")}
    WHERE workspace_id = ${workspaceId}::uuid) AS storage,
    (SELECT coalesce(array_agg(event_seq::integer ORDER BY event_seq), '{}') FROM ${our("events")}
      WHERE workspace_id = ${workspaceId}::uuid) AS events,
    (SELECT coalesce(array_agg(change_seq::integer ORDER BY change_seq), '{}') FROM (
      SELECT change_seq FROM ${our("documents")} WHERE workspace_id = ${workspaceId}::uuid
      UNION ALL SELECT change_seq FROM ${our("tombstones")} WHERE workspace_id = ${workspaceId}::uuid) c) AS changes,
    (SELECT change_seq::integer FROM ${our("counters")} WHERE workspace_id = ${workspaceId}::uuid) AS change_seq,
    (SELECT json_build_object('documents', documents, 'storage', storage) FROM ${our("counters")}
      WHERE workspace_id = ${workspaceId}::uuid) AS metered,
    (SELECT count(*)::integer FROM (
        SELECT document_id FROM ${our("chunks")} UNION ALL SELECT document_id FROM ${our("payloads")}
      ) t LEFT JOIN ${our("documents")} d USING (document_id) WHERE d.document_id IS NULL) AS strays,
    (SELECT count(*)::integer FROM ${our("jobs")} WHERE workspace_id = ${workspaceId}::uuid) AS jobs`
  return row!
})

/** Every row of the workspace in any table but the audit log, which is its account's and outlives it. */
export const rowsOf = Effect.fnUntraced(function*(schema: string, workspaceId: WorkspaceId) {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ readonly name: string }>`SELECT c.table_name::text AS name
    FROM information_schema.columns c
    WHERE c.table_schema = ${schema}::text AND c.column_name = 'workspace_id' AND c.table_name <> 'audit_log'`
  const rows: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = yield* sql<{ readonly count: number }>`SELECT count(*)::integer AS count
      FROM ${sql(`${schema}.${name}`)}
      WHERE workspace_id = ${workspaceId}::uuid`
    rows[name] = row!.count
  }
  return rows
})
