/** The response with a handler's answer: JSON, or an event stream. */
import { Context, Effect, Stream } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Operation } from "../api/operationsOf.ts"
import { StreamedEvents } from "../api/StreamedEvents.ts"
import { bytesOf, EventStream, type Watch } from "./EventStreams.ts"
import { encoderOf, type Reply } from "./Reply.ts"

const CONTENT_TYPE = "text/event-stream"

// A proxy that buffers responses would hold an event stream forever.
const HEADERS = { "x-accel-buffering": "no" }

interface Options {
  readonly baseUrl: string
  readonly shutdown?: Watch["shutdown"]
}

/** `authorize` authenticates the caller of a stream again. The stream is read with the services of `context`. */
export const responderOf = (
  { endpoint, successes }: Operation,
  authorize: (request: HttpServerRequest) => Watch["authorize"],
  { baseUrl, shutdown = Effect.never }: Options
) => {
  const encode = encoderOf(successes)
  const bytes = bytesOf(Context.get(endpoint.annotations, StreamedEvents) ?? new Map())
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, "")
  return (
    reply: Reply<unknown>,
    request: HttpServerRequest,
    context: Context.Context<never>
  ): HttpServerResponse.HttpServerResponse => {
    const { body, headers } = reply
    if (!(body instanceof EventStream)) return encode(reply.located(prefix))
    const watch = { request, authorize: Effect.andThen(authorize(request), body.access), shutdown }
    return HttpServerResponse.stream(Stream.provideContext(bytes(body, watch), context), {
      contentType: CONTENT_TYPE,
      headers: { ...HEADERS, ...headers }
    })
  }
}
