/** Writes of connectors. */
import type { ConnectorChange } from "@tributary/core/ports/ConnectorStore"
import { endingAt } from "@tributary/core/ports/endingAt"
import type { NewJob } from "@tributary/core/ports/JobStore"
import { isOpen } from "../internal/isOpen.ts"
import { changedColumns } from "../internal/changedColumns.ts"
import type { Connector } from "@tributary/core/model/Connector"
import type { ConnectorId, WorkspaceId } from "@tributary/core/model/Id"
import { parseJson } from "@tributary/core/model/parseJson"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import type { Columns } from "../rows/Columns.ts"
import { countersOf } from "./counters.ts"
import { enqueue } from "./jobs.ts"

export const CUSTOM = "instr(source_name, ':') = 0"

export type ConnectorColumns = Columns<Connector, "created_by" | "accepted_kinds" | "metadata">

export const CONNECTOR = "connector_id, name, source_name, created_at, created_by, is_active, accepted_kinds, metadata"

export const toConnector = (row: ConnectorColumns): Connector => ({
  ...row,
  created_at: new Date(row.created_at),
  created_by: JSON.parse(row.created_by),
  is_active: row.is_active === 1,
  accepted_kinds: JSON.parse(row.accepted_kinds),
  metadata: parseJson(row.metadata)
})

export const putConnector = (db: SqliteConnection, workspaceId: WorkspaceId, connector: Connector): void => {
  db.insertRow("connectors", {
    workspace_id: workspaceId,
    connector_id: connector.connector_id,
    name: connector.name,
    source_name: connector.source_name,
    created_at: connector.created_at,
    created_by: JSON.stringify(connector.created_by),
    is_active: connector.is_active,
    accepted_kinds: JSON.stringify(connector.accepted_kinds),
    metadata: JSON.stringify(connector.metadata)
  })
}

export const connectorWrites = {
  insertConnector: (db: SqliteConnection, workspaceId: WorkspaceId, connector: Connector, maximum: number) => {
    if (!isOpen(db, workspaceId)) return "full" as const
    const taken = db.get(
      "SELECT 1 FROM connectors WHERE workspace_id = ? AND source_name = ?",
      workspaceId,
      connector.source_name
    )
    if (taken !== undefined) return "name_taken" as const
    const { held } = db.get<{ readonly held: number }>(
      `SELECT count(*) AS held FROM connectors WHERE workspace_id = ? AND ${CUSTOM}`,
      workspaceId
    )!
    if (held >= maximum) return "full" as const
    putConnector(db, workspaceId, connector)
    return "inserted" as const
  },

  updateConnector: (
    db: SqliteConnection,
    workspaceId: WorkspaceId,
    connectorId: ConnectorId,
    change: ConnectorChange,
    deletion: NewJob | undefined
  ): Connector | null => {
    if (!isOpen(db, workspaceId)) return null
    const { names, values } = changedColumns(change)
    const row = db.get<ConnectorColumns>(
      `UPDATE connectors SET source_name = source_name${names}
        WHERE workspace_id = ? AND connector_id = ? AND ${CUSTOM} RETURNING ${CONNECTOR}`,
      ...values,
      workspaceId,
      connectorId
    )
    if (row === undefined) return null
    if (deletion !== undefined) enqueue(db, endingAt(deletion, countersOf(db, workspaceId)!.change_seq), null)
    return toConnector(row)
  }
}
