/** Answers that come as server-sent events: which ones an operation sends, and what the data of each is. */
import { AskEvent } from "@tributary/core/model/Ask"
import { Event } from "@tributary/core/model/Document"
import { Context, Schema } from "effect"

/** The last event of a stream that cannot go on: the body that the failure has elsewhere. */
export const StreamFailure = Schema.Struct({
  error_code: Schema.String,
  message: Schema.String,
  details: Schema.NullOr(Schema.JsonObject)
}).annotate({ identifier: "StreamFailure" })

/** By the name of the event, the schema of its data. */
export type EventData = ReadonlyMap<string, Schema.Top>

/** The events that an operation sends to a caller who accepts `text/event-stream`; null: it has no such answer. */
export const EventStream = Context.Reference<EventData | null>("@tributary/http/EventStream", {
  defaultValue: () => null
})

const failure = ["error", StreamFailure] as const

/** A workspace's events, as they happen; the id of each is what `Last-Event-ID` goes on from. */
export const WORKSPACE_EVENTS: EventData = new Map<string, Schema.Top>([
  ...Event.fields.type.literals.map((type) => [type, Event] as const),
  failure
])

/** An answer, as it is made. */
export const ANSWER_EVENTS: EventData = new Map<string, Schema.Top>([
  ...AskEvent.members.map(({ fields: { data, event } }) => [event.literal, data] as const),
  failure
])
