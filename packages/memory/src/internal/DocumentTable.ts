/** The documents of one workspace, their changes and their events, each in every order in which they are read. */
import type { Event } from "@tributary/core/model/Document"
import type { ConnectorId, DocumentId } from "@tributary/core/model/Id"
import type { DocumentRecord, EventRecord } from "@tributary/core/ports/DocumentStore"
import { byText, Ordered } from "./Ordered.ts"

/** One version of a document. Immutable: a replacement is a new value. */
export interface Version {
  readonly connector_id: ConnectorId
  readonly record: DocumentRecord
  readonly chunks: ReadonlyArray<string>
  readonly payload: string | null
  readonly fingerprint: string
  readonly change_seq: number
}

/** The latest change of one document; without a version when it was deleted. */
export interface ChangeRow {
  readonly change_seq: number
  readonly document_id: DocumentId
  readonly version: Version | null
}

const byId = (left: Version, right: Version): number => byText(left.record.document_id, right.record.document_id)

export class DocumentTable {
  readonly byTime = new Ordered<Version>((left, right) =>
    left.record.timestamp.getTime() - right.record.timestamp.getTime() || byId(left, right)
  )
  readonly changes = new Ordered<ChangeRow>((left, right) => left.change_seq - right.change_seq)
  readonly events = new Ordered<EventRecord>((left, right) => left.event_seq - right.event_seq)
  readonly #versions = new Map<DocumentId, Version>()
  readonly #byExternalId = new Map<ConnectorId, Map<string, Version>>()
  readonly #byConnector = new Map<ConnectorId, Ordered<Version>>()
  readonly #names = new Map<ConnectorId, Ordered<Version>>()
  readonly #latest = new Map<DocumentId, ChangeRow>()
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
    const names = new Ordered<Version>((left, right) => byText(left.record.external_id, right.record.external_id))
    for (const version of this.#byExternalId.get(connectorId)?.values() ?? []) names.add(version)
    this.#names.set(connectorId, names)
    return names
  }

  ofConnector(connectorId: ConnectorId): Ordered<Version> {
    return this.#byConnector.get(connectorId) ?? new Ordered(byId)
  }

  put(content: Omit<Version, "change_seq">): void {
    const { connector_id, record } = content
    const version = { ...content, change_seq: ++this.#changeSeq }
    const replaced = this.#versions.get(record.document_id)
    if (replaced !== undefined) this.#forget(replaced)
    this.#versions.set(record.document_id, version)
    const siblings = this.#byExternalId.get(connector_id) ?? new Map<string, Version>()
    this.#byExternalId.set(connector_id, siblings.set(record.external_id, version))
    const ordered = this.#byConnector.get(connector_id) ?? new Ordered(byId)
    this.#byConnector.set(connector_id, ordered)
    ordered.add(version)
    this.#names.get(connector_id)?.add(version)
    this.byTime.add(version)
    this.#storage += record.size
    this.#chunkSeq += Math.max(1, version.chunks.length)
    this.#note({ change_seq: version.change_seq, document_id: record.document_id, version })
  }

  /** Leaves a tombstone, so that readers learn of the deletion. */
  remove(version: Version): void {
    const { document_id } = version.record
    this.#forget(version)
    this.#note({ change_seq: ++this.#changeSeq, document_id, version: null })
  }

  /** The `change_seq` of the last one up to this; 0 without any. */
  lastDeletion(until: number): number {
    const [last] = this.changes.descending(
      1,
      ({ change_seq }) => change_seq > until,
      ({ version }) => version === null
    )
    return last?.change_seq ?? 0
  }

  /** Deletes those up to this `change_seq`; returns their number. */
  forgetDeletions(until: number): number {
    const old = this.changes.ascending(
      Infinity,
      () => true,
      ({ change_seq, version }) => version === null && change_seq <= until
    )
    for (const deletion of old) {
      this.changes.remove(deletion)
      this.#latest.delete(deletion.document_id)
    }
    return old.length
  }

  record(event: Event): void {
    this.events.add({ ...event, event_seq: ++this.#eventSeq })
  }

  #forget(version: Version): void {
    const { document_id, external_id, size } = version.record
    this.#versions.delete(document_id)
    this.#byExternalId.get(version.connector_id)?.delete(external_id)
    this.#byConnector.get(version.connector_id)?.remove(version)
    this.#names.get(version.connector_id)?.remove(version)
    this.byTime.remove(version)
    this.#storage -= size
  }

  #note(change: ChangeRow): void {
    const earlier = this.#latest.get(change.document_id)
    if (earlier !== undefined) this.changes.remove(earlier)
    this.#latest.set(change.document_id, change)
    this.changes.add(change)
  }
}
