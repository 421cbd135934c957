/** Checks items against the stored documents and the caps, and stores those that fit. */
import type { EventId } from "@tributary/core/model/Id"
import { outcomeUnstored } from "@tributary/core/ports/admission"
import type { Admission, Caps, DocumentRecord, DocumentSource, Verdict } from "@tributary/core/ports/DocumentStore"
import { copied } from "./copied.ts"
import type { DocumentTable, Version } from "./DocumentTable.ts"
import { uuid7 } from "@tributary/core/uuid7"

/** Most documents have none: one object for all of them, because garbage collection takes its time for each. */
const NO_METADATA: DocumentRecord["metadata"] = Object.freeze({})

/** Keeps `now`, and copies what it keeps of the item. */
export const admitItem = (
  table: DocumentTable,
  { connector_id, source }: DocumentSource,
  item: Admission,
  caps: Caps,
  now: Date
): Verdict => {
  const stored = table.findByExternalId(connector_id, item.external_id)
  const document_id = stored?.record.document_id ?? null
  const replaced = stored && {
    size: stored.record.size,
    fingerprint: stored.fingerprint,
    timestamp: stored.record.timestamp.getTime()
  }
  const outcome = outcomeUnstored(item, replaced, table.meters, caps)
  if (outcome !== null) return { ...outcome, document_id }

  const { external_id, kind, title, url, size, metadata } = item
  const keeps = item.timestamp === null && stored !== undefined
  const record: DocumentRecord = {
    document_id: document_id ?? item.document_id,
    external_id,
    source,
    kind,
    title,
    url,
    size,
    timestamp: keeps ? stored.record.timestamp : copied(item.timestamp) ?? now,
    ends_at: keeps ? stored.record.ends_at : copied(item.ends_at),
    // Spread, so that `__proto__` is an ordinary key.
    metadata: Object.keys(metadata).length === 0 ? NO_METADATA : { ...metadata },
    created_at: stored?.record.created_at ?? now,
    updated_at: now
  }
  table.put({
    connector_id,
    record,
    chunks: [...item.chunks],
    payload: item.payload,
    fingerprint: item.fingerprint
  }, stored)
  const status = stored === undefined ? "created" : "updated"
  table.record({
    event_id: item.event_id,
    type: status === "created" ? "document.created" : "document.updated",
    source,
    kind,
    external_id,
    document_id: record.document_id,
    timestamp: record.timestamp,
    created_at: record.updated_at,
    metadata: record.metadata
  })
  return { status, resource: null, document_id: record.document_id }
}

export const removeVersion = (table: DocumentTable, version: Version, now: Date): void => {
  const { document_id, external_id, kind, metadata, source, timestamp } = version.record
  table.remove(version)
  table.record({
    event_id: uuid7<EventId>(now.getTime()),
    type: "document.deleted",
    source,
    kind,
    external_id,
    document_id,
    timestamp,
    created_at: new Date(now),
    metadata
  })
}
