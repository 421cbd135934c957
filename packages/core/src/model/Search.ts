/** Search over everything that a workspace stores. */
import { Hash, Schema } from "effect"
import { cursorOf, CursorText, INVALID_CURSOR } from "./Cursor.ts"
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

/** The number of hexadecimal digits of a result in a cursor. */
const DIGITS = 8

const Shown = Schema.String.check(
  Schema.isMaxLength(MAX_SEARCH_DEPTH * DIGITS),
  Schema.isPattern(/^(?:[0-9a-f]{8})*$/)
)

/** The last digits of a document's id are random. The chunk's place counts if each is a result. */
export const shownDigits = (documentId: string, ordinal: number): string =>
  ((Number.parseInt(documentId.slice(-DIGITS), 16) + ordinal) >>> 0).toString(16).padStart(DIGITS, "0")

export const shownIn = (digits: string): ReadonlySet<string> => new Set(digits.match(/.{8}/g))

const Fields = Schema.Struct({
  /** The search query. */
  q: text(1, 1_000),
  /**
   * The maximum number of results.
   * @default 10
   */
  limit: optional(integer(1, 100)),
  /**
   * By keywords, by meaning, or both. `semantic` needs an embedding model; without one, `hybrid` works like `keyword`.
   * @default "hybrid"
   */
  mode: optional(Schema.Literals(["semantic", "keyword", "hybrid"])),
  /** Kinds, `custom:<source_name>` or providers. */
  sources: optional(Sources),
  /** Exact key/value pairs. A document must have all of them. */
  metadata: optional(MetadataFilter),
  /**
   * Whether each result is a document or a passage of one.
   * @default "document"
   */
  group_by: optional(Schema.Literals(["document", "chunk"])),
  /**
   * Whether results include the stored payload. Then there may be fewer than `limit`, if their documents are large.
   * @default false
   */
  include_evidence: optional(Schema.Boolean),
  /** Only documents from this time on. A document with a duration counts if it overlaps the range. */
  from: optional(ClientTimestamp),
  /** Only documents before this time. */
  to: optional(ClientTimestamp),
  /** Only documents inside the range of the context, or only those outside it. */
  in_context: optional(Schema.Boolean),
  /** The `next_cursor` of the previous page. Paging ends after 1,000 results. */
  cursor: optional(CursorText)
})

/** A time, or its text: what reports a broken rule has the request as it was sent. */
const timeOf = (time: Date | null | undefined): number | null => time ? new Date(time).getTime() : null

/** What selects and orders the results, so not how many are on a page. */
const digestOf = ({ from, group_by, in_context, metadata, mode, q, sources, to }: typeof Fields.Type): string =>
  Hash.string(JSON.stringify([
    q,
    mode ?? "hybrid",
    group_by ?? "document",
    sources ?? [],
    Object.entries(metadata ?? {}).toSorted(),
    timeOf(from),
    timeOf(to),
    in_context ?? null
  ])).toString(16)

/**
 * The results of the pages so far, so that each comes once, whatever happens to the order between two pages: documents
 * are added and deleted, and the next page may be of a server that holds another part of the index in memory. Another
 * search would miss those, so that the cursor is valid only for the search that it was made for.
 */
export const searchCursor = (request: typeof Fields.Type) => cursorOf(`search ${digestOf(request)}`, Shown)

// Validated with the request, so that an invalid cursor does not count against the rate limit.
export const SearchRequest = Fields.check(
  violatedBy((request) =>
    typeof request.cursor !== "string" || searchCursor(request).accepts(request.cursor) ? undefined : {
      ...INVALID_CURSOR,
      path: ["cursor"]
    }
  )
)
export type SearchRequest = typeof SearchRequest.Type

export const SearchResult = Schema.Struct({
  /** The document's id. */
  id: DocumentId,
  /** The document's kind. */
  evidence_type: Schema.String,
  /** The relevance, comparable only within one search. */
  score: Schema.Finite,
  /** The best matching passage of the text. */
  snippet: Schema.String,
  /** When it happened. The range of the context applies to this time. */
  timestamp: Timestamp,
  /** The stored payload, if requested. */
  evidence: Schema.optionalKey(Schema.Json),
  /** The id that the client chose, or a generated one. */
  external_id: Schema.String,
  /** `custom:<source_name>` or `<provider>:<connection_id>`. */
  source: Schema.String,
  /** The title. Null: none. */
  title: Schema.NullOr(Schema.String),
  /** The URL where it can be opened. Null: unknown. */
  url: Schema.NullOr(Schema.String),
  /** Key/value pairs. */
  metadata: Schema.Record(Schema.String, Schema.String),
  /** Whether it is inside the current range of the context. */
  in_context: Schema.Boolean,
  /** The matches in `snippet`: start and end, in UTF-16 code units. */
  highlights: Schema.Array(Schema.Tuple([Schema.Int, Schema.Int])),
  /** With `group_by: "chunk"`: the position of the passage in the document's text, in UTF-16 code units. */
  chunk: Schema.optionalKey(Schema.Struct({
    /** The start of the passage. */
    start: Schema.Int,
    /** The end of the passage. */
    end: Schema.Int
  }))
}).annotate({ identifier: "SearchResult" })
export type SearchResult = typeof SearchResult.Type

export const SearchAnswer = Schema.Struct({
  /** The number of results on this page. */
  count: Schema.Int,
  /** The results, best first. */
  results: Schema.Array(SearchResult),
  ...nextPage,
  /** Filter values that match nothing in the workspace. */
  warnings: Schema.Array(Schema.String)
}).annotate({ identifier: "SearchAnswer" })
export type SearchAnswer = typeof SearchAnswer.Type
