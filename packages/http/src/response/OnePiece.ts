/**
 * Short answers on Node, head and body in one write. Effect's adapter sets `strictContentLength`, with which Node hands
 * the system two pieces, at a tenth of the cost of a small request. All that is not as plain stays the adapter's: it
 * passes over an answer that is written already.
 */
import * as NodeRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Context, Effect } from "effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { ServerResponse } from "node:http"

/** In bytes. For longer ones two writes cost no more than joining the pieces. */
const SHORT = 16_384

/** A body that is still to be read, or that waits for leave to be sent, decides about the connection, too. */
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

/** For what Node's adapter runs, and nothing but that. */
export const inOnePiece = <E, R>(
  app: Effect.Effect<HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse, E, R | HttpServerRequest> =>
  Effect.withFiber(({ context }) => {
    const request = Context.getUnsafe(context, HttpServerRequest)
    return Effect.map(app, (response) => {
      write(request, response)
      return response
    })
  })
