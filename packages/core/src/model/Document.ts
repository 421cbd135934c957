/** Documents: the stored, current version of each item; events: the record that one was ingested or deleted. */
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
  /** The end of a thing with a duration. */
  ends_at: Schema.NullOr(Timestamp),
  metadata: Schema.Record(Schema.String, Schema.String),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Whether it lies in the knowledge context's present range. */
  in_context: Schema.Boolean
}).annotate({ identifier: "Document" })
export type Document = typeof Document.Type

/** Whether `source` is the one that is wanted, or of the provider that is wanted; `custom` means every connector. */
export const isFrom = (source: string, wanted: string): boolean => source === wanted || source.startsWith(`${wanted}:`)

export const FullDocument = Schema.Struct({
  ...Document.fields,
  text: Schema.String,
  /** What was sent as `data` or `payload`; null for a plain text or a file. */
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
