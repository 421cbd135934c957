/** Writes of the sync states of resources. */
import { enqueue, mayWrite, type TimedFencingToken } from "./jobs.ts"
import type { JobId, WorkspaceId } from "@tributary/core/model/Id"
import type { ResourceRef } from "@tributary/core/ports/ConnectionStore"
import type { NewJob } from "@tributary/core/ports/JobStore"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import { isOpen } from "../internal/isOpen.ts"

export interface StateColumns {
  readonly job_id: JobId | null
  readonly due_at: number | null
  /** The fields without a column of their own, as JSON. */
  readonly state: string
}

export interface StateRow extends StateColumns, ResourceRef {
  readonly is_live: boolean
  /** As JSON, because a lone surrogate has no UTF-8 form. */
  readonly cursor: string
}

export const OF_RESOURCE = "workspace_id = ? AND connection_id = ? AND resource = ?"

/** Of a connection of the workspace, for resources without one. */
export const addStates = (db: SqliteConnection, workspaceId: WorkspaceId, states: ReadonlyArray<StateRow>): void => {
  for (const state of states) {
    db.run(
      `INSERT INTO sync_states (workspace_id, connection_id, resource, job_id, due_at, is_live, state, cursor)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      workspaceId,
      state.connection_id,
      state.resource,
      state.job_id,
      state.due_at,
      state.is_live,
      state.state,
      state.cursor
    )
  }
}

export const syncStateWrites = {
  saveState: (
    db: SqliteConnection,
    workspaceId: WorkspaceId,
    row: StateRow,
    holder: JobId | null,
    follow: NewJob | null,
    fencingToken: TimedFencingToken | undefined
  ): boolean => {
    if (!mayWrite(db, fencingToken)) return false
    const { connection_id, cursor, due_at, is_live, job_id, resource, state } = row
    const known = db.get<{ readonly job_id: JobId | null; readonly is_live: number }>(
      `SELECT job_id, is_live FROM sync_states WHERE ${OF_RESOURCE}`,
      workspaceId,
      connection_id,
      resource
    )
    if (known === undefined || known.job_id !== holder || !isOpen(db, workspaceId)) return false
    if (follow !== null) {
      const live = db.get("SELECT 1 FROM jobs WHERE job_id = ? AND status IN ('queued', 'running')", holder)
      if (known.is_live === 1 && live !== undefined) return false
      enqueue(db, follow, null)
    }
    db.run(
      `UPDATE sync_states SET job_id = ?, due_at = ?, is_live = ?, state = ?, cursor = ? WHERE ${OF_RESOURCE}`,
      job_id,
      due_at,
      is_live,
      state,
      cursor,
      workspaceId,
      connection_id,
      resource
    )
    return true
  },

  noteDeletions: (
    db: SqliteConnection,
    workspaceId: WorkspaceId,
    { connection_id, resource }: ResourceRef,
    { gone, there }: { readonly gone: ReadonlyArray<string>; readonly there: ReadonlyArray<string> },
    fencingToken: TimedFencingToken | undefined
  ): void => {
    if (!isOpen(db, workspaceId) || !mayWrite(db, fencingToken)) return
    db.run(
      `DELETE FROM source_deletions WHERE ${OF_RESOURCE} AND external_id IN (SELECT value FROM json_each(?))`,
      workspaceId,
      connection_id,
      resource,
      JSON.stringify(there)
    )
    // In this order: otherwise SQLite walks all documents of the connection, for an empty list as well.
    db.run(
      `INSERT INTO source_deletions (workspace_id, connection_id, resource, external_id)
        SELECT c.workspace_id, c.connection_id, ?3, d.external_id FROM json_each(?4) g
        CROSS JOIN connections c ON c.connection_id = ?2 AND c.workspace_id = ?1
        CROSS JOIN documents d ON d.connector_id = c.connection_id AND d.external_id = g.value
        WHERE true ON CONFLICT DO NOTHING`,
      workspaceId,
      connection_id,
      resource,
      JSON.stringify(gone)
    )
  }
}
