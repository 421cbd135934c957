/**
 * Reads the documents for an index build, thousands at a time, many in one row as JSON. Decoding rows with many columns
 * takes several times as long, especially when they are sent between threads.
 */
import type { DocumentId } from "@tributary/core/model/Id"
import { parseJson } from "@tributary/core/model/parseJson"
import type { Change, DocumentRecord, IndexedDocument } from "@tributary/core/ports/DocumentStore"
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import { bounded } from "../bounded.ts"
import type { Database } from "../Database.ts"
import { withText } from "./documentRows.ts"
import { storageErrors } from "../storageErrors.ts"

/** The maximum text of one answer, in bytes, unless its first document is longer. */
const MAX_BYTES = 16 * 1024 * 1024

/**
 * The maximum text of short documents in a row, in bytes. Other work runs between rows. Rows shorter than the driver's
 * buffer (64 KiB) do not make the buffer grow, which would cause full garbage collections.
 */
const SHEET = 50_000

/** A lower bound of a document's size besides its text and metadata, in bytes. */
const REST = 5_000

/** An array of entries as JSON. */
interface Sheet {
  readonly entries: string
}

type Moment = "timestamp" | "ends_at" | "created_at" | "updated_at"

/** One change, with a part of the document's text. Times are milliseconds; for a deletion all fields are null. */
interface Entry extends Omit<DocumentRecord, "document_id" | "metadata" | Moment>, Record<Moment, number> {
  readonly changed_id: DocumentId
  readonly changed_at: number
  readonly document_id: DocumentId | null
  readonly metadata: string
  readonly chunks: Array<string> | null
}

const milliseconds = (name: Moment): string => `round(date_part('epoch', d.${name}) * 1000) AS ${name}`

const COLUMNS = `d.number, d.sheet, coalesce(t.part, 0) AS part, d.changed_id, d.changed_at, d.document_id,
  d.external_id, d.source, d.kind, d.title, d.url, d.size, d.metadata, ${milliseconds("timestamp")},
  ${milliseconds("ends_at")}, ${milliseconds("created_at")}, ${milliseconds("updated_at")}, t.chunks`

/** Its text comes bit by bit. */
interface Read extends Change {
  readonly document: IndexedDocument & { readonly chunks: Array<string> } | null
}

const toDocument = (entry: Entry, document_id: DocumentId): Read["document"] => ({
  document_id,
  external_id: entry.external_id,
  source: entry.source,
  kind: entry.kind,
  title: entry.title,
  url: entry.url,
  size: entry.size,
  timestamp: new Date(entry.timestamp),
  ends_at: entry.ends_at === null ? null : new Date(entry.ends_at),
  metadata: parseJson(entry.metadata),
  created_at: new Date(entry.created_at),
  updated_at: new Date(entry.updated_at),
  change_seq: entry.changed_at,
  chunks: entry.chunks ?? []
})

/** In the order of the result; other work runs between rows. */
const toChanges = Effect.fnUntraced(function*(sheets: ReadonlyArray<Sheet>) {
  const changes = new Map<DocumentId, Read>()
  const take = (entry: Entry): void => {
    const { changed_at, changed_id, chunks, document_id } = entry
    const begun = changes.get(changed_id)
    if (begun === undefined) {
      const document = document_id === null ? null : toDocument(entry, document_id)
      changes.set(changed_id, { change_seq: changed_at, document_id: changed_id, document })
      return
    }
    // Not spread into one call, because a document may have very many.
    for (const chunk of chunks ?? []) begun.document?.chunks.push(chunk)
  }
  for (const [index, { entries }] of sheets.entries()) {
    if (index > 0) yield* Effect.yieldNow
    for (const entry of JSON.parse(entries) as ReadonlyArray<Entry>) take(entry)
  }
  return [...changes.values()]
})

/**
 * `found` selects documents, each with the change that it is shown for (`changed_id`, `changed_at`) and its place in
 * their order (`number`, from 1).
 */
export const indexedChanges = (database: Database["Service"], found: Statement.Fragment) => {
  const { sql } = database
  const sheets = sql<Sheet>`WITH found AS (${found}), measured AS (
      SELECT f.*, sum(coalesce(f.text_bytes, 0)) OVER place AS so_far,
        (sum(coalesce(f.text_bytes + octet_length(f.metadata), 0) + ${REST}::integer) OVER place)::bigint
          / ${SHEET}::integer AS sheet
      FROM found f WINDOW place AS (ORDER BY f.number)
    ), entries AS (
      SELECT ${sql.literal(COLUMNS)} FROM measured d ${withText(database)}
      WHERE d.so_far <= ${MAX_BYTES}::bigint OR d.number = 1
    )
    SELECT json_agg(e ORDER BY e.number)::text AS entries FROM entries e
    GROUP BY e.sheet, e.part ORDER BY e.sheet, e.part`
  return Effect.flatMap(storageErrors(bounded(sheets)), toChanges)
}
