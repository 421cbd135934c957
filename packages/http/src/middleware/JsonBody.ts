/** Reads a request's body as JSON: bounded, UTF-8, at most 200 levels deep. */
import { ByteSize, Effect, Result } from "effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import type { HttpServerError } from "effect/http/HttpServerError"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { PayloadTooLargeError, UnsupportedMediaTypeError } from "../api/ErrorBody.ts"
import { countCodePoints, isTooDeep, type JsonFault, jsonFault } from "./JsonSyntax.ts"
import type { Problem } from "./Problem.ts"

/** The largest body that is read. */
export const MAX_BODY = ByteSize.mebibytes(32)

const MAX_BYTES = ByteSize.toNumberUnsafe(MAX_BODY)

const JSON_TYPE = /^application\/(?:[\w!#$&^.-]+\+)?json[ \t]*(?:;.*)?$/i

// A leading byte order mark is dropped by the decoder itself.
const utf8 = new TextDecoder("utf-8", { fatal: true })

const decodes = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** How many characters stand before the first byte that is not UTF-8. */
const charactersBeforeFault = (bytes: Uint8Array): number => {
  let [valid, invalid] = [0, bytes.length + 1]
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >>> 1
    if (decodes(bytes.subarray(0, middle))) valid = middle
    else invalid = middle
  }
  return countCodePoints(new TextDecoder("utf-8").decode(bytes.subarray(0, valid), { stream: true }))
}

const invalid = ({ position, reason }: JsonFault): Problem => ({
  type: "json_invalid",
  loc: ["body", position],
  msg: "JSON decode error",
  input: {},
  ctx: { error: reason }
})

/** The value that the bytes of a body stand for; `undefined` for no bytes at all. */
export const parseBody = (bytes: Uint8Array): Result.Result<unknown, Problem> => {
  if (bytes.length === 0) return Result.succeed(undefined)
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return Result.fail(invalid({ position: charactersBeforeFault(bytes), reason: "Invalid UTF-8" }))
  }
  if (isTooDeep(text)) return Result.fail(invalid(jsonFault(text)))
  try {
    return Result.succeed(JSON.parse(text))
  } catch {
    return Result.fail(invalid(jsonFault(text)))
  }
}

const isReadable = ({ headers }: HttpServerRequest): boolean => {
  const type = headers["content-type"]
  const encoding = headers["content-encoding"]
  return (type === undefined || JSON_TYPE.test(type.trim())) &&
    (encoding === undefined || encoding.trim().toLowerCase() === "identity")
}

const carriesBody = ({ headers }: HttpServerRequest): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** Unless the body is too large, the client went away while it was sending: nobody is left to be told. */
const unreadable = (error: HttpServerError): Effect.Effect<never, PayloadTooLargeError> =>
  error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
    ? Effect.fail(new PayloadTooLargeError())
    : Effect.interrupt

/** The bytes of the body, once it is known to be JSON by its headers and small enough. */
export const readBody = Effect.fnUntraced(function*(request: HttpServerRequest) {
  const readable = isReadable(request)
  if (!readable && carriesBody(request)) return yield* new UnsupportedMediaTypeError()
  if (Number(request.headers["content-length"] ?? 0) > MAX_BYTES) return yield* new PayloadTooLargeError()
  const bytes = new Uint8Array(
    yield* request.arrayBuffer.pipe(
      Effect.provideService(HttpIncomingMessage.MaxBodySize, MAX_BODY),
      Effect.catch(unreadable)
    )
  )
  if (bytes.length > MAX_BYTES) return yield* new PayloadTooLargeError()
  if (!readable && bytes.length > 0) return yield* new UnsupportedMediaTypeError()
  return bytes
})
