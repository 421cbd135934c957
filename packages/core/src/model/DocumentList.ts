/** Looking through everything that a workspace stores, and deleting what was looked for. */
import { Schema } from "effect"
import { Document } from "./Document.ts"
import { DocumentId } from "./Id.ts"
import { integer } from "./Integer.ts"
import { optional } from "./optional.ts"
import { text } from "./Text.ts"
import { ClientTimestamp } from "./Timestamp.ts"
import { violatedBy } from "./Violation.ts"

/** As far as matches are counted, and as many as one request deletes. */
export const MOST_COUNTED = 10_000

/** Which documents; what is absent matches all. */
export const DocumentFilter = Schema.Struct({
  /** A source, or the provider of sources; `custom` for every connector. */
  source: optional(text(1, 200)),
  kind: optional(text(1, 64)),
  connector_id: optional(text(1, 100)),
  connection_id: optional(text(1, 100)),
  /** Their own time: from this moment on. */
  from: optional(ClientTimestamp),
  /** Before this moment. */
  to: optional(ClientTimestamp),
  in_context: optional(Schema.Boolean),
  /** Words, each of which stands in the title or the external id; ASCII letters in either case. */
  q: optional(text(1, 1_000))
}).annotate({ identifier: "DocumentFilter" })
export type DocumentFilter = typeof DocumentFilter.Type

/** What a list can be sorted by; a title that is absent counts as the external id. `-` turns the order round. */
export const SORTS = ["timestamp", "updated_at", "title", "size"] as const
export const DocumentSort = Schema.Literals([...SORTS, "-timestamp", "-updated_at", "-title", "-size"])
export type DocumentSort = typeof DocumentSort.Type

export const DocumentList = Schema.Struct({
  documents: Schema.Array(Document),
  next_cursor: Schema.NullOr(Schema.String),
  /** How many match; absent when there are more than are counted. */
  total: Schema.optionalKey(Schema.Int),
  /** In place of `total`. */
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

/** By ids, or all that match a filter: then their number is confirmed. */
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
