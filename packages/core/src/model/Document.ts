/** Documents: the current version of each item. Events: the records of changes. */
import { Schema } from "effect"
import { DocumentId, EventId } from "./Id.ts"
import { Timestamp } from "./Timestamp.ts"

export const Document = Schema.Struct({
  document_id: DocumentId,
  /** The id that the client gave the item, or that was made for it. */
  external_id: Schema.String,
  /** `custom:<source_name>` or `<provider>:<connection_id>`. */
  source: Schema.String,
  /** What kind of thing it is. */
  kind: Schema.String,
  /** Its title. Null: it has none. */
  title: Schema.NullOr(Schema.String),
  /** Where it can be opened. Null: nowhere known. */
  url: Schema.NullOr(Schema.String),
  /** Bytes that count against the plan. */
  size: Schema.Int,
  /** When it happened, which is what the range of the context looks at. */
  timestamp: Timestamp,
  /** The end of a thing with a duration. */
  ends_at: Schema.NullOr(Timestamp),
  /** Key/value pairs. */
  metadata: Schema.Record(Schema.String, Schema.String),
  /** When it was made. */
  created_at: Timestamp,
  /** When its content last changed. */
  updated_at: Timestamp,
  /** Whether it lies in the present range of the context. */
  in_context: Schema.Boolean
}).annotate({ identifier: "Document" })
export type Document = typeof Document.Type

/** Whether `source` equals the wanted one or belongs to the wanted provider; `custom` means every connector. */
export const isFrom = (source: string, wanted: string): boolean => source === wanted || source.startsWith(`${wanted}:`)

export const FullDocument = Schema.Struct({
  ...Document.fields,
  /** The text that is searched and quoted. */
  text: Schema.String,
  /** What was sent as `data` or `payload`. Null: a plain text or a file. */
  payload: Schema.Json
}).annotate({ identifier: "FullDocument" })
export type FullDocument = typeof FullDocument.Type

export const Event = Schema.Struct({
  event_id: EventId,
  /** What happened. */
  type: Schema.Literals(["document.created", "document.updated", "document.deleted"]),
  /** `custom:<source_name>` or `<provider>:<connection_id>`. */
  source: Schema.String,
  /** What kind of thing it is. */
  kind: Schema.String,
  /** The id that the client gave the item, or that was made for it. */
  external_id: Schema.String,
  document_id: DocumentId,
  /** When it happened, which is what the range of the context looks at. */
  timestamp: Timestamp,
  /** When it was made. */
  created_at: Timestamp,
  /** Key/value pairs. */
  metadata: Schema.Record(Schema.String, Schema.String)
}).annotate({ identifier: "Event" })
export type Event = typeof Event.Type
