/** HTTP/1.1 requires the header Host. Node's own answer to a request without it has no body. */
import { refusal } from "@tributary/http/Refusal"
import { requestId } from "@tributary/http/RequestId"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { IncomingMessage } from "node:http"

const missing = (request: HttpServerRequest) => {
  const { body, headers, status } = refusal("bad_request", "The request has no Host header.", requestId(request))
  return HttpServerResponse.text(body, { status, headers: { ...headers, connection: "close" } })
}

/** For a server that is made without `requireHostHeader`. */
export const requireHost = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.withFiber<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest>(({ context }) => {
    const request = Context.getUnsafe(context, HttpServerRequest)
    const { headers, source } = request
    const isMissing = headers["host"] === undefined && (source as IncomingMessage).httpVersion === "1.1"
    return isMissing ? Effect.sync(() => missing(request)) : app
  })
