/** Listing the documents of a workspace with filters, and deleting the matches. */
import { Schema } from "effect"
import { Document } from "./Document.ts"
import { DocumentId } from "./Id.ts"
import { integer } from "./Integer.ts"
import { nextPage } from "./Page.ts"
import { optional } from "./optional.ts"
import { text } from "./Text.ts"
import { ClientTimestamp } from "./Timestamp.ts"
import { violatedBy } from "./Violation.ts"

/** Matches are counted up to this number, and one request deletes at most as many. */
export const MOST_COUNTED = 10_000

/** Absent fields match all. */
export const DocumentFilter = Schema.Struct({
  /** `custom:<source_name>`, `<provider>:<connection_id>`, or the part before the colon. */
  source: optional(text(1, 200)),
  /** Only what is of this kind. */
  kind: optional(text(1, 64)),
  /** Only what came through this connector. */
  connector_id: optional(text(1, 100)),
  /** Only what came through this connection. */
  connection_id: optional(text(1, 100)),
  /** Only documents whose own time is this moment or later. */
  from: optional(ClientTimestamp),
  /** Only documents whose own time is before this moment. */
  to: optional(ClientTimestamp),
  /** Only what lies in the present range of the context, or only what does not. */
  in_context: optional(Schema.Boolean),
  /** Words, each of which occurs in the title or the external id. */
  q: optional(text(1, 1_000))
}).annotate({ identifier: "DocumentFilter" })
export type DocumentFilter = typeof DocumentFilter.Type

/** Sort keys; the external id replaces an absent title. `-` reverses the order. */
export const SORTS = ["timestamp", "updated_at", "title", "size"] as const
export const DocumentSort = Schema.Literals([...SORTS, "-timestamp", "-updated_at", "-title", "-size"])
export type DocumentSort = typeof DocumentSort.Type

export const DocumentList = Schema.Struct({
  /** The page, in the order that was asked for. */
  documents: Schema.Array(Document),
  ...nextPage,
  /** How many documents match. Absent when they are more than 10,000. */
  total: Schema.optionalKey(Schema.Int),
  /** In place of `total`, when they are more. */
  total_at_least: Schema.optionalKey(Schema.Int)
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
  /** The documents to delete. Unknown ids are passed over. */
  document_ids: optional(
    Schema.Array(text(1, 100)).check(Schema.isMinLength(1), Schema.isMaxLength(1_000))
  ),
  /** Which documents to delete. */
  filter: optional(DocumentFilter),
  /** How many the filter matches, as somebody has seen and confirmed. */
  confirm_total: optional(integer(1, MOST_COUNTED))
}).check(violatedBy((deletion) =>
  isOneWay(deletion) ? undefined : {
    type: "value_error",
    message: "Value error, give either `document_ids`, or `filter` and `confirm_total`"
  }
))
export type DocumentDeletion = typeof DocumentDeletion.Type

export const DeletedDocuments = Schema.Struct({
  /** What has become of it. */
  status: Schema.Literal("deleted"),
  /** How many documents were deleted. */
  deleted: Schema.Int,
  /** Their ids. */
  document_ids: Schema.Array(DocumentId)
}).annotate({ identifier: "DeletedDocuments" })
export type DeletedDocuments = typeof DeletedDocuments.Type
