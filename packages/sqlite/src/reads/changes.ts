/** Lists of documents for the index. A list names the rows; their texts are read later. */
import type { DocumentId, WorkspaceId } from "@tributary/core/model/Id"
import { isOpen } from "../internal/isOpen.ts"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"

/** Null replaces the id of a deleted document's row. */
export interface Listed {
  readonly id: number | null
  readonly document_id: DocumentId
  readonly change_seq: number
  readonly text_bytes: number
}

export const listChanges = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  since: number,
  limit: number
): ReadonlyArray<Listed> =>
  isOpen(db, workspaceId)
    ? db.all(
      `SELECT id, document_id, change_seq, text_bytes FROM documents WHERE workspace_id = ?1 AND change_seq > ?2
        UNION ALL
        SELECT NULL, document_id, change_seq, 0 FROM tombstones WHERE workspace_id = ?1 AND change_seq > ?2
        ORDER BY change_seq LIMIT ?3`,
      workspaceId,
      since,
      limit
    )
    : []

export const listByTime = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  after: { readonly timestamp: Date; readonly document_id: DocumentId } | null,
  limit: number
): ReadonlyArray<Listed> =>
  isOpen(db, workspaceId)
    ? db.all(
      `SELECT id, document_id, change_seq, text_bytes FROM documents WHERE workspace_id = ?1
        ${after === null ? "AND ?2 IS NULL AND ?3 IS NULL" : "AND (timestamp, document_id) > (?2, ?3)"}
        ORDER BY timestamp, document_id LIMIT ?4`,
      workspaceId,
      after?.timestamp ?? null,
      after?.document_id ?? null,
      limit
    )
    : []
