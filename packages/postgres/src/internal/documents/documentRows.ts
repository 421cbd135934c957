/**
 * Reads documents with their text in several rows, because a row has to fit into one message of the protocol, which a
 * driver may limit to 16 MiB.
 */
import { parseJson } from "@tributary/core/model/parseJson"
import type { DocumentContent, DocumentRecord } from "@tributary/core/ports/DocumentStore"
import type { Statement } from "effect/sql"
import type { Columns } from "../rows/Columns.ts"
import type { Database } from "../Database.ts"

type Sql = Database["Service"]

export type DocumentColumns = Columns<DocumentRecord, "metadata">

/** One part of a document's text or payload. The rows of a document are consecutive. */
export interface ContentColumns extends DocumentColumns {
  readonly change_seq: number
  /** An array of strings as JSON: what a driver makes of an array of the database takes several times as long. */
  readonly chunks: string | null
  readonly payload: string | null
}

/** Of the document `d`. */
export const documentColumns = ({ sql }: Sql) =>
  sql.literal(`d.document_id::text AS document_id, d.external_id, d.source, d.kind, d.title, d.url,
    d.size::double precision AS size, d.timestamp, d.ends_at, d.metadata, d.created_at, d.updated_at,
    d.change_seq::double precision AS change_seq`)

export const toDocument = (row: DocumentColumns): DocumentRecord => ({
  document_id: row.document_id,
  external_id: row.external_id,
  source: row.source,
  kind: row.kind,
  title: row.title,
  url: row.url,
  size: row.size,
  timestamp: row.timestamp,
  ends_at: row.ends_at,
  metadata: parseJson(row.metadata),
  created_at: row.created_at,
  updated_at: row.updated_at
})

/**
 * The maximum length of text in a row, in UTF-16 code units: at most six times as many bytes as JSON, and one chunk
 * more.
 */
const STRETCH = 1_000_000

/** Joins the text of the document `d` to it, as `t.chunks` in stretches that `t.part` puts in order. */
export const withText = ({ our, sql }: Sql) =>
  sql`LEFT JOIN LATERAL (
      SELECT json_agg(c.text ORDER BY c.ordinal) AS chunks, c.start / ${STRETCH}::integer AS part
      FROM ${our("chunks")} c WHERE c.document_id = d.document_id GROUP BY 2
    ) t ON true`

/** Everything of the one document that `found` selects. */
export const contentOf = (database: Sql, found: Statement.Fragment) => {
  const { our, sql } = database
  const columns = documentColumns(database)
  return sql<ContentColumns>`WITH d AS (${found})
    SELECT ${columns}, t.chunks::text AS chunks, NULL::text AS payload, t.part FROM d ${withText(database)}
    UNION ALL
    SELECT ${columns}, NULL::text, p.text, p.slice FROM d
      JOIN ${our("payloads")} p ON p.document_id = d.document_id
    ORDER BY part`
}

const chunksOf = ({ chunks }: { readonly chunks: string | null }): ReadonlyArray<string> =>
  chunks === null ? [] : JSON.parse(chunks)

/** One document of each run of rows. */
export const toContents = (rows: ReadonlyArray<ContentColumns>): ReadonlyArray<DocumentContent> => {
  const found: Array<DocumentContent & { readonly chunks: Array<string>; payload: string | null }> = []
  for (const row of rows) {
    let document = found.at(-1)
    if (document?.document_id !== row.document_id) {
      document = { ...toDocument(row), change_seq: row.change_seq, chunks: [], payload: null }
      found.push(document)
    }
    // Not spread into one call, because a document may have very many.
    for (const chunk of chunksOf(row)) document.chunks.push(chunk)
    if (row.payload !== null) document.payload = (document.payload ?? "") + row.payload
  }
  return found
}
