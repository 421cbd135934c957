/** Lists documents, and reads one by either of its ids. */
import { Effect, Option, Struct } from "effect"
import { findConnector } from "../ingest/findConnector.ts"
import { lookUp } from "../internal/lookUp.ts"
import { paged } from "../internal/paged.ts"
import { cursorOf } from "../model/Cursor.ts"
import type { Document, FullDocument } from "../model/Document.ts"
import { type DocumentFilter, type DocumentSort, MAX_COUNTED } from "../model/DocumentList.ts"
import { DocumentNotFound } from "../model/Error.ts"
import { DocumentId, type WorkspaceId } from "../model/Id.ts"
import { isExternalId } from "../model/Ingest.ts"
import type { PageRequest } from "../model/Page.ts"
import { overlaps, type Range } from "../model/TemporalRange.ts"
import { isShown } from "../model/Token.ts"
import { parseJson } from "../model/parseJson.ts"
import { CurrentTokenFilter } from "../people/CurrentTokenFilter.ts"
import { ConnectorStore } from "../ports/ConnectorStore.ts"
import { type DocumentContent, type DocumentRecord, DocumentStore } from "../ports/DocumentStore.ts"
import { positionOf } from "../ports/documentPosition.ts"
import { metadataLength } from "./metadataLength.ts"
import { cursorIn, documentSelection, orderOf } from "./documentSelection.ts"
import { selectionWarnings } from "./selectionWarnings.ts"

const documentCursor = cursorOf("documents", DocumentId)

const shown = (record: DocumentRecord, range: Range): Document => ({
  ...record,
  in_context: overlaps(range, record.timestamp.getTime(), (record.ends_at ?? record.timestamp).getTime())
})

const shownInFull = (content: DocumentContent, range: Range): FullDocument => ({
  ...shown(Struct.omit(content, ["change_seq", "chunks", "payload"]), range),
  text: content.chunks.join(""),
  payload: content.payload === null ? null : parseJson(content.payload)
})

/** The operations of `Documents` that read. */
export const documentReading = Effect.gen(function*() {
  const store = yield* DocumentStore
  const stores = { connectors: yield* ConnectorStore, documents: store }
  const { presentRange, selectionOf } = yield* documentSelection
  const warningsOf = yield* selectionWarnings

  const list = Effect.fnUntraced(
    function*(workspaceId: WorkspaceId, connectorId: string, externalId: string | null, page: PageRequest) {
      const { connector_id } = yield* findConnector(stores, workspaceId, connectorId)
      const tokenFilter = yield* CurrentTokenFilter
      const { items, next } = yield* paged(
        documentCursor,
        page,
        (record: DocumentRecord) => record.document_id,
        (after, limit) =>
          externalId === null || isExternalId(externalId)
            ? store.list(workspaceId, connector_id, { externalId, after, limit })
            : Effect.succeed([]),
        (record) => tokenFilter === null || isShown(tokenFilter, record),
        metadataLength
      )
      const range = yield* presentRange(workspaceId)
      return { items: items.map((record) => shown(record, range)), next }
    }
  )

  const browse = Effect.fnUntraced(
    function*(workspaceId: WorkspaceId, wanted: DocumentFilter, sort: DocumentSort, page: PageRequest) {
      const range = yield* presentRange(workspaceId)
      const filter = yield* selectionOf(workspaceId, wanted, range, yield* CurrentTokenFilter)
      const order = orderOf(sort)
      const { items, next } = yield* paged(
        cursorIn(sort),
        page,
        (record: DocumentRecord) => positionOf(record, order),
        (after, limit) =>
          filter === null ? Effect.succeed([]) : store.browse(workspaceId, filter, { order, after, limit }),
        undefined,
        metadataLength
      )
      const total = filter === null ? 0 : yield* store.countMatching(workspaceId, filter, MAX_COUNTED + 1)
      const warnings = total === 0 ? yield* warningsOf(workspaceId, wanted) : []
      return { items: items.map((record) => shown(record, range)), next, total, warnings }
    }
  )

  /** A document that the token does not show is reported as not found. */
  const visible = Effect.fnUntraced(function*(workspaceId: WorkspaceId, found: Option.Option<DocumentContent>) {
    const tokenFilter = yield* CurrentTokenFilter
    const content = yield* Effect.fromOption(
      Option.filter(found, (content) => tokenFilter === null || isShown(tokenFilter, content)),
      () => new DocumentNotFound()
    )
    return shownInFull(content, yield* presentRange(workspaceId))
  })

  const find = Effect.fnUntraced(function*(workspaceId: WorkspaceId, documentId: string) {
    return yield* visible(workspaceId, yield* lookUp(DocumentId, documentId, (id) => store.find(workspaceId, id)))
  })

  const findByExternalId = Effect.fnUntraced(
    function*(workspaceId: WorkspaceId, connectorId: string, externalId: string) {
      const { connector_id } = yield* findConnector(stores, workspaceId, connectorId)
      if (!isExternalId(externalId)) return yield* new DocumentNotFound()
      return yield* visible(workspaceId, yield* store.findByExternalId(workspaceId, connector_id, externalId))
    }
  )

  return { list, browse, find, findByExternalId }
})
