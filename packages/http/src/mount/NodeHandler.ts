/** The service as a `node:http` listener for Express, Fastify and plain servers, without converting to `Request`. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, type Layer, type Scope } from "effect"
import type { ServerResponse } from "node:http"
import { hasBody } from "../body/RequestBytes.ts"
import { sentId } from "../middleware/RequestId.ts"
import { closing, type Refusal, refusal } from "../response/Refusal.ts"
import { inTurn, type NodeListener } from "./inTurn.ts"
import { listenerOf } from "./NodeServer.ts"
import { type App, mount, type Mounted, type MountOptions, type Services } from "./Mounted.ts"

/** Needs the complete request: its body must be unread, and `url` must be the original path. */
type NodeHandler = NodeListener

const CONSUMED =
  "The body was read before the request reached Tributary. Mount Tributary before express.json() and other body parsers."

const refuse = (response: ServerResponse, { body, headers, status }: Refusal): void => {
  response.writeHead(status, headers).end(body)
}

/** The listener of a running application. */
export const handlerOf = (
  app: App,
  scope: Scope.Scope,
  isStopped: () => boolean = () => false
): Effect.Effect<NodeHandler> =>
  Effect.map(
    listenerOf(app, scope, (app) => NodeHttpServer.makeHandler(app, { scope })),
    (handle): NodeHandler =>
      inTurn((request, response) => {
        const id = sentId(request.headers["x-request-id"]?.toString())
        if (isStopped()) refuse(response, closing(id))
        // A mistake of the host, which would otherwise look like an empty body.
        else if (request.readableEnded && hasBody(request.headers)) {
          refuse(response, refusal("internal_server_error", CONSUMED, id))
        } else handle(request, response)
      })
  )

export const nodeHandler = <E>(
  services: Layer.Layer<Services, E>,
  options: MountOptions
): Promise<Mounted<NodeHandler>> => mount(services, options, handlerOf)
