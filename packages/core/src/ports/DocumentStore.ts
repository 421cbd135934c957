/**
 * Documents and their events, with the meters of what a workspace holds.
 *
 * Every change of a workspace's documents takes the next number of the workspace's `change_seq`, and every event
 * the next of its `event_seq`, under one lock: the one who has seen a number has seen all below it.
 */
import { Context, type Option } from "effect"
import type { Document, Event } from "../model/Document.ts"
import type { ItemOutcome } from "../model/Ingest.ts"
import type { RejectedItem } from "../model/Error.ts"
import type { ConnectorId, DocumentId, EventId, WorkspaceId } from "../model/Id.ts"
import type { TokenFilter } from "../model/Token.ts"
import type { NewJob } from "./JobStore.ts"
import type { Stored } from "./Storage.ts"

/** A document without what depends on the moment of asking. */
export type DocumentRecord = Omit<Document, "in_context">

/** One item, ready to be stored. */
export interface Admission {
  readonly external_id: string
  /** Taken when the item is new; a replacement keeps its document's id. */
  readonly document_id: DocumentId
  readonly event_id: EventId
  readonly kind: string
  readonly title: string | null
  readonly url: string | null
  readonly size: number
  /** Consecutive slices; joined they are the document's text. */
  readonly chunks: ReadonlyArray<string>
  /** Compact JSON as sent, or null for plain text. */
  readonly payload: string | null
  /** Null: a replacement keeps the stored one (and its end), a new item gets the moment of admission. */
  readonly timestamp: Date | null
  readonly ends_at: Date | null
  readonly metadata: Readonly<Record<string, string>>
  /** Equal for items that were sent with equal fields, the timestamp apart. */
  readonly fingerprint: string
  /** The item alone is over the cap for one document; nothing else of it is judged. */
  readonly oversized: boolean
}

/** Null means uncapped. `storage` is bytes. */
export interface Caps {
  readonly documents: number | null
  readonly storage: number | null
  /** Chunks that may wait to be folded into the context's snapshot: once there are as many, nothing is taken in. */
  readonly pending?: number | null
}

export interface Verdict {
  readonly status: ItemOutcome["status"]
  /** The cap that a rejected item hit. */
  readonly resource: RejectedItem["resource"] | null
  readonly document_id: DocumentId | null
}

/** One change since some `change_seq`; a document changed many times appears once, with its latest. */
export interface Change {
  readonly change_seq: number
  readonly document_id: DocumentId
  /** Null when it was deleted. */
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
  /** The chunk's index in its document; a document without text has one passage, 0, which is empty. */
  readonly ordinal: number
}

export interface Passage extends PassageRef {
  readonly document: DocumentRecord
  readonly text: string
  /** Where the chunk begins in the document's text, in UTF-16 code units. */
  readonly start: number
  /** Only when asked for. */
  readonly payload: string | null
}

export interface EventRecord extends Event {
  readonly event_seq: number
}

/** Which documents of one connector. */
export type Selection =
  | { readonly document_id: DocumentId }
  | { readonly connector_id: ConnectorId; readonly external_ids: ReadonlyArray<string> }
  /** The `first` ones by id, of those that did not change after `until`: for removing everything in bounded steps. */
  | { readonly connector_id: ConnectorId; readonly first: number; readonly until: number }
  /** Of any connector; those that changed since are left. */
  | { readonly versions: ReadonlyArray<DocumentVersion> }

/** A document as it was after one change. */
export interface DocumentVersion {
  readonly document_id: DocumentId
  readonly change_seq: number
}

/** Which documents of a workspace. Null matches all. */
export interface DocumentFilter {
  readonly documentIds: ReadonlyArray<DocumentId> | null
  /** Of one connector or connection. */
  readonly connectorId: ConnectorId | null
  /** As `isFrom` says. */
  readonly source: string | null
  readonly kind: string | null
  /** Timestamps at or after. */
  readonly from: Date | null
  /** Timestamps before. */
  readonly to: Date | null
  /** Those that overlap a range that is not empty, or those that do not. A null bound is open. */
  readonly range: { readonly from: Date | null; readonly to: Date | null; readonly inside: boolean } | null
  /** Each is part of the title or of the external id once `foldAscii` is applied to those; they are folded already. */
  readonly words: ReadonlyArray<string>
  /** Those that a token shows, as `isShown` says. */
  readonly shownTo: TokenFilter | null
}

/** ASCII letters in one case, all else as it is: what every store does alike. */
export const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** What sorting by title compares, by code point: the first characters of the folded title, or else of the external id. */
export const TITLE_KEY_LENGTH = 100

