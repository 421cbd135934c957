/**
 * Documents and their events, with the meters of a workspace.
 *
 * Every change of a document takes the next number of the workspace's `change_seq`, and every event the next of its
 * `event_seq`, under one lock: a reader that has seen a number has seen all lower ones.
 */
import { Context, type Option } from "effect"
import type { Document, Event } from "../model/Document.ts"
import type { ItemOutcome } from "../model/Ingest.ts"
import type { RejectedItem } from "../model/Error.ts"
import type { ConnectorId, DocumentId, EventId, WorkspaceId } from "../model/Id.ts"
import type { TokenFilter } from "../model/Token.ts"
import type { FencingToken, NewJob } from "./JobStore.ts"
import type { Stored } from "./Storage.ts"

/** A document without the fields that depend on the time of the request. */
export type DocumentRecord = Omit<Document, "in_context">

/** One validated item. */
export interface Admission {
  readonly external_id: string
  /** The id of a new document; a replacement keeps its document's id. */
  readonly document_id: DocumentId
  readonly event_id: EventId
  readonly kind: string
  readonly title: string | null
  readonly url: string | null
  readonly size: number
  /** Consecutive slices of the document's text. */
  readonly chunks: ReadonlyArray<string>
  /** Compact JSON as sent, or null for plain text. */
  readonly payload: string | null
  /** Null: a replacement keeps the stored timestamp (and end), a new document gets the time of admission. */
  readonly timestamp: Date | null
  readonly ends_at: Date | null
  readonly metadata: Readonly<Record<string, string>>
  /** Equal for items with equal fields, except for the timestamp. */
  readonly fingerprint: string
  /**
   * The item alone exceeds the cap for one document, and the document that it replaces, if any, is smaller. Nothing else
   * of it is checked.
   */
  readonly oversized: boolean
}

/** Null means uncapped. `storage` is bytes. */
export interface Caps {
  readonly documents: number | null
  readonly storage: number | null
  /** The most chunks that may wait for a refresh; further items are refused. */
  readonly pending?: number | null
}

export interface Verdict {
  readonly status: ItemOutcome["status"]
  /** The cap that the item exceeds. */
  readonly resource: RejectedItem["resource"] | null
  readonly document_id: DocumentId | null
}

/** One change after some `change_seq`. A document with several changes appears once, with the latest. */
export interface Change {
  readonly change_seq: number
  readonly document_id: DocumentId
  /** Null if it was deleted. */
  readonly document: IndexedDocument | null
}

/** A document as the context is built from it. */
export interface IndexedDocument extends DocumentRecord {
  readonly change_seq: number
  readonly chunks: ReadonlyArray<string>
}

/** A document with its text and payload. */
export interface DocumentContent extends DocumentRecord {
  readonly change_seq: number
  readonly chunks: ReadonlyArray<string>
  readonly payload: string | null
}

/** One chunk of one version of a document. */
export interface PassageRef {
  readonly document_id: DocumentId
  readonly change_seq: number
  /** The chunk's index in its document. A document without text has one empty passage, 0. */
  readonly ordinal: number
}

export interface Passage extends PassageRef {
  readonly document: DocumentRecord
  readonly text: string
  /** The start of the chunk in the document's text, in UTF-16 code units. */
  readonly start: number
  /** Only if requested. */
  readonly payload: string | null
}

export interface EventRecord extends Event {
  readonly event_seq: number
}

/** Selects documents of one connector. */
export type Selection =
  | { readonly document_id: DocumentId }
  | { readonly connector_id: ConnectorId; readonly external_ids: ReadonlyArray<string> }
  /** The first `first` by id that have not changed after `until`, to delete everything in bounded steps. */
  | { readonly connector_id: ConnectorId; readonly first: number; readonly until: number }
  /** Those of them that are marked as gone at the source (`ConnectionStore.noteDeletions`), with the marks. */
  | { readonly connector_id: ConnectorId; readonly resource: string; readonly gone: ReadonlyArray<string> }
  /** Of any connector; those that changed since are skipped. */
  | { readonly versions: ReadonlyArray<DocumentVersion> }

