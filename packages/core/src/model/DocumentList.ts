/** Listing the documents of a workspace with filters, and deleting the matches. */
import { Schema } from "effect"
import { Document } from "./Document.ts"
import { DocumentId } from "./Id.ts"
import { integer } from "./Integer.ts"
import { optional } from "./optional.ts"
import { text } from "./Text.ts"
import { ClientTimestamp } from "./Timestamp.ts"
import { violatedBy } from "./Violation.ts"

/** Matches are counted up to this number, and one request deletes at most as many. */
export const MOST_COUNTED = 10_000

/** Absent fields match all. */
export const DocumentFilter = Schema.Struct({
  /** A source or a provider; `custom` for every connector. */
  source: optional(text(1, 200)),
  kind: optional(text(1, 64)),
  connector_id: optional(text(1, 100)),
  connection_id: optional(text(1, 100)),
  /** Timestamps from here on. */
  from: optional(ClientTimestamp),
  /** Timestamps before this. */
  to: optional(ClientTimestamp),
  in_context: optional(Schema.Boolean),
  /** Words that must all appear in the title or the external id; ASCII letters match in either case. */
  q: optional(text(1, 1_000))
}).annotate({ identifier: "DocumentFilter" })
export type DocumentFilter = typeof DocumentFilter.Type

/** Sort keys; the external id replaces an absent title. `-` reverses the order. */
export const SORTS = ["timestamp", "updated_at", "title", "size"] as const
export const DocumentSort = Schema.Literals([...SORTS, "-timestamp", "-updated_at", "-title", "-size"])
export type DocumentSort = typeof DocumentSort.Type

export const DocumentList = Schema.Struct({
  documents: Schema.Array(Document),
  next_cursor: Schema.NullOr(Schema.String),
  /** The number of matches; absent above the limit. */
  total: Schema.optionalKey(Schema.Int),
  /** Instead of `total`. */
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
  document_ids: optional(
    Schema.Array(text(1, 100)).check(Schema.isMinLength(1), Schema.isMaxLength(1_000))
  ),
  filter: optional(DocumentFilter),
  confirm_total: optional(integer(1, MOST_COUNTED))
}).check(violatedBy((deletion) =>
  isOneWay(deletion) ? undefined : {
    type: "value_error",
    message: "Value error, give either `document_ids`, or `filter` and `confirm_total`"
  }
))
export type DocumentDeletion = typeof DocumentDeletion.Type

export const DeletedDocuments = Schema.Struct({
  status: Schema.Literal("deleted"),
  deleted: Schema.Int,
  document_ids: Schema.Array(DocumentId)
}).annotate({ identifier: "DeletedDocuments" })
export type DeletedDocuments = typeof DeletedDocuments.Type
