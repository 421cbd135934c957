/** The documents of one workspace, their changes and their events, each in every order in which they are read. */
import type { Event } from "@tributary/core/model/Document"
import type { ConnectorId, DocumentId } from "@tributary/core/model/Id"
import type { DocumentRecord, EventRecord } from "@tributary/core/ports/DocumentStore"
import { byCodePoint, byText, Ordered } from "./Ordered.ts"

/** One version of a document. Immutable: a replacement is a new value. */
export interface Version {
  readonly connector_id: ConnectorId
  readonly record: DocumentRecord
  readonly chunks: ReadonlyArray<string>
  readonly payload: string | null
  readonly fingerprint: string
  readonly change_seq: number
}

/** Stays in place of a deleted document, so that readers learn of the deletion. */
interface Deletion {
  readonly change_seq: number
  readonly document_id: DocumentId
}

/** The latest change of one document. */
export type Change = Version | Deletion

export const isDeletion = (change: Change): change is Deletion => "document_id" in change

const byId = (left: Version, right: Version): number => byText(left.record.document_id, right.record.document_id)

const getOrInsert = <Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

export class DocumentTable {
  readonly byTime = new Ordered<Version>((left, right) =>
    left.record.timestamp.getTime() - right.record.timestamp.getTime() || byId(left, right)
  )
  readonly changes = new Ordered<Change>((left, right) => left.change_seq - right.change_seq)
  readonly events = new Ordered<EventRecord>((left, right) => left.event_seq - right.event_seq)
  readonly #versions = new Map<DocumentId, Version>()
  readonly #byExternalId = new Map<ConnectorId, Map<string, Version>>()
  readonly #byConnector = new Map<ConnectorId, Ordered<Version>>()
  readonly #names = new Map<ConnectorId, Ordered<Version>>()
  readonly #deletions = new Map<DocumentId, Deletion>()
  #storage = 0
  #changeSeq = 0
  #chunkSeq = 0
  #eventSeq = 0

  get changeSeq(): number {
    return this.#changeSeq
  }

  get chunkSeq(): number {
    return this.#chunkSeq
  }

  get eventSeq(): number {
    return this.#eventSeq
  }

  get meters(): { readonly documents: number; readonly storage: number } {
    return { documents: this.#versions.size, storage: this.#storage }
  }

  /** In no order. */
  get all(): Iterable<Version> {
    return this.#versions.values()
  }

  find(documentId: DocumentId): Version | undefined {
    return this.#versions.get(documentId)
  }

  findByExternalId(connectorId: ConnectorId, externalId: string): Version | undefined {
    return this.#byExternalId.get(connectorId)?.get(externalId)
  }

  /** By external id; kept sorted after the first sorted read. */
  namesOf(connectorId: ConnectorId): Ordered<Version> {
    const known = this.#names.get(connectorId)
    if (known !== undefined) return known
    const names = new Ordered<Version>((left, right) => byCodePoint(left.record.external_id, right.record.external_id))
    for (const version of this.#byExternalId.get(connectorId)?.values() ?? []) names.add(version)
    this.#names.set(connectorId, names)
    return names
  }

  ofConnector(connectorId: ConnectorId): Ordered<Version> {
    return this.#byConnector.get(connectorId) ?? new Ordered(byId)
  }

  /** `replaced` is the stored version of the same document. */
  put(content: Omit<Version, "change_seq">, replaced: Version | undefined): void {
    const { chunks, connector_id, fingerprint, payload, record } = content
    // Not spread, which allocates a second object for what it adds.
    const version: Version = {
      connector_id,
      record,
      chunks,
      payload,
      fingerprint,
      change_seq: ++this.#changeSeq
    }
    if (replaced === undefined) this.#dropDeletion(record.document_id)
    else this.#drop(replaced)
    this.#versions.set(record.document_id, version)
    getOrInsert(this.#byExternalId, connector_id, () => new Map()).set(record.external_id, version)
    getOrInsert(this.#byConnector, connector_id, () => new Ordered(byId)).add(version)
    this.#names.get(connector_id)?.add(version)
    this.byTime.add(version)
    this.#storage += record.size
    this.#chunkSeq += Math.max(1, version.chunks.length)
    this.changes.add(version)
  }

  remove(version: Version): void {
    const { document_id } = version.record
    this.#drop(version)
    const deletion = { change_seq: ++this.#changeSeq, document_id }
    this.#deletions.set(document_id, deletion)
    this.changes.add(deletion)
  }

  /** The `change_seq` of the last one up to this; 0 without any. */
  lastDeletion(until: number): number {
    const [last] = this.changes.descending(1, ({ change_seq }) => change_seq > until, isDeletion)
    return last?.change_seq ?? 0
  }

  /** Deletes those up to this `change_seq`; returns their number. */
  pruneDeletions(until: number): number {
    let count = 0
    for (const deletion of this.#deletions.values()) {
      if (deletion.change_seq > until) continue
      this.#dropDeletion(deletion.document_id)
      count++
    }
    return count
  }

  record({ created_at, document_id, event_id, external_id, kind, metadata, source, timestamp, type }: Event): void {
    const event_seq = ++this.#eventSeq
    this.events.add(
      { event_id, type, source, kind, external_id, document_id, timestamp, created_at, metadata, event_seq }
    )
  }

  #drop(version: Version): void {
    const { document_id, external_id, size } = version.record
    this.#versions.delete(document_id)
    this.#byExternalId.get(version.connector_id)?.delete(external_id)
    this.#byConnector.get(version.connector_id)?.remove(version)
    this.#names.get(version.connector_id)?.remove(version)
    this.byTime.remove(version)
    this.changes.remove(version)
    this.#storage -= size
  }

  #dropDeletion(documentId: DocumentId): void {
    const deletion = this.#deletions.get(documentId)
    if (deletion === undefined) return
    this.#deletions.delete(documentId)
    this.changes.remove(deletion)
  }
}
