/** The service as a listener of `node:http`: for Express, Fastify and plain servers, without a detour over `Request`. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import type { Layer } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { inOnePiece } from "../response/OnePiece.ts"
import { mount, type Mounted, type MountOptions, type Services } from "./Mounted.ts"

/** Takes the request whole: nobody may have read its body, and its `url` is the path that was asked for. */
type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void

export const nodeHandler = <E>(
  services: Layer.Layer<Services, E>,
  options: MountOptions
): Promise<Mounted<NodeHandler>> =>
  mount(services, options, (app, scope) => NodeHttpServer.makeHandler(inOnePiece(app), { scope }))
