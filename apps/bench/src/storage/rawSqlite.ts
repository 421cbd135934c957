/** The baseline of SQLite: inserts the same rows into the same tables, by prepared statements in one transaction. */
import { DatabaseSync } from "node:sqlite"
import { type Batch, risingUuid } from "./batches.ts"
import type { Place } from "./places.ts"

const TABLES = ["documents", "chunks", "events"]

/** The tables of the store, in a separate file. */
export const openRaw = (store: string, path: string, fsync: boolean): DatabaseSync => {
  const source = new DatabaseSync(store, { readOnly: true })
  const statements = source.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name = ?")
  const raw = new DatabaseSync(path)
  raw.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${fsync ? "FULL" : "NORMAL"}`)
  for (const table of TABLES) for (const row of statements.all(table)) raw.exec(String(row["sql"]))
  source.close()
  return raw
}

const memory = new DatabaseSync(":memory:")
const one = memory.prepare("SELECT 1")

/** The smallest query. */
export const select = (): unknown => one.get()

let sequence = 0

export const rawInsert = (raw: DatabaseSync) => {
  const document = raw.prepare(
    `INSERT INTO documents (document_id, workspace_id, connector_id, external_id, change_seq, source, kind, title, url,
      size, text_bytes, timestamp, ends_at, metadata, fingerprint, created_at, updated_at)
      VALUES (?, ?, ?, ?, ?, 'custom:bench', 'custom', ?, NULL, ?, ?, ?, NULL, '{}', ?, ?, ?)`
  )
  const chunk = raw.prepare("INSERT INTO chunks (document, ordinal, start, text) VALUES (?, ?, ?, ?)")
  const event = raw.prepare(
    `INSERT INTO events (workspace_id, event_seq, event_id, type, source, kind, external_id, document_id, timestamp,
      created_at, metadata) VALUES (?, ?, ?, 'document.created', 'custom:bench', 'custom', ?, ?, ?, ?, '{}')`
  )
  const fingerprint = "0123456789abcdef".repeat(4)
  return ({ connectorId, workspace: { workspace_id } }: Place, { chunks, items }: Batch): void => {
    const now = Date.now()
    raw.exec("BEGIN IMMEDIATE")
    const numbers = items.map(({ external_id, text, title }) => {
      const [id, at, size] = [risingUuid(), ++sequence, text.length]
      const values = [at, title ?? null, size, size, now, fingerprint, now, now]
      const { lastInsertRowid } = document.run(id, workspace_id, connectorId, external_id ?? "", ...values)
      event.run(workspace_id, at, risingUuid(), external_id ?? "", id, now, now)
      return lastInsertRowid
    })
    for (const { item, ordinal, start, text } of chunks) chunk.run(numbers[item]!, ordinal, start, text)
    raw.exec("COMMIT")
  }
}
