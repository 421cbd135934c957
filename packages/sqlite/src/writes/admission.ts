/** Admission of documents, under the caps and in order. */
import type { DocumentId, WorkspaceId } from "@tributary/core/model/Id"
import type { Caps, DocumentSource, Verdict } from "@tributary/core/ports/DocumentStore"
import type { NewJob } from "@tributary/core/ports/JobStore"
import { type PackedItem, unpacked, type UnpackedItem } from "../internal/packedTexts.ts"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import { type Counters, countersOf, keepCounters } from "./counters.ts"
import { enqueue } from "./jobs.ts"

interface Known {
  readonly id: number
  readonly document_id: DocumentId
  readonly size: number
  readonly fingerprint: string
  readonly timestamp: number
  readonly ends_at: number | null
}

/** From this share of the pending cap on, the refresh may run at once. */
const HURRIED = 0.4

const isUnchanged = (item: UnpackedItem, known: Known): boolean =>
  item.fingerprint === known.fingerprint && (item.timestamp === null || item.timestamp.getTime() === known.timestamp)

/** The cap that the item would exceed. */
const capHit = (item: UnpackedItem, known: Known | undefined, held: Counters, caps: Caps): Verdict["resource"] => {
  if (known === undefined && caps.documents !== null && held.documents + 1 > caps.documents) return "documents"
  const growth = item.size - (known?.size ?? 0)
  // A replacement that does not grow fits even when the cap is below what is stored.
  if (known !== undefined && growth <= 0) return null
  return caps.storage !== null && held.storage + growth > caps.storage ? "storage" : null
}

export const dropTexts = (db: SqliteConnection, id: number): void => {
  db.run("DELETE FROM chunks WHERE document = ?", id)
  db.run("DELETE FROM payloads WHERE document = ?", id)
}

const putTexts = (db: SqliteConnection, id: number, { chunks, payload }: UnpackedItem): void => {
  let start = 0
  for (const [ordinal, text] of chunks.entries()) {
    db.run("INSERT INTO chunks (document, ordinal, start, text) VALUES (?, ?, ?, ?)", id, ordinal, start, text)
    start += text.length
  }
  if (payload !== null) db.run("INSERT INTO payloads (document, text) VALUES (?, CAST(? AS TEXT))", id, payload)
}

const bytesOf = ({ chunks }: UnpackedItem): number => chunks.reduce((sum, chunk) => sum + Buffer.byteLength(chunk), 0)

export const INSERT_EVENT =
  `INSERT INTO events (workspace_id, event_seq, event_id, type, source, kind, external_id, document_id,
  timestamp, created_at, metadata) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

const admitItem = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  { connector_id, source }: DocumentSource,
  item: UnpackedItem,
  caps: Caps,
  held: Counters,
  now: Date
): Verdict => {
  const known = db.get<Known>(
    `SELECT id, document_id, size, fingerprint, timestamp, ends_at FROM documents
      WHERE connector_id = ? AND external_id = ?`,
    connector_id,
    item.external_id
  )
  const document_id = known?.document_id ?? null
  if (item.oversized) return { status: "rejected", resource: "doc_size", document_id }
  if (known !== undefined && isUnchanged(item, known)) return { status: "unchanged", resource: null, document_id }
  const resource = capHit(item, known, held, caps)
  if (resource !== null) return { status: "rejected", resource, document_id }

  const keeps = item.timestamp === null && known !== undefined
  const timestamp = keeps ? known.timestamp : (item.timestamp ?? now).getTime()
  const ends_at = keeps ? known.ends_at : item.ends_at
  const metadata = JSON.stringify(item.metadata)
  const { event_id, external_id, fingerprint, kind, size, title, url } = item
  const text_bytes = bytesOf(item)
  const change_seq = ++held.change_seq
  held.storage += size - (known?.size ?? 0)
  held.chunk_seq += Math.max(1, item.chunks.length)
  if (known === undefined) {
    held.documents++
    const id = db.insert(
      `INSERT INTO documents (document_id, workspace_id, connector_id, external_id, change_seq, source, kind, title, url,
        size, text_bytes, timestamp, ends_at, metadata, fingerprint, created_at, updated_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      item.document_id,
      workspaceId,
      connector_id,
      external_id,
      change_seq,
      source,
      kind,
      title,
      url,
      size,
      text_bytes,
      timestamp,
      ends_at,
      metadata,
      fingerprint,
      now,
      now
    )
    putTexts(db, id, item)
  } else {
    db.run(
      `UPDATE documents SET change_seq = ?, source = ?, kind = ?, title = ?, url = ?, size = ?, text_bytes = ?,
        timestamp = ?, ends_at = ?, metadata = ?, fingerprint = ?, updated_at = ? WHERE id = ?`,
      change_seq,
      source,
      kind,
      title,
      url,
      size,
      text_bytes,
      timestamp,
      ends_at,
      metadata,
      fingerprint,
      now,
      known.id
    )
    dropTexts(db, known.id)
    putTexts(db, known.id, item)
  }
  const status = known === undefined ? "created" : "updated"
  const admitted = document_id ?? item.document_id
  const [seq, type] = [++held.event_seq, `document.${status}`]
  db.run(INSERT_EVENT, workspaceId, seq, event_id, type, source, kind, external_id, admitted, timestamp, now, metadata)
  return { status, resource: null, document_id: admitted }
}

const admit = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  origin: DocumentSource,
  items: ReadonlyArray<UnpackedItem>,
  caps: Caps,
  now: Date,
  follow: NewJob
): ReadonlyArray<Verdict> | "behind" | null => {
  const held = countersOf(db, workspaceId)
  const isActive = db.get(
    "SELECT 1 FROM connectors WHERE connector_id = ? AND workspace_id = ? AND is_active",
    origin.connector_id,
    workspaceId
  )
  if (held === undefined || isActive === undefined) return null
  const folded = db.get<{ readonly chunk_seq: number }>(
    "SELECT chunk_seq FROM snapshots WHERE workspace_id = ? ORDER BY position DESC LIMIT 1",
    workspaceId
  )
  const waiting = held.chunk_seq - (folded?.chunk_seq ?? 0)
  const pending = caps.pending ?? Infinity
  const next = waiting >= HURRIED * pending ? { ...follow, run_at: follow.created_at } : follow
  if (waiting >= pending && items.length > 0) {
    enqueue(db, next, null)
    return "behind"
  }
  const before = held.change_seq
  const verdicts = items.map((item) => admitItem(db, workspaceId, origin, item, caps, held, now))
  if (held.change_seq === before) return verdicts
  // A document id that returns is a change again, not a deletion.
  if (db.get("SELECT 1 FROM tombstones WHERE workspace_id = ?", workspaceId) !== undefined) {
    const ids = JSON.stringify(verdicts.map(({ document_id }) => document_id))
    db.run("DELETE FROM tombstones WHERE document_id IN (SELECT value FROM json_each(?))", ids)
  }
  keepCounters(db, workspaceId, held)
  enqueue(db, next, null)
  return verdicts
}

/** The same with the texts as bytes. */
const admitPacked = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  origin: DocumentSource,
  items: ReadonlyArray<PackedItem>,
  texts: Uint8Array<ArrayBuffer>,
  ...rest: readonly [Caps, Date, NewJob]
) => admit(db, workspaceId, origin, unpacked({ items, texts }), ...rest)

export const admissionWrites = { admit, admitPacked }
