/** Syncs that have ended, in SQLite. */
import type { SyncRun } from "@tributary/core/model/SyncRun"
import { SyncRunStore } from "@tributary/core/ports/SyncRunStore"
import { Effect, Layer } from "effect"
import { Database } from "./internal/Database.ts"
import { type Columns, date } from "./rows/Columns.ts"

type RunColumns = Columns<SyncRun, "left_out">

const RUN = `run_id, connection_id, resource, status, started_at, ended_at, items_ingested, items_deleted,
  deletions_held, left_out, error, next_attempt_at`

const toRun = (row: RunColumns): SyncRun => ({
  ...row,
  started_at: new Date(row.started_at),
  ended_at: new Date(row.ended_at),
  left_out: JSON.parse(row.left_out),
  next_attempt_at: date(row.next_attempt_at)
})

export const layer = Layer.effect(
  SyncRunStore,
  Effect.gen(function*() {
    const { readOpen, write } = yield* Database

    return {
      append: (workspaceId, run, kept) => write("appendSyncRun", workspaceId, run, kept),

      list: (workspaceId, connectionId, { after, limit, resource }) =>
        readOpen(workspaceId, [], (db) =>
          db.all<RunColumns>(
            `SELECT ${RUN} FROM sync_runs WHERE connection_id = ?1 AND +workspace_id = ?2
                  AND ${resource === null ? "?3 IS NULL" : "resource = ?3"}
                  AND ${after === null ? "?4 IS NULL" : "run_id < ?4"} ORDER BY run_id DESC LIMIT ?5`,
            connectionId,
            workspaceId,
            resource,
            after,
            limit
          ).map(toRun))
    }
  })
)
