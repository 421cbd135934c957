/** The reads that may take long, by name: they run in a separate thread. */
import type { DocumentContent } from "@tributary/core/ports/DocumentStore"
import type { WorkspaceId } from "@tributary/core/model/Id"
import { isOpen } from "../internal/isOpen.ts"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import { listAudit } from "./audit.ts"
import { browseDocuments, countMatchingDocuments, matchingDocuments } from "./browsing.ts"
import { listChanges } from "./changes.ts"
import { documentContent, type DocumentKey, findDocument } from "./content.ts"
import { countDocuments } from "./counts.ts"
import { listEvents } from "./events.ts"

const readContent = (db: SqliteConnection, workspaceId: WorkspaceId, key: DocumentKey): DocumentContent | null =>
  db.transaction("BEGIN", () => {
    const row = isOpen(db, workspaceId) ? findDocument(db, workspaceId, key) : undefined
    return row === undefined ? null : documentContent(db, row)
  })

const countPending = (db: SqliteConnection, workspaceId: WorkspaceId, since: number): number =>
  isOpen(db, workspaceId)
    ? db.get<{ readonly pending: number }>(
      `SELECT (SELECT count(*) FROM documents WHERE workspace_id = ?1 AND change_seq > ?2)
        + (SELECT count(*) FROM tombstones WHERE workspace_id = ?1 AND change_seq > ?2) AS pending`,
      workspaceId,
      since
    )!.pending
    : 0

export const longReads = {
  browseDocuments,
  countDocuments,
  countMatchingDocuments,
  countPending,
  listAudit,
  listChanges,
  listEvents,
  matchingDocuments,
  readContent
}

export type LongReads = typeof longReads
