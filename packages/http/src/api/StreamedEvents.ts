/** Responses as server-sent events: the events of an operation, and the data of each. */
import { AskEvent } from "@tributary/core/model/Ask"
import { Event } from "@tributary/core/model/Document"
import { WorkspaceId } from "@tributary/core/model/Id"
import { Context, Schema } from "effect"

/** The last event of a failed stream: the body that the failure has elsewhere. */
const StreamFailure = Schema.Struct({
  error_code: Schema.String,
  message: Schema.String,
  details: Schema.NullOr(Schema.JsonObject)
}).annotate({ identifier: "StreamFailure" })

/** The schema of the data, by event name. */
export type EventData = ReadonlyMap<string, Schema.Top>

/** The events for a caller that accepts `text/event-stream`; null if the operation has no such response. */
export const StreamedEvents = Context.Reference<EventData | null>("@tributary/http/StreamedEvents", {
  defaultValue: () => null
})

const failure = ["error", StreamFailure] as const

/** A workspace's events as they happen. `Last-Event-ID` resumes after an event's id. */
export const WORKSPACE_EVENTS: EventData = new Map<string, Schema.Top>([
  ...Event.fields.type.literals.map((type) => [type, Event] as const),
  failure
])

/** Events of several workspaces, each with the number after which a later stream continues. */
export const FOLLOWED_EVENTS: EventData = new Map<string, Schema.Top>([
  ["change", Schema.Struct({ workspace_id: WorkspaceId, number: Schema.Int, event: Event })],
  failure
])

/** An answer while it is generated. */
export const ANSWER_EVENTS: EventData = new Map<string, Schema.Top>([
  ...AskEvent.members.map(({ fields: { data, event } }) => [event.literal, data] as const),
  failure
])
