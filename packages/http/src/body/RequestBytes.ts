/** Reads the bytes of a request's body, with the expected media type and within the limit. */
import { ByteSize, Effect, Stream } from "effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import type { HttpServerError } from "effect/http/HttpServerError"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { sizeText } from "../api/BodyLimit.ts"
import { PayloadTooLargeError, UnsupportedMediaTypeError } from "../api/ErrorBody.ts"
import { nodeRequest, receive } from "./NodeBody.ts"

/** Smaller bodies, in bytes, cost no more work than any other request. */
export const SMALL = 4_096

/** Larger bodies, in bytes, take turns. */
export const LARGE = 262_144

export interface BodyKind {
  readonly mediaType: RegExp
  /** Whether a body without a media type is accepted. */
  readonly byDefault: boolean
  /** The message for another media type. */
  readonly message: string
}

const isReadable = ({ headers }: HttpServerRequest, { byDefault, mediaType }: BodyKind): boolean => {
  const type = headers["content-type"]
  const encoding = headers["content-encoding"]
  return (type === undefined ? byDefault : mediaType.test(type.trim())) &&
    (encoding === undefined || encoding.trim().toLowerCase() === "identity")
}

/** Node removes the chunks of a body and leaves any other coding in it. */
const isUncoded = ({ headers }: HttpServerRequest): boolean => {
  const coding = headers["transfer-encoding"]
  return coding === undefined || coding.trim().toLowerCase() === "chunked"
}

export const hasBody = (headers: Readonly<Record<string, unknown>>): boolean =>
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

/** At most `limit` bytes, whatever the headers say. */
const readShort = (request: HttpServerRequest, limit: number) =>
  request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(limit)),
    Effect.catch(unreadable(limit)),
    Effect.map((buffer) => new Uint8Array(buffer))
  )

const read = (request: HttpServerRequest, length: number, limit: number) => {
  const source = length > 0 ? nodeRequest(request) : null
  if (source !== null) return receive(source, length)
  return length > LARGE ? readLong(request, length) : readShort(request, limit)
}

type Unreadable = PayloadTooLargeError | UnsupportedMediaTypeError

/** Checks the headers first, then reads at most `limit` bytes. */
export const readBytes = (request: HttpServerRequest, expected: BodyKind, limit: number) =>
  Effect.suspend((): Effect.Effect<Uint8Array, Unreadable> => {
    const readable = isReadable(request, expected)
    const unsupported = (message = expected.message) => Effect.fail(new UnsupportedMediaTypeError({ message }))
    if (!isUncoded(request)) return unsupported("The only transfer coding of a request body can be chunked.")
    if (!readable && hasBody(request.headers)) return unsupported()
    const length = Number(request.headers["content-length"] ?? 0)
    if (length > limit) return Effect.fail(tooLarge(limit))
    return Effect.flatMap(read(request, length, limit), (bytes): Effect.Effect<Uint8Array, Unreadable> => {
      if (bytes.length > limit) return Effect.fail(tooLarge(limit))
      return !readable && bytes.length > 0 ? unsupported() : Effect.succeed(bytes)
    })
  })
