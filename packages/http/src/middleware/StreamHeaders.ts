/** The request headers of event streams, which no schema of an endpoint describes. */
import { echo } from "@tributary/core/validation/Echo"
import type { Problem } from "@tributary/core/validation/Problem"
import { Context, Option, Result } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { type EventData, FOLLOWED_EVENTS, StreamedEvents, WORKSPACE_EVENTS } from "../api/StreamedEvents.ts"
import { wantsEvents } from "../response/Accept.ts"

/** The id of the last event that a client has seen: null without one, none if it is invalid. */
export const lastEventId = ({ headers }: HttpServerRequest): Option.Option<number | null> => {
  const sent = headers["last-event-id"] ?? ""
  if (sent === "") return Option.some(null)
  return /^[0-9]+$/.test(sent) && Number.isSafeInteger(Number(sent)) ? Option.some(Number(sent)) : Option.none()
}

const invalid = (name: string, problem: string, { headers }: HttpServerRequest): Checked =>
  Result.fail([{
    type: "value_error",
    loc: ["header", name],
    msg: `Value error, ${problem}`,
    ...echo(headers[name] ?? "")
  }])

type Checked = Result.Result<undefined, ReadonlyArray<Problem>>

type Check = (request: HttpServerRequest) => Checked

const CHECKS: ReadonlyMap<EventData | null, Check> = new Map([
  [
    WORKSPACE_EVENTS,
    (request) =>
      wantsEvents(request) && Option.isNone(lastEventId(request))
        ? invalid("last-event-id", "must be the number in an `id` line of the stream", request)
        : Result.succeed(undefined)
  ],
  // It has no other answer.
  [
    FOLLOWED_EVENTS,
    (request) =>
      wantsEvents(request) ? Result.succeed(undefined) : invalid("accept", "must be text/event-stream", request)
  ]
])

/** The check of an endpoint's headers. */
export const headerCheckOf = ({ annotations }: HttpApiEndpoint.Top): Check | undefined =>
  CHECKS.get(Context.get(annotations, StreamedEvents))
