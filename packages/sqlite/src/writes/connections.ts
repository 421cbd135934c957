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

const columnsOf = (change: ConnectionChange): ReadonlyArray<readonly [string, string | number | null]> =>
  Object.entries(change).filter(([, value]) => value !== undefined).map(([name, value]) => [
    name,
    value !== null && typeof value === "object" ? JSON.stringify(value) : value
  ])

const put = (db: SqliteConnection, workspaceId: WorkspaceId, connection: ConnectionRecord): void => {
  db.run(
    `INSERT INTO connections (workspace_id, ${CONNECTION}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    workspaceId,
    connection.connection_id,
    connection.provider,
    connection.name,
    JSON.stringify(connection.config),
    connection.secrets,
    JSON.stringify(connection.sync_config),
    JSON.stringify(connection.resources),
    connection.connected_at,
    JSON.stringify(connection.created_by),
    connection.status,
    connection.error,
    connection.revision
  )
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
    const columns = columnsOf(change)
    const row = db.get<ConnectionColumns>(
      `UPDATE connections SET provider = provider${columns.map(([name]) => `, ${name} = ?`).join("")}
        WHERE workspace_id = ? AND connection_id = ? AND status = coalesce(?, status)
          AND revision = coalesce(?, revision) AND sync_config = coalesce(?, sync_config)
        RETURNING ${CONNECTION}`,
      ...columns.map(([, value]) => value),
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
