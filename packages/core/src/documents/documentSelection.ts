/** Translates the filter and the order of a request into those of the store. */
import { Clock, Effect, Option, Schema } from "effect"
import { servedRange } from "../context/servedRange.ts"
import { cursorOf } from "../model/Cursor.ts"
import type { DocumentFilter, DocumentSort } from "../model/DocumentList.ts"
import { ConnectorId, DocumentId, parseId, type WorkspaceId } from "../model/Id.ts"
import { isReversed, type Range } from "../model/TemporalRange.ts"
import { foldedWords, foldText, formsOf } from "../model/folding.ts"
import { Text } from "../model/Text.ts"
import { Millis } from "../model/Timestamp.ts"
import type { TokenFilter } from "../model/Token.ts"
import { ConnectorStore } from "../ports/ConnectorStore.ts"
import * as Store from "../ports/DocumentStore.ts"
import { KnowledgeStore } from "../ports/KnowledgeStore.ts"

const dateAt = (moment: number): Date | null => Number.isFinite(moment) ? new Date(moment) : null

/** Null if nothing can match. */
const storedRange = (inContext: boolean, range: Range): Store.DocumentFilter["range"] | "none" => {
  if (isReversed(range)) return inContext ? "none" : null
  return { from: dateAt(range.from), to: dateAt(range.to), inside: inContext }
}

/** The id of the connector or the connection; undefined if neither is given, null if none can match. */
const connectorIdOf = ({ connection_id, connector_id }: DocumentFilter): ConnectorId | null | undefined => {
  const [id, other] = [connector_id, connection_id].filter((id) => typeof id === "string")
  if (id === undefined) return undefined
  return other === undefined ? Option.getOrNull(parseId(ConnectorId)(id)) : null
}

const idsIn = (documentIds: ReadonlyArray<string>): ReadonlyArray<DocumentId> =>
  [...new Set(documentIds)].flatMap((id) => Option.toArray(parseId(DocumentId)(id)))

export const ofIds = (documentIds: ReadonlyArray<string>): Store.DocumentFilter => ({
  ...Store.EVERY_DOCUMENT,
  documentIds: idsIn(documentIds)
})

/** Those of one connector or connection that a token shows. */
export const shownOf = (connectorId: ConnectorId, shownTo: TokenFilter): Store.DocumentFilter => ({
  ...Store.EVERY_DOCUMENT,
  connectorId,
  shownTo
})

/**
 * Null if nothing can match. `range` is that of the knowledge context. An id of a connection selects like one of a
 * connector.
 */
const storedFilter = (
  filter: DocumentFilter,
  range: Range,
  shownTo: TokenFilter | null
): Store.DocumentFilter | null => {
  const connectorId = connectorIdOf(filter)
  const inContext = filter.in_context
  const overlapping = typeof inContext === "boolean" ? storedRange(inContext, range) : null
  if (connectorId === null || overlapping === "none") return null
  return {
    documentIds: null,
    connectorId: connectorId ?? null,
    source: filter.source ?? null,
    kind: filter.kind ?? null,
    from: filter.from ?? null,
    to: filter.to ?? null,
    range: overlapping,
    // An accent alone is no word.
    words: foldedWords(filter.q ?? "").filter((word) => foldText(word) !== "").map(formsOf),
    shownTo
  }
}

/** How requests on the documents of a workspace are translated. */
export const documentSelection = Effect.gen(function*() {
  const connectors = yield* ConnectorStore
  const knowledge = yield* KnowledgeStore

  /** That of the knowledge context. */
  const presentRange = Effect.fnUntraced(function*(workspaceId: WorkspaceId) {
    return servedRange(yield* knowledge.head(workspaceId), yield* Clock.currentTimeMillis)
  })

  /** Null if nothing can match. */
  const selectionOf = Effect.fnUntraced(
    function*(workspaceId: WorkspaceId, wanted: DocumentFilter, range: Range, shownTo: TokenFilter | null) {
      const filter = storedFilter(wanted, range, shownTo)
      if (filter === null || filter.connectorId === null) return filter
      // A connection may have been deleted without its documents, but a connector is never deleted.
      const isConnector = Option.isSome(yield* connectors.find(workspaceId, filter.connectorId))
      return isConnector === (typeof wanted.connector_id === "string") ? filter : null
    }
  )

  return { presentRange, selectionOf }
})

export const orderOf = (sort: DocumentSort): Store.DocumentOrder => {
  const descending = sort.startsWith("-")
  return { by: (descending ? sort.slice(1) : sort) as Store.DocumentOrder["by"], descending }
}

/** A database cannot compare what it orders by to a value of another type. */
const KEYS = { timestamp: Millis, updated_at: Millis, title: Text, size: Schema.Int }

/** A cursor is valid only for the order that it was made for. */
export const cursorIn = (sort: DocumentSort) =>
  cursorOf(
    `documents by ${sort}`,
    Schema.Struct({ key: KEYS[orderOf(sort).by] as Schema.Codec<string | number>, document_id: DocumentId })
  )
