/** Reads the bytes of a request's body, with the expected media type and within the limit. */
import { ByteSize, Effect, Stream } from "effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import type { HttpServerError } from "effect/http/HttpServerError"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { sizeText } from "../api/BodyLimit.ts"
import { PayloadTooLargeError, UnsupportedMediaTypeError } from "../api/ErrorBody.ts"
import { LARGE } from "./JsonSurvey.ts"

/** The expected kind of body. */
export interface Expected {
  readonly mediaType: RegExp
  /** Whether a body without a media type is accepted. */
  readonly byDefault: boolean
  /** The message for another media type. */
  readonly message: string
}

const isReadable = ({ headers }: HttpServerRequest, { byDefault, mediaType }: Expected): boolean => {
  const type = headers["content-type"]
  const encoding = headers["content-encoding"]
  return (type === undefined ? byDefault : mediaType.test(type.trim())) &&
    (encoding === undefined || encoding.trim().toLowerCase() === "identity")
}

const carriesBody = ({ headers }: HttpServerRequest): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

const tooLarge = (limit: number) =>
  new PayloadTooLargeError({ message: `The request body is larger than ${sizeText(limit)}.` })

/** Unless the body is too large, the client disconnected while sending, so nobody reads the answer. */
const unreadable = (limit: number) => (error: HttpServerError): Effect.Effect<never, PayloadTooLargeError> =>
  error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
    ? Effect.fail(tooLarge(limit))
    : Effect.interrupt

/**
 * Copies each part of a body to its place as it arrives: joining them all at the end would block others. `length` is
 * what Content-Length says.
 */
const readLong = (request: HttpServerRequest, length: number) =>
  Effect.suspend(() => {
    const bytes = new Uint8Array(length)
    let read = 0
    const take = Stream.runForEach(request.stream, (part) =>
      Effect.sync(() => {
        // No server passes on more than it was announced.
        bytes.set(part.subarray(0, length - read), read)
        read = Math.min(length, read + part.length)
      }))
    return take.pipe(Effect.catch(unreadable(length)), Effect.map(() => bytes.subarray(0, read)))
  })

/** Checks the headers first, then reads at most `limit` bytes. */
export const readBytes = Effect.fnUntraced(function*(request: HttpServerRequest, expected: Expected, limit: number) {
  const readable = isReadable(request, expected)
  const unsupported = () => new UnsupportedMediaTypeError({ message: expected.message })
  if (!readable && carriesBody(request)) return yield* unsupported()
  const length = Number(request.headers["content-length"] ?? 0)
  if (length > limit) return yield* tooLarge(limit)
  const bytes = length > LARGE
    ? yield* readLong(request, length)
    : new Uint8Array(
      yield* request.arrayBuffer.pipe(
        Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(limit)),
        Effect.catch(unreadable(limit))
      )
    )
  if (bytes.length > limit) return yield* tooLarge(limit)
  if (!readable && bytes.length > 0) return yield* unsupported()
  return bytes
})
