/** Documents: the current version of each item. Events: the records of changes. */
import { Schema } from "effect"
import { DocumentId, EventId } from "./Id.ts"
import { Timestamp } from "./Timestamp.ts"

export const Document = Schema.Struct({
  document_id: DocumentId,
  /** The id that the client chose, or a generated one. */
  external_id: Schema.String,
  /** `custom:<source_name>` or `<provider>:<connection_id>`. */
  source: Schema.String,
  /** The kind, such as `email`. */
  kind: Schema.String,
  /** The title. Null: none. */
  title: Schema.NullOr(Schema.String),
  /** The URL where it can be opened. Null: unknown. */
  url: Schema.NullOr(Schema.String),
  /** The bytes that count towards the storage of the plan. */
  size: Schema.Int,
  /** When it happened. The range of the context applies to this time. */
  timestamp: Timestamp,
  /** The end of a document with a duration. Null: it has none. */
  ends_at: Schema.NullOr(Timestamp),
  /** Key/value pairs. */
  metadata: Schema.Record(Schema.String, Schema.String),
  /** When it was created. */
  created_at: Timestamp,
  /** When the content last changed. */
  updated_at: Timestamp,
  /** Whether it is inside the current range of the context. */
  in_context: Schema.Boolean
}).annotate({ identifier: "Document" })
export type Document = typeof Document.Type

/** Whether `source` equals the wanted one or belongs to the wanted provider; `custom` means every connector. */
export const isFrom = (source: string, wanted: string): boolean => source === wanted || source.startsWith(`${wanted}:`)

export const FullDocument = Schema.Struct({
  ...Document.fields,
  /** The text that is searched and quoted. */
  text: Schema.String,
  /** The `data` or `payload` as sent. Null for plain text or a file. */
  payload: Schema.Json
}).annotate({ identifier: "FullDocument" })
export type FullDocument = typeof FullDocument.Type

export const Event = Schema.Struct({
  event_id: EventId,
  /** What happened. */
  type: Schema.Literals(["document.created", "document.updated", "document.deleted"]),
  /** `custom:<source_name>` or `<provider>:<connection_id>`. */
  source: Schema.String,
  /** The kind, such as `email`. */
  kind: Schema.String,
  /** The id that the client chose, or a generated one. */
  external_id: Schema.String,
  document_id: DocumentId,
  /** When it happened. The range of the context applies to this time. */
  timestamp: Timestamp,
  /** When it was created. */
  created_at: Timestamp,
  /** Key/value pairs. */
  metadata: Schema.Record(Schema.String, Schema.String)
}).annotate({ identifier: "Event" })
export type Event = typeof Event.Type