/** A document after one change. */
export interface DocumentVersion {
  readonly document_id: DocumentId
  readonly change_seq: number
}

/** Selects documents of a workspace. Null matches all. */
export interface DocumentFilter {
  readonly documentIds: ReadonlyArray<DocumentId> | null
  /** Of one connector or connection. */
  readonly connectorId: ConnectorId | null
  /** See `isFrom`. */
  readonly source: string | null
  readonly kind: string | null
  /** With `to`: those that overlap the range, see `overlaps`. */
  readonly from: Date | null
  readonly to: Date | null
  /** Those that overlap a range that is not empty, or those that do not. A null bound is open. */
  readonly range: { readonly from: Date | null; readonly to: Date | null; readonly inside: boolean } | null
  /**
   * Of each word, one of its forms must be part of the title or of the external id after `foldText`. They are folded
   * already, and have no white space.
   */
  readonly words: ReadonlyArray<ReadonlyArray<string>>
  /** Those that a token shows, see `isShown`. */
  readonly shownTo: TokenFilter | null
}

export const EVERY_DOCUMENT: DocumentFilter = {
  documentIds: null,
  connectorId: null,
  source: null,
  kind: null,
  from: null,
  to: null,
  range: null,
  words: [],
  shownTo: null
}

/** Equal keys are ordered by id. Times are milliseconds in a key. */
export interface DocumentOrder {
  readonly by: "timestamp" | "updated_at" | "title" | "size"
  readonly descending: boolean
}

export interface DocumentPosition {
  readonly key: string | number
  readonly document_id: DocumentId
}

export interface DocumentSource {
  readonly connector_id: ConnectorId
  readonly source: string
}

export interface AdmissionOptions {
  readonly caps: Caps
  readonly now: Date
  /** Queued if something changed. */
  readonly follow: NewJob
  readonly fencingToken?: FencingToken | undefined
}

