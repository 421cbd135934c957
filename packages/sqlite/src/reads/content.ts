/** Documents with their text. */
import type { ConnectorId, DocumentId, WorkspaceId } from "@tributary/core/model/Id"
import type { DocumentContent, IndexedDocument, Passage, PassageRef } from "@tributary/core/ports/DocumentStore"
import { type DocumentColumns, toDocument } from "../rows/documentRows.ts"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"

const chunksOf = (db: SqliteConnection, id: number): ReadonlyArray<string> =>
  db.all<{ readonly text: string }>("SELECT text FROM chunks WHERE document = ? ORDER BY ordinal", id)
    .map(({ text }) => text)

const payloadOf = (db: SqliteConnection, id: number): string | null =>
  db.get<{ readonly text: string }>("SELECT text FROM payloads WHERE document = ?", id)?.text ?? null

/** The chunks from an ordinal on, at most `limit`. */
export const chunksFrom = (db: SqliteConnection, id: number, from: number, limit: number): ReadonlyArray<string> =>
  db.all<{ readonly text: string }>(
    "SELECT text FROM chunks WHERE document = ? AND ordinal >= ? ORDER BY ordinal LIMIT ?",
    id,
    from,
    limit
  ).map(({ text }) => text)

/** Those that are stored, by the ids of their rows. Two statements for all cost less than two for each. */
export const indexedDocuments = (
  db: SqliteConnection,
  ids: ReadonlyArray<number>
): ReadonlyMap<number, IndexedDocument> => {
  const wanted = JSON.stringify(ids)
  const texts = Map.groupBy(
    db.all<{ readonly document: number; readonly text: string }>(
      "SELECT document, text FROM chunks WHERE document IN (SELECT value FROM json_each(?)) ORDER BY document, ordinal",
      wanted
    ),
    ({ document }) => document
  )
  const rows = db.all<DocumentColumns>("SELECT * FROM documents WHERE id IN (SELECT value FROM json_each(?))", wanted)
  return new Map(rows.map((row) => [row.id, {
    ...toDocument(row),
    change_seq: row.change_seq,
    chunks: (texts.get(row.id) ?? []).map(({ text }) => text)
  }]))
}

export type DocumentKey =
  | { readonly document_id: DocumentId }
  | { readonly connector_id: ConnectorId; readonly external_id: string }

/** The document's row, without its text. */
export const findDocument = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  key: DocumentKey
): DocumentColumns | undefined =>
  "document_id" in key
    ? db.get("SELECT * FROM documents WHERE document_id = ? AND workspace_id = ?", key.document_id, workspaceId)
    : db.get(
      "SELECT * FROM documents WHERE connector_id = ? AND external_id = ? AND workspace_id = ?",
      key.connector_id,
      key.external_id,
      workspaceId
    )

export const documentContent = (db: SqliteConnection, row: DocumentColumns): DocumentContent => ({
  ...toDocument(row),
  change_seq: row.change_seq,
  chunks: chunksOf(db, row.id),
  payload: payloadOf(db, row.id)
})

/** The passage, unless its version of the document was replaced or deleted. */
export const findPassage = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  { change_seq, document_id, ordinal }: PassageRef,
  withPayload: boolean
): Passage | undefined => {
  const row = db.get<DocumentColumns>(
    "SELECT * FROM documents WHERE document_id = ? AND change_seq = ? AND workspace_id = ?",
    document_id,
    change_seq,
    workspaceId
  )
  if (row === undefined) return undefined
  const chunk = db.get<{ readonly start: number; readonly text: string }>(
    "SELECT start, text FROM chunks WHERE document = ? AND ordinal = ?",
    row.id,
    ordinal
  )
  // A document without text has one passage, which is empty.
  const isEmpty = ordinal === 0 && row.text_bytes === 0
  if (chunk === undefined && !isEmpty) return undefined
  const { start, text } = chunk ?? { start: 0, text: "" }
  const payload = withPayload ? payloadOf(db, row.id) : null
  return { document_id, change_seq, ordinal, document: toDocument(row), text, start, payload }
}
