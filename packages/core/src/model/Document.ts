/** Documents: the current version of each item. Events: the records of changes. */
import { Schema } from "effect"
import { DocumentId, EventId } from "./Id.ts"
import { Timestamp } from "./Timestamp.ts"

export const Document = Schema.Struct({
  document_id: DocumentId,
  external_id: Schema.String,
  /** `custom:<source_name>` or `<provider>:<connection_id>`. */
  source: Schema.String,
  kind: Schema.String,
  title: Schema.NullOr(Schema.String),
  url: Schema.NullOr(Schema.String),
  /** Bytes that count against the plan. */
  size: Schema.Int,
  timestamp: Timestamp,
  /** The end of a document with a duration. */
  ends_at: Schema.NullOr(Timestamp),
  metadata: Schema.Record(Schema.String, Schema.String),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Whether it is in the current range of the knowledge context. */
  in_context: Schema.Boolean
}).annotate({ identifier: "Document" })
export type Document = typeof Document.Type

/** Whether `source` equals the wanted one or belongs to the wanted provider; `custom` means every connector. */
export const isFrom = (source: string, wanted: string): boolean => source === wanted || source.startsWith(`${wanted}:`)

export const FullDocument = Schema.Struct({
  ...Document.fields,
  text: Schema.String,
  /** The `data` or `payload` as sent; null for plain text or a file. */
  payload: Schema.Json
}).annotate({ identifier: "FullDocument" })
export type FullDocument = typeof FullDocument.Type

export const Event = Schema.Struct({
  event_id: EventId,
  type: Schema.Literals(["document.created", "document.updated", "document.deleted"]),
  source: Schema.String,
  kind: Schema.String,
  external_id: Schema.String,
  document_id: DocumentId,
  timestamp: Timestamp,
  created_at: Timestamp,
  metadata: Schema.Record(Schema.String, Schema.String)
}).annotate({ identifier: "Event" })
export type Event = typeof Event.Type
