/**
 * Answers as server-sent events. Whatever they are about, such an answer is kept alive by comments, ends with a last
 * event when its caller may no longer have it or the server stops, and never shows what went wrong within.
 */
import type { RateLimitExceeded, StorageUnavailable } from "@tributary/core/model/Error"
import { Cause, Effect, Schema, Stream } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { EventData } from "../api/EventStream.ts"
import { type Coded, InternalError, UnavailableError } from "../api/ErrorBody.ts"
import { requestId } from "../middleware/RequestId.ts"

export interface ServerEvent {
  readonly event: string
  readonly data: unknown
  /** What a client that lost the connection goes on from. */
  readonly id?: number
}

/** What a handler answers with, in the place of a body. */
export class EventStream {
  readonly events: Stream.Stream<ServerEvent, StorageUnavailable>
  constructor(events: Stream.Stream<ServerEvent, StorageUnavailable>) {
    this.events = events
  }
}

/** Shorter than what proxies wait for; also how long a caller who may no longer listen can go on listening. */
const INTERVAL = "15 seconds"

/** What a stream is watched for while it is open. */
export interface Watch {
  readonly request: HttpServerRequest
  /** Judges the caller again. */
  readonly authorize: Effect.Effect<unknown, Coded | RateLimitExceeded | StorageUnavailable>
  /** Ends when the server stops. */
  readonly shutdown: Effect.Effect<void>
}

const comment = (text: string): string => `: ${text}\n\n`

/** JSON has no line breaks of its own, so that the data is one line. */
const written = ({ data, event, id }: { readonly data: unknown; readonly event: string; readonly id?: number }) =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

const failed = ({ _tag, details, message }: Coded): string =>
  written({ event: "error", data: { error_code: _tag, message, details } })

/** One comment after another; at last, when the caller may no longer listen, why. */
const ticking = ({ authorize }: Watch) =>
  Stream.unfold(true, (open) =>
    open
      ? Effect.delay(authorize, INTERVAL).pipe(
        Effect.map(() => [comment("keep-alive"), true] as const),
        Effect.catch((error) =>
          Effect.succeed(
            // Whether it still may cannot be told now; next time it can.
            error._tag === "StorageUnavailable" || error._tag === "rate_limit_exceeded"
              ? [comment("keep-alive"), true] as const
              : [failed(error), false] as const
          )
        )
      )
      : Effect.undefined)

/** The end of what cannot go on. A caller that is gone is told nothing. */
const ending = (cause: Cause.Cause<StorageUnavailable>, { request }: Watch) => {
  if (Cause.hasInterruptsOnly(cause)) return Stream.failCause(Cause.interrupt())
  const [reason] = cause.reasons
  const error = reason?._tag === "Fail"
    ? new UnavailableError()
    : new InternalError({ details: { request_id: requestId(request) } })
  return Stream.fromEffect(
    Effect.logError("event stream failed", cause).pipe(
      Effect.annotateLogs("request_id", requestId(request)),
      Effect.as(failed(error))
    )
  )
}

/** The bytes of an answer, which is made only as fast as it is read. */
export const bytesOf = (schemas: EventData) => {
  const encoders = new Map([...schemas].map(([event, schema]) => [
    event,
    // Schemas of the wire need no services, which their general type does not say.
    Schema.encodeUnknownSync(schema as Schema.Codec<unknown>)
  ]))
  return ({ events }: EventStream, watch: Watch): Stream.Stream<Uint8Array> => {
    const content = events.pipe(
      Stream.map((event) => written({ ...event, data: encoders.get(event.event)!(event.data) })),
      Stream.catchCause((cause) => ending(cause, watch))
    )
    const stopped = Stream.fromEffect(
      Effect.as(watch.shutdown, failed(new UnavailableError({ message: "The server is stopping. Connect again." })))
    )
    const halting = { haltStrategy: "either" } as const
    return content.pipe(
      Stream.merge(ticking(watch), halting),
      Stream.merge(stopped, halting),
      // The head of an answer goes out with its first bytes.
      (rest) => Stream.concat(Stream.make(comment("open")), rest),
      Stream.encodeText
    )
  }
}
