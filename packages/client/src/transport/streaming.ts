/** Answers that come as server-sent events, read as they arrive. */
import { AskEvent } from "@tributary/core/model/Ask"
import { Event } from "@tributary/core/model/Document"
import { Cause, type Context, Effect, type Redacted, Schema, Stream } from "effect"
import * as Sse from "effect/encoding/Sse"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { CALL, type CallOptions } from "../calling.ts"
import { type LastResponse, noResponse, RequestContext } from "./RequestContext.ts"
import { errorIn, toTributaryError } from "../failures.ts"
import { checkNames } from "../optionNames.ts"
import { Override, overrideFor } from "../Policy.ts"
import { lost } from "./withRetries.ts"
import type { Event as DocumentEvent } from "../models.ts"

/** An event of a workspace, with the id from which a later stream resumes. */
export interface LiveEvent {
  readonly id: string
  readonly event: DocumentEvent
}

const answerEvent = Schema.decodeUnknownEffect(AskEvent)
const json = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Json))
const workspaceEvent = Schema.decodeUnknownEffect(Schema.fromJsonString(Event))

export const askEventOf = ({ data, event }: Sse.Event) =>
  Effect.flatMap(json(data), (data) => answerEvent({ event, data }))

export const liveEventOf = ({ data, id }: Sse.Event) =>
  Effect.map(workspaceEvent(data), (event): LiveEvent => ({ id: id ?? "", event }))

const eventsOf = (
  response: HttpClientResponse.HttpClientResponse,
  lastResponse: LastResponse
): Stream.Stream<Sse.Event, unknown> =>
  response.status === 200
    ? response.stream.pipe(
      Stream.mapError((error) => lost(response.request, "the answer broke off", error)),
      Stream.decodeText(),
      Stream.pipeThroughChannel(Sse.decode())
    )
    : Stream.fail(errorIn(lastResponse.refusal, lastResponse))

/** Reads the events of an answer: `Read` is what `read` makes of one. */
export type Streaming<R> = <Read>(
  open: Effect.Effect<HttpClientResponse.HttpClientResponse, unknown, R>,
  read: (event: Sse.Event) => Effect.Effect<Read, unknown>,
  options?: CallOptions,
  headers?: Readonly<Record<string, string>>
) => AsyncIterable<Read>

/** Every iteration sends the request again; leaving it early ends the answer. `timeout` bounds the time to its begin. */
export const streaming = <R>(context: Context.Context<R>, apiKey: Redacted.Redacted): Streaming<R> =>
<Read>(
  open: Effect.Effect<HttpClientResponse.HttpClientResponse, unknown, R>,
  read: (event: Sse.Event) => Effect.Effect<Read, unknown>,
  options: CallOptions = {},
  headers: Readonly<Record<string, string>> = {}
): AsyncIterable<Read> => {
  checkNames(CALL, options)
  return {
    async *[Symbol.asyncIterator]() {
      const { signal, timeout } = options
      const lastResponse = noResponse()
      const opened = open.pipe(
        Effect.provideService(RequestContext, {
          apiKey,
          headers: { accept: "text/event-stream", ...headers },
          lastResponse
        }),
        Effect.provideService(Override, overrideFor(timeout))
      )
      const aborted = Effect.callback<never, unknown>((resume) => {
        const abort = () => resume(Effect.fail(signal!.reason))
        if (signal?.aborted === true) return abort()
        signal?.addEventListener("abort", abort, { once: true })
        return Effect.sync(() => signal?.removeEventListener("abort", abort))
      })
      // The server ends a failed stream with an event of this name.
      const readOne = (event: Sse.Event): Effect.Effect<Read, unknown> =>
        event.event === "error"
          ? Effect.flatMap(json(event.data), (body) => Effect.fail(errorIn(body, lastResponse)))
          : read(event)
      const events = Stream.unwrap(Effect.map(opened, (response) => eventsOf(response, lastResponse))).pipe(
        Stream.mapEffect(readOne),
        Stream.interruptWhen(aborted)
      )
      try {
        yield* Stream.toAsyncIterableWith(events, context)
      } catch (error) {
        signal?.throwIfAborted()
        throw toTributaryError(Cause.fail(error), lastResponse)
      }
    }
  }
}