export const titleKey = ({ external_id, title }: Pick<DocumentRecord, "external_id" | "title">): string =>
  [...foldAscii(title ?? external_id)].slice(0, TITLE_KEY_LENGTH).join("")

/** Equal keys are in the order of their ids. Moments are milliseconds in a key. */
export interface DocumentOrder {
  readonly by: "timestamp" | "updated_at" | "title" | "size"
  readonly descending: boolean
}

export interface DocumentPosition {
  readonly key: string | number
  readonly document_id: DocumentId
}

export interface Origin {
  readonly connector_id: ConnectorId
  readonly source: string
}

export class DocumentStore extends Context.Service<DocumentStore, {
  /**
   * Judges the items in their order, each against what the ones before it left: `oversized`, then the count of
   * documents, then storage, where a replacement counts only its difference and always fits when it does not grow.
   * An item equal to what is stored (fingerprint, and timestamp when given) is `unchanged`: no event, no change.
   * Of several versions of one `external_id` each is judged, has its event, and the last admitted one is stored.
   * All admitted items, their events, the meters and `follow` (only when something changed) are stored together.
   * `null` when the connector is not active at that moment, `"behind"` when as many chunks wait as may: nothing is
   * stored. In the latter case, and from two fifths of it on, `follow` may run at once.
   */
  admit(
    workspaceId: WorkspaceId,
    origin: Origin,
    items: ReadonlyArray<Admission>,
    caps: Caps,
    now: Date,
    follow: NewJob
  ): Stored<ReadonlyArray<Verdict> | "behind" | null>
  /** Removes documents with their text, leaves a tombstone and an event for each, and frees their quota. */
  remove(
    workspaceId: WorkspaceId,
    selection: Selection,
    now: Date,
    follow: NewJob
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
  /** Documents of the whole workspace in an order, after the given one. At most `limit`. */
  browse(workspaceId: WorkspaceId, filter: DocumentFilter, options: {
    readonly order: DocumentOrder
    readonly after: DocumentPosition | null
    readonly limit: number
  }): Stored<ReadonlyArray<DocumentRecord>>
  /** Which versions match at this moment, in no order; at most `limit`. */
  matching(
    workspaceId: WorkspaceId,
    filter: DocumentFilter,
    limit: number
  ): Stored<ReadonlyArray<DocumentVersion & { readonly source: string }>>
  /** How many match, counted no further than `limit`. */
  countMatching(workspaceId: WorkspaceId, filter: DocumentFilter, limit: number): Stored<number>
  /** Of the documents whose external id begins with `prefix`, which ends with a slash; by that id, after the given one. */
  externalIds(workspaceId: WorkspaceId, connectorId: ConnectorId, options: {
    readonly prefix: string
    readonly after: string | null
    readonly limit: number
  }): Stored<ReadonlyArray<Pick<DocumentRecord, "external_id" | "timestamp" | "ends_at">>>
  /** How many documents have an external id that begins with `prefix`, and with none of `except`. All end with a slash. */
  count(workspaceId: WorkspaceId, connectorId: ConnectorId, options: {
    readonly prefix: string
    readonly except: ReadonlyArray<string>
  }): Stored<number>
  /**
   * By `change_seq`, ascending, from after `since`; each document once. At most `limit`, and no more once they hold
   * 16 MiB of text, but at least one while there are any.
   */
  changes(workspaceId: WorkspaceId, since: number, limit: number): Stored<ReadonlyArray<Change>>
  /** Every document, by (timestamp, document id) ascending, after the given one. Bounded as `changes` is. */
  scan(
    workspaceId: WorkspaceId,
    after: { readonly timestamp: Date; readonly document_id: DocumentId } | null,
    limit: number
  ): Stored<ReadonlyArray<IndexedDocument>>
  /** What is still stored of the chunks named, in the order named; a version that was replaced or deleted is left out. */
  passages(
    workspaceId: WorkspaceId,
    refs: ReadonlyArray<PassageRef>,
    withPayload: boolean
  ): Stored<ReadonlyArray<Passage>>
  /** What the workspace holds; `storage` is bytes. */
  meters(workspaceId: WorkspaceId): Stored<{ readonly documents: number; readonly storage: number }>
  /** By `event_seq`, ascending, from after `since`; null filters match all, `source` as `isFrom` says. At most `limit`. */
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
  /** Forgets events of every workspace from before `before`; says how many. */
  pruneEvents(before: Date): Stored<number>
  /** Forgets deletions of what is in no bytes of a snapshot any more (`purgedSeq`); says how many. Without a snapshot none. */
  readonly pruneTombstones: Stored<number>
}>()("@tributary/core/ports/DocumentStore") {}
