/** Pages of the event log. */
import type { DocumentId, WorkspaceId } from "@tributary/core/model/Id"
import { parseJson } from "@tributary/core/model/parseJson"
import type { EventRecord } from "@tributary/core/ports/DocumentStore"
import { isOpen } from "../internal/isOpen.ts"
import type { Columns } from "../rows/Columns.ts"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"

export interface EventPage {
  readonly since: number
  readonly source: string | null
  readonly kind: string | null
  readonly limit: number
}

const EVENT = "event_id, type, source, kind, external_id, document_id, timestamp, created_at, metadata, event_seq"

const toEvent = (row: Columns<EventRecord, "metadata">): EventRecord => ({
  ...row,
  timestamp: new Date(row.timestamp),
  created_at: new Date(row.created_at),
  metadata: parseJson(row.metadata)
})

export const listEventsOf = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  documentId: DocumentId,
  { limit, since }: Pick<EventPage, "since" | "limit">
): ReadonlyArray<EventRecord> =>
  isOpen(db, workspaceId)
    ? db.all<Columns<EventRecord, "metadata">>(
      `SELECT ${EVENT} FROM events WHERE workspace_id = ?1 AND document_id = ?2 AND event_seq > ?3
        ORDER BY event_seq LIMIT ?4`,
      workspaceId,
      documentId,
      since,
      limit
    ).map(toEvent)
    : []

/** A filter that matches nothing walks the whole log. */
export const listEvents = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  { kind, limit, since, source }: EventPage
): ReadonlyArray<EventRecord> =>
  isOpen(db, workspaceId)
    ? db.all<Columns<EventRecord, "metadata">>(
      `SELECT ${EVENT} FROM events WHERE workspace_id = ?1 AND event_seq > ?2
        AND (?3 IS NULL OR source = ?3 OR substr(source, 1, length(?3) + 1) = ?3 || ':')
        AND (?4 IS NULL OR kind = ?4) ORDER BY event_seq LIMIT ?5`,
      workspaceId,
      since,
      source,
      kind,
      limit
    ).map(toEvent)
    : []
