/** Listing the documents of a workspace with filters, and deleting the matches. */
import { Schema } from "effect"
import { Document } from "./Document.ts"
import { DocumentId } from "./Id.ts"
import { integer } from "./Integer.ts"
import { filterWarnings, nextPage } from "./Page.ts"
import { optional } from "./optional.ts"
import { text, Words } from "./Text.ts"
import { ClientTimestamp } from "./Timestamp.ts"
import { violatedBy } from "./Violation.ts"

/** Matches are counted up to this number, and one request deletes at most as many. */
export const MAX_COUNTED = 10_000

/** Absent fields match all. */
export const DocumentFilter = Schema.Struct({
  /** `custom:<source_name>`, `<provider>:<connection_id>`, or only the part before the colon. */
  source: optional(text(1, 200)),
  /** Only documents of this kind. */
  kind: optional(text(1, 64)),
  /** Only documents of this connector. */
  connector_id: optional(text(1, 100)),
  /** Only documents of this connection. */
  connection_id: optional(text(1, 100)),
  /** Only documents from this time on. A document with a duration counts if it overlaps the range. */
  from: optional(ClientTimestamp),
  /** Only documents before this time. */
  to: optional(ClientTimestamp),
  /** Only documents inside the current range of the context, or only those outside it. */
  in_context: optional(Schema.Boolean),
  /** Words that must all appear in the title or the external id, in small letters or capitals, whatever the accents. */
  q: optional(Words)
}).annotate({ identifier: "DocumentFilter" })
export type DocumentFilter = typeof DocumentFilter.Type

/** Sort keys; the external id replaces an absent title. `-` reverses the order. */
export const SORTS = ["timestamp", "updated_at", "title", "size"] as const
export const DocumentSort = Schema.Literals([...SORTS, "-timestamp", "-updated_at", "-title", "-size"])
export type DocumentSort = typeof DocumentSort.Type

export const DocumentList = Schema.Struct({
  /** The documents of the page, in the requested order. */
  documents: Schema.Array(Document),
  ...nextPage,
  /** The number of matching documents. Absent if there are more than 10,000. */
  total: Schema.optionalKey(Schema.Int),
  /** Present instead of `total` if there are more. */
  total_at_least: Schema.optionalKey(Schema.Int),
  ...filterWarnings
}).annotate({ identifier: "DocumentList" })
export type DocumentList = typeof DocumentList.Type

const isOneWay = (
  { confirm_total, document_ids, filter }: {
    readonly document_ids?: unknown
    readonly filter?: unknown
    readonly confirm_total?: unknown
  }
): boolean => {
  const isGiven = (value: unknown): boolean => value !== undefined && value !== null
  return isGiven(document_ids)
    ? !isGiven(filter) && !isGiven(confirm_total)
    : isGiven(filter) && isGiven(confirm_total)
}

/** By ids, or by a filter together with the confirmed number of matches. */
export const DocumentDeletion = Schema.Struct({
  /** The ids of the documents to delete. Unknown ids are ignored. */
  document_ids: optional(
    Schema.Array(text(1, 100)).check(Schema.isMinLength(1), Schema.isMaxLength(1_000))
  ),
  /** The filter whose matches are deleted. */
  filter: optional(DocumentFilter),
  /** The number of matches that the user has confirmed. */
  confirm_total: optional(integer(0, MAX_COUNTED))
}).check(violatedBy((deletion) =>
  isOneWay(deletion) ? undefined : {
    type: "value_error",
    message: "Value error, give either `document_ids`, or `filter` and `confirm_total`"
  }
))
export type DocumentDeletion = typeof DocumentDeletion.Type

export const DeletedDocuments = Schema.Struct({
  /** Always `deleted`. */
  status: Schema.Literal("deleted"),
  /** The number of deleted documents. */
  deleted: Schema.Int,
  /** The ids of the deleted documents. */
  document_ids: Schema.Array(DocumentId)
}).annotate({ identifier: "DeletedDocuments" })
export type DeletedDocuments = typeof DeletedDocuments.Type
