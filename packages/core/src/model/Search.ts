/** Search over everything that a workspace stores. */
import { Schema } from "effect"
import { cursorOf } from "./Cursor.ts"
import { DocumentId } from "./Id.ts"
import { integer } from "./Integer.ts"
import { nextPage } from "./Page.ts"
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
  /** What to look for. */
  q: text(1, 1_000),
  /** How many results at most. */
  limit: optional(integer(1, 100)),
  /** By words, by meaning, or both. `semantic` needs an embedding model; without one `hybrid` is `keyword`. */
  mode: optional(Schema.Literals(["semantic", "keyword", "hybrid"])),
  /** Kinds, `custom:<source_name>` or providers. */
  sources: optional(Sources),
  /** Exact pairs, all of which a document must carry. */
  metadata: optional(MetadataFilter),
  /** Whether a result is a document, or each passage of it. */
  group_by: optional(Schema.Literals(["document", "chunk"])),
  /** Whether results carry the stored payload. */
  include_evidence: optional(Schema.Boolean),
  /** From this moment on. A thing with a duration counts when it reaches into the range. */
  from: optional(ClientTimestamp),
  /** Up to this moment, and without it. */
  to: optional(ClientTimestamp),
  /** Only what lies in the range of the context, or only what does not. */
  in_context: optional(Schema.Boolean),
  /** The `next_cursor` of the page before. At most 1,000 results can be paged through. */
  cursor: optional(cursor)
})
export type SearchRequest = typeof SearchRequest.Type

export const SearchResult = Schema.Struct({
  /** The document's id. */
  id: DocumentId,
  /** The document's kind. */
  evidence_type: Schema.String,
  /** How well it fits; comparable within one search. */
  score: Schema.Finite,
  /** The passage of the text that fits best. */
  snippet: Schema.String,
  /** When it happened, which is what the range of the context looks at. */
  timestamp: Timestamp,
  /** The stored payload, when asked for. */
  evidence: Schema.optionalKey(Schema.Json),
  /** The id that the client gave the item, or that was made for it. */
  external_id: Schema.String,
  /** `custom:<source_name>` or `<provider>:<connection_id>`. */
  source: Schema.String,
  /** Its title. Null: it has none. */
  title: Schema.NullOr(Schema.String),
  /** Where it can be opened. Null: nowhere known. */
  url: Schema.NullOr(Schema.String),
  /** Key/value pairs. */
  metadata: Schema.Record(Schema.String, Schema.String),
  /** Whether it lies in the present range of the context. */
  in_context: Schema.Boolean,
  /** Offsets into `snippet`, in UTF-16 code units. */
  highlights: Schema.Array(Schema.Tuple([Schema.Int, Schema.Int])),
  /** With `group_by: "chunk"`: where in the document's text, in UTF-16 code units. */
  chunk: Schema.optionalKey(Schema.Struct({
    /** Where it begins. */
    start: Schema.Int,
    /** Where it ends. */
    end: Schema.Int
  }))
}).annotate({ identifier: "SearchResult" })
export type SearchResult = typeof SearchResult.Type

export const SearchAnswer = Schema.Struct({
  /** How many results this answer holds. */
  count: Schema.Int,
  /** Best first. */
  results: Schema.Array(SearchResult),
  ...nextPage,
  /** Filter values that match nothing known in the workspace. */
  warnings: Schema.Array(Schema.String)
}).annotate({ identifier: "SearchAnswer" })
export type SearchAnswer = typeof SearchAnswer.Type
