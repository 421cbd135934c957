/** The workspace's events, listed or as they happen. */
import { Documents } from "@tributary/core/Documents"
import { Effect, Stream } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { ValidationError } from "../api/ErrorBody.ts"
import { toPageRequest } from "../api/Parameters.ts"
import type { Runtime } from "../api/Runtime.ts"
import { EventStream } from "../response/EventStreams.ts"
import { wantsEvents } from "../response/Accept.ts"
import { echo } from "@tributary/core/validation/Echo"
import type { Handlers } from "../Handlers.ts"

const notAnEventId = (sent: string) =>
  new ValidationError({
    detail: [{
      type: "value_error",
      loc: ["header", "last-event-id"],
      msg: "Value error, not a valid event id",
      ...echo(sent)
    }]
  })

/** The id of the last event that a client has seen; null without one. */
const lastSeen = ({ headers }: HttpServerRequest): Effect.Effect<number | null, ValidationError> => {
  const sent = headers["last-event-id"] ?? ""
  if (sent === "") return Effect.succeed(null)
  return /^[0-9]+$/.test(sent) && Number.isSafeInteger(Number(sent))
    ? Effect.succeed(Number(sent))
    : Effect.fail(notAnEventId(sent))
}

export const runtime = Effect.map(Documents, (documents): Handlers<typeof Runtime> => ({
  listEvents: ({ caller: { workspace }, query, request }) => {
    const filter = { source: query.source ?? null, kind: query.kind ?? null, document_id: query.document_id ?? null }
    return wantsEvents(request)
      ? Effect.flatMap(lastSeen(request), (since) => documents.watch(workspace.workspace_id, filter, since)).pipe(
        Effect.map(Stream.flatMap((batch) => Stream.fromIterable(batch))),
        Effect.map((events) =>
          new EventStream(Stream.map(events, ({ event, seq }) => ({ id: seq, event: event.type, data: event })))
        )
      )
      : Effect.map(
        documents.events(workspace.workspace_id, filter, toPageRequest(query)),
        ({ items, next }) => ({ events: items, next_cursor: next })
      )
  }
}))