export class DocumentStore extends Context.Service<DocumentStore, {
  /**
   * Checks the items in order, each against the state after the ones before it: `oversized`, then the number of
   * documents, then storage. A replacement counts only its difference and always fits if it does not grow. An item
   * equal to the stored one (fingerprint, and timestamp if given) is `unchanged`: no event, no change. Of several
   * versions of one `external_id` each is checked and has its event, and the last admitted one is stored. All admitted
   * items, their events, the meters and `follow` (only if something changed) are stored together.
   *
   * `null` if the connector is not active, its workspace is closed or the lease of `fencingToken` is lost, `"behind"`
   * if too many chunks wait for a refresh: nothing is stored. In the latter case, and from two fifths of the limit on,
   * `follow` may run at once.
   */
  admit(
    workspaceId: WorkspaceId,
    origin: DocumentSource,
    items: ReadonlyArray<Admission>,
    options: AdmissionOptions
  ): Stored<ReadonlyArray<Verdict> | "behind" | null>
  /**
   * Deletes documents with their text, adds a tombstone and an event for each, and frees their quota. None if the lease
   * of `fencingToken` is lost.
   */
  remove(
    workspaceId: WorkspaceId,
    selection: Selection,
    now: Date,
    follow: NewJob,
    fencingToken?: FencingToken
  ): Stored<ReadonlyArray<Pick<DocumentRecord, "document_id" | "external_id">>>
  find(workspaceId: WorkspaceId, documentId: DocumentId): Stored<Option.Option<DocumentContent>>
  findByExternalId(
    workspaceId: WorkspaceId,
    connectorId: ConnectorId,
    externalId: string
  ): Stored<Option.Option<DocumentContent>>
  /** By document id, descending (so newest first), after the given one. */
  list(workspaceId: WorkspaceId, connectorId: ConnectorId, options: {
    readonly externalId: string | null
    readonly after: DocumentId | null
    readonly limit: number
  }): Stored<ReadonlyArray<DocumentRecord>>
  /** The sizes of the stored ones of these documents, by external id. */
  sizes(
    workspaceId: WorkspaceId,
    connectorId: ConnectorId,
    externalIds: ReadonlyArray<string>
  ): Stored<ReadonlyMap<string, number>>
  /** Documents of the whole workspace in an order, after the given one. At most `limit`. */
  browse(workspaceId: WorkspaceId, filter: DocumentFilter, options: {
    readonly order: DocumentOrder
    readonly after: DocumentPosition | null
    readonly limit: number
  }): Stored<ReadonlyArray<DocumentRecord>>
  /** The matching versions, in any order; at most `limit`. */
  matching(
    workspaceId: WorkspaceId,
    filter: DocumentFilter,
    limit: number
  ): Stored<ReadonlyArray<DocumentVersion & { readonly source: string }>>
  /** The number of matches, counted up to `limit`. */
  countMatching(workspaceId: WorkspaceId, filter: DocumentFilter, limit: number): Stored<number>
  /**
   * Documents whose external id starts with `prefix`, which ends with a slash; sorted by that id, after the given one.
   */
  externalIds(workspaceId: WorkspaceId, connectorId: ConnectorId, options: {
    readonly prefix: string
    readonly after: string | null
    readonly limit: number
  }): Stored<ReadonlyArray<Pick<DocumentRecord, "external_id" | "timestamp" | "ends_at">>>
  /** The number of documents whose external id starts with `prefix` and with none of `except`. All end with a slash. */
  count(workspaceId: WorkspaceId, connectorId: ConnectorId, options: {
    readonly prefix: string
    readonly except: ReadonlyArray<string>
  }): Stored<number>
  /**
   * By `change_seq`, ascending, after `since`; each document once. At most `limit`, and not beyond 16 MiB of text, but
   * at least one if there are any.
   */
  changes(workspaceId: WorkspaceId, since: number, limit: number): Stored<ReadonlyArray<Change>>
  /** Every document, by (timestamp, document id) ascending, after the given one. Bounded like `changes`. */
  scan(
    workspaceId: WorkspaceId,
    after: { readonly timestamp: Date; readonly document_id: DocumentId } | null,
    limit: number
  ): Stored<ReadonlyArray<IndexedDocument>>
  /** The named chunks that are still stored, in the given order. Replaced or deleted versions are left out. */
  passages(
    workspaceId: WorkspaceId,
    refs: ReadonlyArray<PassageRef>,
    withPayload: boolean
  ): Stored<ReadonlyArray<Passage>>
  /** What the workspace holds; `storage` is bytes. */
  meters(workspaceId: WorkspaceId): Stored<{ readonly documents: number; readonly storage: number }>
  /** By `event_seq`, ascending, after `since`. Null filters match all; for `source` see `isFrom`. At most `limit`. */
  events(workspaceId: WorkspaceId, options: {
    readonly since: number
    readonly source: string | null
    readonly kind: string | null
    readonly limit: number
  }): Stored<ReadonlyArray<EventRecord>>
  /** Those of one document, by `event_seq`, ascending, from after `since`. At most `limit`. */
  eventsOf(workspaceId: WorkspaceId, documentId: DocumentId, options: {
    readonly since: number
    readonly limit: number
  }): Stored<ReadonlyArray<EventRecord>>
  /** Deletes events of every workspace from before `before`. Returns their number. */
  pruneEvents(before: Date): Stored<number>
  /**
   * Deletes tombstones of documents that no snapshot contains any more (`purgedSeq`); none without a snapshot. Returns
   * their number.
   */
  readonly pruneTombstones: Stored<number>
}>()("@tributary/core/ports/DocumentStore") {}
