/** HTTP/1.1 requires the header Host. Node's own answer to a request without it has no body. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { IncomingMessage } from "node:http"

const missing = () =>
  HttpServerResponse.jsonUnsafe(
    { error_code: "bad_request", message: "The request has no Host header.", details: null },
    { status: 400, headers: { connection: "close", "x-request-id": crypto.randomUUID() } }
  )

/** For a server that is made without `requireHostHeader`. */
export const requireHost = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.withFiber<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest>(({ context }) => {
    const { headers, source } = Context.getUnsafe(context, HttpServerRequest)
    const isMissing = headers["host"] === undefined && (source as IncomingMessage).httpVersion === "1.1"
    return isMissing ? Effect.sync(missing) : app
  })
