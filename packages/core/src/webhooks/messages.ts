/** The messages of events: what happened, when, with ids and facts, but never text of a document. */
import { Schema, Struct } from "effect"
import { sha256HexNow } from "../internal/sha256.ts"
import { Event } from "../model/Document.ts"
import { EventId, type WorkspaceId } from "../model/Id.ts"
import type { SentEventType } from "../model/Webhook.ts"
import type { EventRecord } from "../ports/DocumentStore.ts"
import type { Message } from "../ports/WebhookStore.ts"

/** Equal texts have equal ids, so publishing an event again after a crash does not duplicate it. */
export const derivedId = (text: string): EventId => {
  const digits = sha256HexNow(text)
  return EventId.make(
    [
      digits.slice(0, 8),
      digits.slice(8, 12),
      `8${digits.slice(13, 16)}`,
      `8${digits.slice(17, 20)}`,
      digits.slice(20, 32)
    ].join("-")
  )
}

export interface EventContent {
  readonly id: EventId
  readonly type: SentEventType
  /** Events of the same subject are delivered in order. */
  readonly subject: string
  readonly at: Date
  readonly data: Readonly<Record<string, unknown>>
}

/** Keys keep their order, because the text is signed. */
export const messageOf = (workspaceId: WorkspaceId, { at, data, id, subject, type }: EventContent): Message => ({
  event_id: id,
  event_type: type,
  subject,
  body: JSON.stringify({ type, timestamp: at.toISOString(), data: { workspace_id: workspaceId, ...data } }),
  created_at: at
})

const encodeEvent = Schema.encodeSync(Event)

/** A change of a document, with the fields of the list of events. */
export const documentMessage = (workspaceId: WorkspaceId, event: EventRecord): Message =>
  messageOf(workspaceId, {
    id: event.event_id,
    type: event.type,
    subject: event.document_id,
    at: event.created_at,
    data: Struct.omit(encodeEvent(Struct.omit(event, ["event_seq"])), ["type"])
  })
