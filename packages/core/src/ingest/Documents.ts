/** Reading and deleting documents, and their events. */
import { Array as Arr, Clock, Context, Effect, Layer, Option, References, Schema, Stream, Struct } from "effect"
import { refreshJob } from "../context/contextJobs.ts"
import { spanned } from "../internal/collectedTraces.ts"
import { paged } from "../internal/paged.ts"
import { eventsAfter, newestEvent } from "./watchEvents.ts"
import { findConnector } from "./findConnector.ts"
import { servedRange } from "../context/servedRange.ts"
import { cursorIn, ofIds, orderOf, storedFilter } from "./browseDocuments.ts"
import { cursorOf } from "../model/Cursor.ts"
import { type Document, type Event, type FullDocument, isFrom } from "../model/Document.ts"
import { type DocumentDeletion, type DocumentFilter, type DocumentSort, MOST_COUNTED } from "../model/DocumentList.ts"
import { Conflict, type ConnectorNotFound, DocumentNotFound, type StorageUnavailable } from "../model/Error.ts"
import { DocumentId, parseId, type WorkspaceId } from "../model/Id.ts"
import { ExternalId } from "../model/Ingest.ts"
import { overlaps, type Range } from "../model/TemporalRange.ts"
import type { InvalidCursor, Page, PageRequest } from "../model/Page.ts"
import { isStorable } from "../model/Text.ts"
import { isShown, type TokenFilter } from "../model/Token.ts"
import { Narrowed } from "../people/Narrowed.ts"
import { ConnectorStore } from "../ports/ConnectorStore.ts"
import {
  type DocumentContent,
  type DocumentRecord,
  DocumentStore,
  type DocumentVersion,
  type EventRecord,
  type Selection
} from "../ports/DocumentStore.ts"
import { positionOf } from "../ports/documentPosition.ts"
import { KnowledgeStore } from "../ports/KnowledgeStore.ts"

const documentCursor = cursorOf("documents", DocumentId)
const eventCursor = cursorOf("events", Schema.Int)

// Text that cannot equal a stored id is not looked up; a backend might not even be able to.
const isExternalId = Schema.is(ExternalId)

const shown = (record: DocumentRecord, range: Range): Document => ({
  ...record,
  in_context: overlaps(range, record.timestamp.getTime(), (record.ends_at ?? record.timestamp).getTime())
})

const shownInFull = (content: DocumentContent, range: Range): FullDocument => ({
  ...shown(Struct.omit(content, ["change_seq", "chunks", "payload"]), range),
  text: content.chunks.join(""),
  payload: content.payload === null ? null : JSON.parse(content.payload)
})

/** How many documents one step of a deletion deletes. */
const DELETED_AT_ONCE = 1_000

/** A document as it was when it was selected for deletion. */
export type SelectedVersion = DocumentVersion & { readonly source: string }

const withoutSeq = (event: EventRecord): Event => Struct.omit(event, ["event_seq"])

/** Null matches everything. */
export interface EventFilter {
  readonly source: string | null
  readonly kind: string | null
  /** A malformed id matches nothing. */
  readonly document_id?: string | null
}

/** An event, and the number from which to resume after it. */
export interface NumberedEvent {
  readonly seq: number
  readonly event: Event
}

