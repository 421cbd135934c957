/** What a client pushes, and the result for each item. */
import { Schema } from "effect"
import { RejectedItem } from "./Error.ts"
import { DocumentId } from "./Id.ts"
import { CONTENT_TYPES, Kind, kindOf, Payload, payloadOf } from "./Kind.ts"
import type { KindCatalogue } from "./KindCatalogue.ts"
import { optional } from "./optional.ts"
import { Metadata, Text, text } from "./Text.ts"
import { ClientTimestamp } from "./Timestamp.ts"
import { WebUrl } from "./WebUrl.ts"

export const MAX_EXTERNAL_ID = 512
export const ExternalId = text(1, MAX_EXTERNAL_ID)

/** Text that cannot equal a stored id is not looked up; a backend might not even be able to. */
export const isExternalId = Schema.is(ExternalId)

export const MAX_TITLE = 2_000

/** The most bytes of a request with items, and of a file. */
export const MAX_UPLOAD_BYTES = 33_554_432

const items = <S extends Schema.Constraint>(item: S) =>
  Schema.Struct({
    /** 1 to 1,000 items, processed in this order. */
    items: Schema.Array(item).check(Schema.isMinLength(1), Schema.isMaxLength(1_000))
  })

/** Any JSON, as kind `custom`. */
export const JsonItem = Schema.Struct({
  /** The id of the item. Absent: one is generated. The same id again replaces the document. */
  external_id: optional(ExternalId),
  /** Any JSON. Every string in it is searchable. */
  data: Schema.Json,
  /** When it happened. Absent: now, or the previous time of the document. */
  timestamp: optional(ClientTimestamp),
  /** Key/value pairs, which take precedence over those of the connector. */
  metadata: optional(Metadata)
})
export type JsonItem = typeof JsonItem.Type
export const JsonItems = items(JsonItem)

export const ContentType = Schema.Literals(CONTENT_TYPES)
export type ContentType = typeof ContentType.Type

export const TextItem = Schema.Struct({
  /** The id of the item. Absent: one is generated. The same id again replaces the document. */
  external_id: optional(ExternalId),
  /** The text. It may be empty. */
  text: Text,
  /** The title. Absent: taken from the text, if it has one. */
  title: optional(text(0, MAX_TITLE)),
  /** The URL where it can be opened. */
  url: optional(WebUrl),
  /** The format of the text. Absent: plain text. */
  content_type: optional(ContentType),
  /** When it happened. Absent: now, or the previous time of the document. */
  timestamp: optional(ClientTimestamp),
  /** Key/value pairs, which take precedence over those of the connector. */
  metadata: optional(Metadata)
})
export type TextItem = typeof TextItem.Type
export const TextItems = items(TextItem)

export const TypedItem = Schema.Struct({
  /** The id of the item. The same id again replaces the document. */
  external_id: ExternalId,
  /** When it happened. A calendar event uses its own `start` and `end` if it has them. */
  timestamp: ClientTimestamp,
  /** The fields of the item. Fields that its kind does not define are stored and searchable, too. */
  payload: Payload,
  /** Key/value pairs, which take precedence over those of the connector. */
  metadata: optional(Metadata)
})
export type TypedItem = typeof TypedItem.Type
export const TypedItems = items(TypedItem)

/** As validated by the service, which knows its kinds. */
export const typedItemOf = (catalogue: KindCatalogue) =>
  TypedItem.mapFields((fields) => ({ ...fields, payload: payloadOf(catalogue) }))
export const typedItemsOf = (catalogue: KindCatalogue) => items(typedItemOf(catalogue))

/** A file's bytes, with the name and type that its sender claims. */
export interface FileContent {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly name: string
  readonly contentType: string
}

const isFileContent = (value: unknown): value is FileContent =>
  typeof value === "object" && value !== null && "bytes" in value && value.bytes instanceof Uint8Array &&
  "name" in value && typeof value.name === "string" && "contentType" in value && typeof value.contentType === "string"

export const FileContent = Schema.declare<FileContent>(isFileContent, {
  expected: "a file",
  typeViolation: "file",
  // For generators of documents: a file is binary, which JSON cannot represent.
  representation: { id: "effect/http/PersistedFile", payload: null }
})

/** One file as one document. `payload` adds fields of its kind, and needs no `kind`. */
export const FileItem = Schema.Struct({
  /** The file, with its name and media type. */
  file: FileContent,
  /**
   * The kind of the document.
   * @default "page"
   */
  kind: optional(Kind),
  /** The external id of the document. Absent: one is generated. The same id again replaces the document. */
  external_id: optional(ExternalId),
  /** When it happened. Absent: now, or the previous time of the document. */
  timestamp: optional(ClientTimestamp),
  /** Key/value pairs as JSON text, which take precedence over those of the connector. */
  metadata: optional(Metadata),
  /** The fields of the kind in addition to the text of the file, as JSON text. It needs no `kind`. */
  payload: optional(Schema.Record(Schema.String, Schema.Json).annotate({ typeViolation: "model_attributes_type" }))
})
export type FileItem = typeof FileItem.Type

/** As validated by the service, which knows its kinds. */
export const fileItemOf = (catalogue: KindCatalogue) =>
  FileItem.mapFields((fields) => ({ ...fields, kind: optional(kindOf(catalogue)) }))

/** Which documents of a connector to delete. */
export const ExternalIds = Schema.Struct({
  /** 1 to 1,000 external ids. */
  external_ids: Schema.Array(ExternalId).check(Schema.isMinLength(1), Schema.isMaxLength(1_000))
})

export const ItemOutcome = Schema.Struct({
  /** The id that the client chose, or a generated one. */
  external_id: Schema.String,
  /** The document's id. Null: a new item that was rejected. */
  document_id: Schema.NullOr(DocumentId),
  /** The outcome. */
  status: Schema.Literals(["created", "updated", "unchanged", "rejected"])
})
export type ItemOutcome = typeof ItemOutcome.Type

export const IngestResult = Schema.Struct({
  /** Always `accepted`: everything was ingested except the items in `rejected`. */
  status: Schema.Literal("accepted"),
  /** The number of ingested items. */
  events: Schema.Int,
  /** The external ids of the ingested items. */
  external_ids: Schema.Array(Schema.String),
  /** The items over a cap of the plan. */
  rejected: Schema.Array(RejectedItem),
  /** The outcome of each item, in request order. */
  items: Schema.Array(ItemOutcome)
}).annotate({ identifier: "IngestResult" })
export type IngestResult = typeof IngestResult.Type
