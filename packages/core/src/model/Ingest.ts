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

export const ExternalId = text(1, 512)

const items = <S extends Schema.Constraint>(item: S) =>
  Schema.Struct({ items: Schema.Array(item).check(Schema.isMinLength(1), Schema.isMaxLength(1_000)) })

/** Any JSON, as kind `custom`. */
export const JsonItem = Schema.Struct({
  external_id: optional(ExternalId),
  data: Schema.Json,
  timestamp: optional(ClientTimestamp),
  metadata: optional(Metadata)
})
export type JsonItem = typeof JsonItem.Type
export const JsonItems = items(JsonItem)

export const ContentType = Schema.Literals(CONTENT_TYPES)
export type ContentType = typeof ContentType.Type

export const TextItem = Schema.Struct({
  external_id: optional(ExternalId),
  text: Text,
  title: optional(text(0, 2_000)),
  url: optional(WebUrl),
  content_type: optional(ContentType),
  timestamp: optional(ClientTimestamp),
  metadata: optional(Metadata)
})
export type TextItem = typeof TextItem.Type
export const TextItems = items(TextItem)

export const TypedItem = Schema.Struct({
  external_id: ExternalId,
  timestamp: ClientTimestamp,
  payload: Payload,
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
  file: FileContent,
  kind: optional(Kind),
  external_id: optional(ExternalId),
  timestamp: optional(ClientTimestamp),
  metadata: optional(Metadata),
  payload: optional(Schema.Record(Schema.String, Schema.Json).annotate({ typeViolation: "model_attributes_type" }))
})
export type FileItem = typeof FileItem.Type

/** As validated by the service, which knows its kinds. */
export const fileItemOf = (catalogue: KindCatalogue) =>
  FileItem.mapFields((fields) => ({ ...fields, kind: optional(kindOf(catalogue)) }))

/** Which documents of a connector to delete. */
export const ExternalIds = Schema.Struct({
  external_ids: Schema.Array(ExternalId).check(Schema.isMinLength(1), Schema.isMaxLength(1_000))
})

export const ItemOutcome = Schema.Struct({
  external_id: Schema.String,
  /** Null if a new item was rejected. */
  document_id: Schema.NullOr(DocumentId),
  status: Schema.Literals(["created", "updated", "unchanged", "rejected"])
})
export type ItemOutcome = typeof ItemOutcome.Type

export const IngestResult = Schema.Struct({
  status: Schema.Literal("accepted"),
  /** The number of ingested items. */
  events: Schema.Int,
  external_ids: Schema.Array(Schema.String),
  rejected: Schema.Array(RejectedItem),
  /** In request order. */
  items: Schema.Array(ItemOutcome)
}).annotate({ identifier: "IngestResult" })
export type IngestResult = typeof IngestResult.Type
