/** Translates a request to list documents into a selection of the store. */
import { Option, Schema } from "effect"
import { cursorOf } from "../model/Cursor.ts"
import type { DocumentFilter, DocumentSort } from "../model/DocumentList.ts"
import { ConnectorId, DocumentId, parseId } from "../model/Id.ts"
import { isReversed, type Range } from "../model/TemporalRange.ts"
import { foldedWords } from "../model/foldAscii.ts"
import { Text } from "../model/Text.ts"
import { Millis } from "../model/Timestamp.ts"
import type { TokenFilter } from "../model/Token.ts"
import * as Store from "../ports/DocumentStore.ts"

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
export const storedFilter = (
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
    words: foldedWords(filter.q ?? ""),
    shownTo
  }
}

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
