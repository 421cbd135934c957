/** Writes of the events of documents. */
import type { Event } from "@tributary/core/model/Document"
import type { WorkspaceId } from "@tributary/core/model/Id"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import type { Columns } from "../rows/Columns.ts"

type NewEvent = Columns<Event, "metadata"> & { readonly event_seq: number }

export const insertEvent = (db: SqliteConnection, workspaceId: WorkspaceId, event: NewEvent): void => {
  db.run(
    `INSERT INTO events (workspace_id, event_seq, event_id, type, source, kind, external_id, document_id,
      timestamp, created_at, metadata) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    workspaceId,
    event.event_seq,
    event.event_id,
    event.type,
    event.source,
    event.kind,
    event.external_id,
    event.document_id,
    event.timestamp,
    event.created_at,
    event.metadata
  )
}
