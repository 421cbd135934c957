/** Search over everything that a workspace stores. */
import { Schema } from "effect"
import { cursorOf } from "./Cursor.ts"
import { DocumentId } from "./Id.ts"
import { integer } from "./Integer.ts"
import { optional } from "./optional.ts"
import { Metadata, text } from "./Text.ts"
import { ClientTimestamp, Timestamp } from "./Timestamp.ts"
import { violatedBy } from "./Violation.ts"

/** Kinds, `custom:<source_name>` or providers. */
export const Sources = Schema.Array(text(1, 200)).check(Schema.isMaxLength(20))

/** Exact pairs that a document must all have. */
export const MetadataFilter = Metadata.check(Schema.isMaxProperties(20))

/** The most results of a search over all pages. */
export const MAX_SEARCH_DEPTH = 1_000

/** The start of the next page: an offset into one view; without that view, the position after the last result. */
const SearchPosition = Schema.Struct({
  view: Schema.String,
  offset: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: MAX_SEARCH_DEPTH })),
  score: Schema.Finite,
  id: Schema.String,
  ordinal: Schema.Int
})
export type SearchPosition = typeof SearchPosition.Type

export const searchCursor = cursorOf("search", SearchPosition)

// Validated with the request, so that an invalid cursor does not count against the rate limit.
const cursor = text(1, 1_000).check(
  violatedBy((text) =>
    searchCursor.accepts(text) ? undefined : { type: "value_error", message: "Value error, not a valid cursor" }
  )
)

export const SearchRequest = Schema.Struct({
  q: text(1, 1_000),
  limit: optional(integer(1, 100)),
  mode: optional(Schema.Literals(["semantic", "keyword", "hybrid"])),
  sources: optional(Sources),
  metadata: optional(MetadataFilter),
  group_by: optional(Schema.Literals(["document", "chunk"])),
  include_evidence: optional(Schema.Boolean),
  from: optional(ClientTimestamp),
  to: optional(ClientTimestamp),
  in_context: optional(Schema.Boolean),
  cursor: optional(cursor)
})
export type SearchRequest = typeof SearchRequest.Type

export const SearchResult = Schema.Struct({
  /** The document's id. */
  id: DocumentId,
  /** The document's kind. */
  evidence_type: Schema.String,
  score: Schema.Finite,
  snippet: Schema.String,
  timestamp: Timestamp,
  /** The stored payload, if requested. */
  evidence: Schema.optionalKey(Schema.Json),
  external_id: Schema.String,
  source: Schema.String,
  title: Schema.NullOr(Schema.String),
  url: Schema.NullOr(Schema.String),
  metadata: Schema.Record(Schema.String, Schema.String),
  in_context: Schema.Boolean,
  /** UTF-16 offsets into `snippet`. */
  highlights: Schema.Array(Schema.Tuple([Schema.Int, Schema.Int])),
  /** With `group_by: "chunk"`: the range in the document's text, in UTF-16 code units. */
  chunk: Schema.optionalKey(Schema.Struct({ start: Schema.Int, end: Schema.Int }))
}).annotate({ identifier: "SearchResult" })
export type SearchResult = typeof SearchResult.Type

export const SearchAnswer = Schema.Struct({
  count: Schema.Int,
  results: Schema.Array(SearchResult),
  next_cursor: Schema.NullOr(Schema.String),
  /** Filter values that match nothing in the workspace. */
  warnings: Schema.Array(Schema.String)
}).annotate({ identifier: "SearchAnswer" })
export type SearchAnswer = typeof SearchAnswer.Type
