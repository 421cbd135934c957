/**
 * Sends short responses on Node with one write. Effect's adapter sets `strictContentLength`, with which Node writes
 * head and body separately; that costs a tenth of a small request. Other responses are left to the adapter, which
 * ignores a response that is already sent.
 */
import * as NodeRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Context, Effect } from "effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { ServerResponse } from "node:http"

/** In bytes. For longer ones, joining costs as much as a second write. */
const SHORT = 16_384

/** An unread request body, or one that waits for 100 Continue, affects the connection. */
const isRead = ({ headers, source }: HttpServerRequest): boolean =>
  (source as { readonly complete?: boolean }).complete === true ||
  headers["content-length"] === undefined && headers["transfer-encoding"] === undefined

const write = (request: HttpServerRequest, { body, headers, status }: HttpServerResponse): void => {
  if (body._tag !== "Uint8Array" || body.text === undefined || body.contentLength > SHORT) return
  if (request.method === "HEAD" || !isRead(request)) return
  const response = NodeRequest.toServerResponse(request)
  if (response.destroyed || !(response instanceof ServerResponse)) return
  response.writeHead(status, headers)
  response.end(body.text)
}

/** Only for Node's adapter. */
export const joinBody = <E, R>(
  app: Effect.Effect<HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse, E, R | HttpServerRequest> =>
  Effect.withFiber(({ context }) => {
    const request = Context.getUnsafe(context, HttpServerRequest)
    return Effect.map(app, (response) => {
      write(request, response)
      return response
    })
  })
