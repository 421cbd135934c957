/** Documents as rows. */
import { parseJson } from "@tributary/core/model/parseJson"
import type { DocumentRecord } from "@tributary/core/ports/DocumentStore"
import { type Columns, date } from "./Columns.ts"

export interface DocumentColumns extends Columns<DocumentRecord, "metadata"> {
  /** The key of its chunks and its payload. */
  readonly id: number
  readonly change_seq: number
  readonly text_bytes: number
}

export const toDocument = (row: DocumentColumns): DocumentRecord => ({
  document_id: row.document_id,
  external_id: row.external_id,
  source: row.source,
  kind: row.kind,
  title: row.title,
  url: row.url,
  size: row.size,
  timestamp: new Date(row.timestamp),
  ends_at: date(row.ends_at),
  metadata: parseJson(row.metadata),
  created_at: new Date(row.created_at),
  updated_at: new Date(row.updated_at)
})