export class Documents extends Context.Service<Documents, {
  /** Newest first, without text. */
  list(
    workspaceId: WorkspaceId,
    connectorId: string,
    externalId: string | null,
    page: PageRequest
  ): Effect.Effect<Page<Document>, ConnectorNotFound | InvalidCursor | StorageUnavailable>
  /** All documents of the workspace, sorted and filtered, with the number of matches. */
  browse(workspaceId: WorkspaceId, filter: DocumentFilter, sort: DocumentSort, page: PageRequest): Effect.Effect<
    Page<Document> & { readonly total: number },
    InvalidCursor | StorageUnavailable
  >
  /** The documents that a deletion would delete now. Fails if their number is not the confirmed one. */
  selected(
    workspaceId: WorkspaceId,
    deletion: DocumentDeletion
  ): Effect.Effect<ReadonlyArray<SelectedVersion>, Conflict | StorageUnavailable>
  /** Deletes the documents that have not changed since they were selected. Returns their ids. */
  deleteSelected(
    workspaceId: WorkspaceId,
    selected: ReadonlyArray<SelectedVersion>
  ): Effect.Effect<ReadonlyArray<DocumentId>, StorageUnavailable>
  find(workspaceId: WorkspaceId, documentId: string): Effect.Effect<FullDocument, DocumentNotFound | StorageUnavailable>
  findByExternalId(
    workspaceId: WorkspaceId,
    connectorId: string,
    externalId: string
  ): Effect.Effect<FullDocument, ConnectorNotFound | DocumentNotFound | StorageUnavailable>
  delete(workspaceId: WorkspaceId, documentId: string): Effect.Effect<
    Pick<Document, "document_id" | "external_id">,
    DocumentNotFound | StorageUnavailable
  >
  deleteByExternalId(
    workspaceId: WorkspaceId,
    connectorId: string,
    externalId: string
  ): Effect.Effect<void, ConnectorNotFound | DocumentNotFound | StorageUnavailable>
  /** The external ids that existed, in the given order. */
  deleteMany(
    workspaceId: WorkspaceId,
    connectorId: string,
    externalIds: ReadonlyArray<string>
  ): Effect.Effect<ReadonlyArray<string>, ConnectorNotFound | StorageUnavailable>
  /** Oldest first. */
  events(
    workspaceId: WorkspaceId,
    filter: EventFilter,
    page: PageRequest
  ): Effect.Effect<Page<Event>, InvalidCursor | StorageUnavailable>
  /** The newest ones, newest first. */
  latestEvents(workspaceId: WorkspaceId, limit: number): Effect.Effect<ReadonlyArray<Event>, StorageUnavailable>
  /**
   * New events in batches, without end: after number `since`, or from now on if it is null. A number that is not in use
   * yet also means now.
   */
  watch(
    workspaceId: WorkspaceId,
    filter: EventFilter,
    since: number | null
  ): Effect.Effect<Stream.Stream<ReadonlyArray<NumberedEvent>, StorageUnavailable>, StorageUnavailable>
}>()("@tributary/core/Documents") {
  static readonly layer = Layer.effect(
    Documents,
    Effect.gen(function*() {
      const store = yield* DocumentStore
      const connectors = yield* ConnectorStore
      const stores = { connectors, documents: store }
      const knowledge = yield* KnowledgeStore

      const presentRange = Effect.fnUntraced(function*(workspaceId: WorkspaceId) {
        return servedRange(yield* knowledge.head(workspaceId), yield* Clock.currentTimeMillis)
      })

      const remove = Effect.fnUntraced(function*(workspaceId: WorkspaceId, selection: Selection) {
        const now = yield* Clock.currentTimeMillis
        return yield* store.remove(workspaceId, selection, new Date(now), refreshJob(workspaceId, now))
      })

      const list = Effect.fnUntraced(
        function*(workspaceId: WorkspaceId, connectorId: string, externalId: string | null, page: PageRequest) {
          const { connector_id } = yield* findConnector(stores, workspaceId, connectorId)
          const narrowed = yield* Narrowed
          const { items, next } = yield* paged(
            documentCursor,
            page,
            (record: DocumentRecord) => record.document_id,
            (after, limit) =>
              externalId === null || isExternalId(externalId)
                ? store.list(workspaceId, connector_id, { externalId, after, limit })
                : Effect.succeed([]),
            (record) => narrowed === null || isShown(narrowed, record)
          )
          const range = yield* presentRange(workspaceId)
          return { items: items.map((record) => shown(record, range)), next }
        }
      )

      /** Null if nothing can match. */
      const matched = Effect.fnUntraced(
        function*(workspaceId: WorkspaceId, wanted: DocumentFilter, range: Range, narrowed: TokenFilter | null) {
          const filter = storedFilter(wanted, range, narrowed)
          if (filter === null || filter.connectorId === null) return filter
          // A connection may have been deleted without its documents, but a connector is never deleted.
          const isConnector = Option.isSome(yield* connectors.find(workspaceId, filter.connectorId))
          return isConnector === (typeof wanted.connector_id === "string") ? filter : null
        }
      )

      const browse = Effect.fnUntraced(
        function*(workspaceId: WorkspaceId, wanted: DocumentFilter, sort: DocumentSort, page: PageRequest) {
          const range = yield* presentRange(workspaceId)
          const filter = yield* matched(workspaceId, wanted, range, yield* Narrowed)
          const order = orderOf(sort)
          const { items, next } = yield* paged(
            cursorIn(sort),
            page,
            (record: DocumentRecord) => positionOf(record, order),
            (after, limit) =>
              filter === null ? Effect.succeed([]) : store.browse(workspaceId, filter, { order, after, limit })
          )
          const total = filter === null ? 0 : yield* store.countMatching(workspaceId, filter, MOST_COUNTED + 1)
          return { items: items.map((record) => shown(record, range)), next, total }
        }
      )

      const selected = Effect.fnUntraced(
        function*(workspaceId: WorkspaceId, deletion: DocumentDeletion) {
          const { confirm_total, document_ids } = deletion
          if (document_ids) return yield* store.matching(workspaceId, ofIds(document_ids), document_ids.length)
          const range = yield* presentRange(workspaceId)
          const filter = yield* matched(workspaceId, deletion.filter ?? {}, range, null)
          const found = filter === null ? [] : yield* store.matching(workspaceId, filter, MOST_COUNTED + 1)
          if (found.length === confirm_total) return found
          const isCounted = found.length <= MOST_COUNTED
          return yield* new Conflict({
            message: isCounted
              ? `The filter matches ${found.length} documents, not the ${confirm_total} that were confirmed.`
              : `The filter matches more than ${MOST_COUNTED} documents. Narrow it, and delete in parts.`,
            details: { total: isCounted ? found.length : null }
          })
        }
      )

      const deleteSelected = Effect.fnUntraced(
        function*(workspaceId: WorkspaceId, selected: ReadonlyArray<SelectedVersion>) {
          const removed = yield* Effect.forEach(
            Arr.chunksOf(selected, DELETED_AT_ONCE),
            (versions) => remove(workspaceId, { versions })
          )
          return removed.flatMap((step) => step.map(({ document_id }) => document_id))
        }
      )

      /** A document that the token does not show is reported as not found. */
      const visible = Effect.fnUntraced(function*(workspaceId: WorkspaceId, found: Option.Option<DocumentContent>) {
        const narrowed = yield* Narrowed
        const content = yield* Effect.fromOption(
          Option.filter(found, (content) => narrowed === null || isShown(narrowed, content)),
          () => new DocumentNotFound()
        )
        return shownInFull(content, yield* presentRange(workspaceId))
      })

      const find = Effect.fnUntraced(function*(workspaceId: WorkspaceId, documentId: string) {
        const id = parseId(DocumentId)(documentId)
        const found = Option.isNone(id) ? Option.none<DocumentContent>() : yield* store.find(workspaceId, id.value)
        return yield* visible(workspaceId, found)
      })

      const findByExternalId = Effect.fnUntraced(
        function*(workspaceId: WorkspaceId, connectorId: string, externalId: string) {
          const { connector_id } = yield* findConnector(stores, workspaceId, connectorId)
          if (!isExternalId(externalId)) return yield* new DocumentNotFound()
          return yield* visible(workspaceId, yield* store.findByExternalId(workspaceId, connector_id, externalId))
        }
      )

      const deleteOne = Effect.fnUntraced(function*(workspaceId: WorkspaceId, documentId: string) {
        const id = parseId(DocumentId)(documentId)
        if (Option.isNone(id)) return yield* new DocumentNotFound()
        const [removed] = yield* remove(workspaceId, { document_id: id.value })
        return removed === undefined
          ? yield* new DocumentNotFound()
          : Struct.pick(removed, ["document_id", "external_id"])
      })

      const deleteMany = Effect.fnUntraced(
        function*(workspaceId: WorkspaceId, connectorId: string, externalIds: ReadonlyArray<string>) {
          const { connector_id } = yield* findConnector(stores, workspaceId, connectorId)
          const wanted = [...new Set(externalIds)].filter((externalId) => isExternalId(externalId))
          if (wanted.length === 0) return []
          const removed = yield* remove(workspaceId, { connector_id, external_ids: wanted })
          const existed = new Set(removed.map(({ external_id }) => external_id))
          return wanted.filter((externalId) => existed.has(externalId))
        }
      )

      const deleteByExternalId = Effect.fnUntraced(
        function*(workspaceId: WorkspaceId, connectorId: string, externalId: string) {
          const removed = yield* deleteMany(workspaceId, connectorId, [externalId])
          if (removed.length === 0) return yield* new DocumentNotFound()
        }
      )

      const matches =
        ({ document_id = null, kind, source }: EventFilter, narrowed: TokenFilter | null) => (event: Event) =>
          (source === null || isFrom(event.source, source)) && (kind === null || event.kind === kind) &&
          (document_id === null || event.document_id === document_id.toLowerCase()) &&
          (narrowed === null || isShown(narrowed, event))

      /** What is read may be more than what matches. */
      const readEvents = (
        workspaceId: WorkspaceId,
        { document_id = null, kind, source }: EventFilter,
        page: { readonly since: number; readonly limit: number }
      ): Effect.Effect<ReadonlyArray<EventRecord>, StorageUnavailable> =>
        !isStorable(source ?? "") || !isStorable(kind ?? "")
          ? Effect.succeed([])
          : document_id === null
          ? store.events(workspaceId, { ...page, source, kind })
          : Option.match(parseId(DocumentId)(document_id), {
            onNone: () => Effect.succeed([]),
            onSome: (id) => store.eventsOf(workspaceId, id, page)
          })

      const events = Effect.fnUntraced(
        function*(
          workspaceId: WorkspaceId,
          filter: EventFilter,
          page: PageRequest
        ) {
          const { items, next } = yield* paged(
            eventCursor,
            page,
            (event: EventRecord) => event.event_seq,
            (after, limit) => readEvents(workspaceId, filter, { since: after ?? 0, limit }),
            matches(filter, yield* Narrowed)
          )
          return { items: items.map(withoutSeq), next }
        }
      )

      const reader = (workspaceId: WorkspaceId) => (since: number, limit: number) =>
        store.events(workspaceId, { since, source: null, kind: null, limit })

      const latestEvents = Effect.fnUntraced(function*(workspaceId: WorkspaceId, limit: number) {
        const read = reader(workspaceId)
        const newest = yield* newestEvent(read)
        const latest = yield* read(Math.max(0, newest - limit), limit)
        return latest.map(withoutSeq).reverse()
      })

      const watch = Effect.fnUntraced(
        function*(workspaceId: WorkspaceId, filter: EventFilter, since: number | null) {
          const read = reader(workspaceId)
          const resumes = since !== null && (yield* read(since, 1)).length > 0
          // An event between the two reads is after `since`, too.
          const start = resumes ? since : Math.min(since ?? Infinity, yield* newestEvent(read))
          const isWanted = matches(filter, yield* Narrowed)
          return eventsAfter(start, read, isWanted).pipe(
            Stream.map((batch) => batch.map((event) => ({ seq: event.event_seq, event: withoutSeq(event) }))),
            // It lasts as long as somebody listens, and is in no trace of a request.
            Stream.provideService(References.TracerEnabled, false)
          )
        }
      )

      const operations = Documents.of({
        list,
        browse,
        selected,
        deleteSelected,
        find,
        findByExternalId,
        delete: deleteOne,
        deleteByExternalId,
        deleteMany,
        events,
        latestEvents,
        watch
      })
      return spanned(operations, "Documents", "internal")
    })
  )
}
