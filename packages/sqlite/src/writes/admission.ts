/** Admission of documents, under the caps and in order. */
import type { ConnectorId, DocumentId, WorkspaceId } from "@tributary/core/model/Id"
import { followed, outcomeUnstored } from "@tributary/core/ports/admission"
import type { AdmissionOptions, Caps, DocumentSource, Verdict } from "@tributary/core/ports/DocumentStore"
import { type PackedItem, unpacked, type UnpackedItem } from "../internal/packedTexts.ts"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import { type Counters, keepCounters } from "./counters.ts"
import { insertEvent } from "./events.ts"
import { enqueue, mayWrite, type TimedFencingToken } from "./jobs.ts"

type TimedOptions = Omit<AdmissionOptions, "fencingToken"> & { readonly fencingToken?: TimedFencingToken | undefined }

interface Known {
  readonly id: number
  readonly document_id: DocumentId
  readonly size: number
  readonly fingerprint: string
  readonly timestamp: number
  readonly ends_at: number | null
}

/** What the admission of a batch depends on; undefined for an absent workspace. */
const stateOf = (db: SqliteConnection, workspaceId: WorkspaceId, connectorId: ConnectorId) =>
  db.get<Counters & { readonly is_active: number; readonly folded: number; readonly has_tombstones: number }>(
    `SELECT documents, storage, change_seq, event_seq, chunk_seq,
        EXISTS (SELECT 1 FROM connectors WHERE connector_id = ?2 AND workspace_id = ?1 AND is_active) AS is_active,
        ifnull((SELECT chunk_seq FROM snapshots WHERE workspace_id = ?1 ORDER BY position DESC LIMIT 1), 0) AS folded,
        EXISTS (SELECT 1 FROM tombstones WHERE workspace_id = ?1) AS has_tombstones
      FROM counters WHERE workspace_id = ?1`,
    workspaceId,
    connectorId
  )

/** The stored ones of these documents, by external id. */
const knownOf = (
  db: SqliteConnection,
  connectorId: ConnectorId,
  items: ReadonlyArray<UnpackedItem>
): Map<string, Known> => {
  const rows = db.all<Known & { readonly external_id: string }>(
    `SELECT external_id, id, document_id, size, fingerprint, timestamp, ends_at FROM documents
      WHERE connector_id = ? AND external_id IN (SELECT value FROM json_each(?))`,
    connectorId,
    JSON.stringify(items.map(({ external_id }) => external_id))
  )
  return new Map(rows.map((row) => [row.external_id, row]))
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

/** The columns that every version of a document sets. */
const VERSION = `change_seq, source, kind, title, url, size, text_bytes, timestamp, ends_at, metadata, fingerprint,
  updated_at`
const VERSION_VALUES = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"

const INSERT_DOCUMENT =
  `INSERT INTO documents (document_id, workspace_id, connector_id, external_id, created_at, ${VERSION})
  VALUES (?, ?, ?, ?, ?, ${VERSION_VALUES})`

const UPDATE_DOCUMENT = `UPDATE documents SET (${VERSION}) = (${VERSION_VALUES}) WHERE id = ?`

/** What the items of one admission share, and what they change. */
interface Batch {
  readonly workspaceId: WorkspaceId
  readonly origin: DocumentSource
  readonly caps: Caps
  readonly held: Counters
  /** The stored documents by external id. */
  readonly known: Map<string, Known>
  readonly now: number
}

/** Stores a document that is accepted. */
const put = (
  db: SqliteConnection,
  { held, known: all, now, origin: { connector_id, source }, workspaceId }: Batch,
  item: UnpackedItem,
  known: Known | undefined
): Verdict => {
  const { event_id, external_id, fingerprint, kind, size, title, url } = item
  const document_id = known?.document_id ?? item.document_id
  const keeps = item.timestamp === null && known !== undefined
  const timestamp = keeps ? known.timestamp : (item.timestamp?.getTime() ?? now)
  const ends_at = keeps ? known.ends_at : item.ends_at?.getTime() ?? null
  const metadata = JSON.stringify(item.metadata)
  const change_seq = ++held.change_seq
  held.storage += size - (known?.size ?? 0)
  held.chunk_seq += Math.max(1, item.chunks.length)
  if (known === undefined) held.documents++
  const version = [
    change_seq,
    source,
    kind,
    title,
    url,
    size,
    bytesOf(item),
    timestamp,
    ends_at,
    metadata,
    fingerprint,
    now
  ] as const
  let id = known?.id
  if (id === undefined) {
    id = db.insert(INSERT_DOCUMENT, document_id, workspaceId, connector_id, external_id, now, ...version)
  } else {
    db.run(UPDATE_DOCUMENT, ...version, id)
    dropTexts(db, id)
  }
  putTexts(db, id, item)
  // A later item of the batch may have the same external id.
  all.set(external_id, { id, document_id, size, fingerprint, timestamp, ends_at })
  const status = known === undefined ? "created" : "updated"
  insertEvent(db, workspaceId, {
    event_seq: ++held.event_seq,
    event_id,
    type: `document.${status}`,
    source,
    kind,
    external_id,
    document_id,
    timestamp,
    created_at: now,
    metadata
  })
  return { status, resource: null, document_id }
}

const admitItem = (db: SqliteConnection, batch: Batch, item: UnpackedItem): Verdict => {
  const known = batch.known.get(item.external_id)
  const document_id = known?.document_id ?? null
  const outcome = outcomeUnstored(item, known, batch.held, batch.caps)
  return outcome === null ? put(db, batch, item, known) : { ...outcome, document_id }
}

const admit = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  origin: DocumentSource,
  items: ReadonlyArray<UnpackedItem>,
  { caps, follow, now, fencingToken }: TimedOptions
): ReadonlyArray<Verdict> | "behind" | null => {
  if (!mayWrite(db, fencingToken)) return null
  const held = stateOf(db, workspaceId, origin.connector_id)
  if (held === undefined || held.is_active === 0) return null
  const waiting = held.chunk_seq - held.folded
  const { isBehind, next } = followed(waiting, caps, follow)
  if (isBehind && items.length > 0) {
    enqueue(db, next, null)
    return "behind"
  }
  const before = held.change_seq
  const known = knownOf(db, origin.connector_id, items)
  const batch: Batch = { workspaceId, origin, caps, held, known, now: now.getTime() }
  const verdicts = items.map((item) => admitItem(db, batch, item))
  if (held.change_seq === before) return verdicts
  // A document id that returns is a change again, not a deletion.
  if (held.has_tombstones === 1) {
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
  options: TimedOptions
) => admit(db, workspaceId, origin, unpacked({ items, texts }), options)

export const admissionWrites = { admit, admitPacked }
