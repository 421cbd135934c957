/** Writes of connections. */
import { putConnector } from "./connectors.ts"
import type { ConnectionId, WorkspaceId } from "@tributary/core/model/Id"
import { parseJson } from "@tributary/core/model/parseJson"
import type { ConnectionChange, ConnectionFrom, ConnectionRecord } from "@tributary/core/ports/ConnectionStore"
import type { NewJob } from "@tributary/core/ports/JobStore"
import { originOf } from "@tributary/core/ports/originOf"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import { isOpen } from "../internal/isOpen.ts"
import { enqueue } from "./jobs.ts"
import { addStates, type StateRow } from "./syncStates.ts"
import type { Columns } from "../rows/Columns.ts"
import { changedColumns } from "../internal/changedColumns.ts"

export type ConnectionColumns = Columns<ConnectionRecord, "config" | "sync_config" | "resources" | "created_by">

export const CONNECTION = `connection_id, provider, name, config, secrets, sync_config, resources, connected_at,
  created_by, status, error, revision`

export const toConnection = (row: ConnectionColumns): ConnectionRecord => ({
  ...row,
  config: parseJson(row.config),
  sync_config: JSON.parse(row.sync_config),
  resources: JSON.parse(row.resources),
  connected_at: new Date(row.connected_at),
  created_by: JSON.parse(row.created_by)
})

const put = (db: SqliteConnection, workspaceId: WorkspaceId, connection: ConnectionRecord): void => {
  db.insertRow("connections", {
    workspace_id: workspaceId,
    connection_id: connection.connection_id,
    provider: connection.provider,
    name: connection.name,
    config: JSON.stringify(connection.config),
    secrets: connection.secrets,
    sync_config: JSON.stringify(connection.sync_config),
    resources: JSON.stringify(connection.resources),
    connected_at: connection.connected_at,
    created_by: JSON.stringify(connection.created_by),
    status: connection.status,
    error: connection.error,
    revision: connection.revision
  })
}

export const connectionWrites = {
  insertConnection: (
    db: SqliteConnection,
    workspaceId: WorkspaceId,
    connection: ConnectionRecord,
    maximum: number,
    states: ReadonlyArray<StateRow>
  ) => {
    const { held } = db.get<{ readonly held: number }>(
      "SELECT count(*) AS held FROM connections WHERE workspace_id = ?",
      workspaceId
    )!
    if (!isOpen(db, workspaceId) || held >= maximum) return "full" as const
    put(db, workspaceId, connection)
    putConnector(db, workspaceId, originOf(connection))
    addStates(db, workspaceId, states)
    return "inserted" as const
  },

  updateConnection: (
    db: SqliteConnection,
    workspaceId: WorkspaceId,
    connectionId: ConnectionId,
    change: ConnectionChange,
    from: ConnectionFrom,
    states: ReadonlyArray<StateRow>
  ): ConnectionRecord | null => {
    if (!isOpen(db, workspaceId)) return null
    const { names, values } = changedColumns(change)
    const row = db.get<ConnectionColumns>(
      `UPDATE connections SET provider = provider${names}
        WHERE workspace_id = ? AND connection_id = ? AND status = coalesce(?, status)
          AND revision = coalesce(?, revision) AND sync_config = coalesce(?, sync_config)
        RETURNING ${CONNECTION}`,
      ...values,
      workspaceId,
      connectionId,
      from.status ?? null,
      from.revision ?? null,
      from.sync_config === undefined ? null : JSON.stringify(from.sync_config)
    )
    if (row === undefined) return null
    addStates(db, workspaceId, states)
    db.run("UPDATE connectors SET is_active = ? WHERE connector_id = ?", row.status !== "paused", connectionId)
    return toConnection(row)
  },

  resealConnection: (
    db: SqliteConnection,
    workspaceId: WorkspaceId,
    connectionId: ConnectionId,
    before: string,
    after: string
  ): boolean =>
    isOpen(db, workspaceId) &&
    db.run(
        "UPDATE connections SET secrets = ? WHERE workspace_id = ? AND connection_id = ? AND secrets = ?",
        after,
        workspaceId,
        connectionId,
        before
      ) > 0,

  removeConnection: (
    db: SqliteConnection,
    workspaceId: WorkspaceId,
    connectionId: ConnectionId,
    deletion?: NewJob
  ): boolean => {
    if (!isOpen(db, workspaceId)) return false
    const removed = db.run(
      "DELETE FROM connections WHERE workspace_id = ? AND connection_id = ?",
      workspaceId,
      connectionId
    )
    if (removed === 0) return false
    db.run("DELETE FROM sync_states WHERE connection_id = ?", connectionId)
    db.run("DELETE FROM sync_runs WHERE connection_id = ?", connectionId)
    db.run("DELETE FROM source_deletions WHERE connection_id = ?", connectionId)
    db.run("UPDATE connectors SET is_active = 0 WHERE connector_id = ?", connectionId)
    if (deletion !== undefined) enqueue(db, deletion, null)
    return true
  }
}
