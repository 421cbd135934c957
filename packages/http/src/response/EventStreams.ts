/**
 * Responses as server-sent events. Every stream has heartbeats, ends with a last event when its caller loses access or
 * the server stops, and never shows details of defects.
 */
import {
  errorBody,
  type PermissionDenied,
  type RateLimitExceeded,
  type StorageUnavailable
} from "@tributary/core/model/Error"
import { Cause, Effect, Schema, Stream } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { EventData } from "../api/StreamedEvents.ts"
import { type Coded, InternalError, UnavailableError } from "../api/ErrorBody.ts"
import { requestId } from "../middleware/RequestId.ts"

interface ServerEvent {
  readonly event: string
  readonly data: unknown
  /** Where a client resumes after a lost connection. */
  readonly id?: number
}

/** What a handler returns instead of a body. */
export class EventStream {
  readonly events: Stream.Stream<ServerEvent, StorageUnavailable>
  /** What the caller must still be allowed, besides being authenticated. */
  readonly access: Effect.Effect<unknown, PermissionDenied | StorageUnavailable>
  constructor(events: EventStream["events"], access: EventStream["access"] = Effect.void) {
    this.events = events
    this.access = access
  }
}

/** Shorter than the timeouts of proxies; also how long a caller keeps a stream after losing access. */
const INTERVAL = "15 seconds"

/** What is checked while a stream is open. */
export interface Watch {
  readonly request: HttpServerRequest
  /** Authenticates the caller again. */
  readonly authorize: Effect.Effect<unknown, Coded | RateLimitExceeded | StorageUnavailable>
  /** Completes when the server stops. */
  readonly shutdown: Effect.Effect<void>
}

const comment = (text: string): string => `: ${text}\n\n`

/** JSON has no line breaks, so the data is one line. */
const written = ({ data, event, id }: { readonly data: unknown; readonly event: string; readonly id?: number }) =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

const failed = ({ _tag, details, message }: Coded): string =>
  written({ event: "error", data: errorBody(_tag, message, details) })

/** Heartbeats, and finally the reason when the caller loses access. */
const ticking = ({ authorize }: Watch) =>
  Stream.unfold(true, (open) =>
    open
      ? Effect.delay(authorize, INTERVAL).pipe(
        Effect.map(() => [comment("keep-alive"), true] as const),
        Effect.catch((error) =>
          Effect.succeed(
            // The check failed temporarily; the next one decides.
            error._tag === "StorageUnavailable" || error._tag === "rate_limit_exceeded"
              ? [comment("keep-alive"), true] as const
              : [failed(error), false] as const
          )
        )
      )
      : Effect.undefined)

/** The last event of a failed stream. A disconnected caller gets nothing. */
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

/** The bytes of a response, generated at the pace of the reader. */
export const bytesOf = (schemas: EventData) => {
  const encoders = new Map([...schemas].map(([event, schema]) => [
    event,
    // Wire schemas need no services, which their general type does not express.
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
      // The head of the response is sent with its first bytes.
      (rest) => Stream.concat(Stream.make(comment("open")), rest),
      Stream.encodeText
    )
  }
}
