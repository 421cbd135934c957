/**
 * The HTTP server on Node: it listens, serves, and when its scope closes finishes the requests that are under way.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Http from "@tributary/http/Http"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import type { ServeError } from "effect/http/HttpServerError"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Settings } from "./Settings.ts"
import { UsageError } from "./UsageError.ts"

const LARGEST_BODY = ByteSize.mebibytes(32)

/** Bounds how slowly a client may send a request. */
const REQUEST_TIMEOUT = 60_000

/** Leaves two of the ten seconds that a shutdown may take to what comes after the requests. */
const DRAIN_TIMEOUT = "8 seconds"

/** The routes need the address, which is known once the port is open: what arrives in between waits for them. */
const holdEarlyRequests = (server: Server) => {
  const early: Array<[IncomingMessage, ServerResponse]> = []
  const hold = (request: IncomingMessage, response: ServerResponse) => void early.push([request, response])
  server.on("request", hold)
  return Effect.sync(() => {
    server.off("request", hold)
    for (const [request, response] of early) server.emit("request", request, response)
  })
}

const cannotListen = ({ host, port }: Settings, { cause }: ServeError) => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)
  return new UsageError({
    message: code === "EADDRINUSE"
      ? `Port ${port} of ${host} is in use. Stop what listens there, or set TRIBUTARY_PORT to another port (0 takes any free one).`
      : `Cannot listen on port ${port} of ${host} (${code}). Look at TRIBUTARY_HOST and TRIBUTARY_PORT.`,
    exitCode: 1
  })
}

/** Opens the port and serves the API until the scope closes; gives the server's base URL. */
export const listen = Effect.fnUntraced(function*(settings: Settings) {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT })
  const releaseEarlyRequests = holdEarlyRequests(server)
  const platform = yield* Layer.build(NodeHttpServer.layer(() => server, {
    host: settings.host,
    port: settings.port,
    gracefulShutdownTimeout: DRAIN_TIMEOUT
  })).pipe(Effect.mapError((error) => cannotListen(settings, error)))

  return yield* Effect.gen(function*() {
    const address = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
    const baseUrl = Option.getOrElse(settings.baseUrl, () => address)
    const routes = Http.layer({ baseUrl, adminToken: settings.adminToken }).pipe(
      Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, LARGEST_BODY))
    )
    // The default access log doubles the cost of a request.
    yield* Layer.build(HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }))
    yield* releaseEarlyRequests
    yield* Effect.logInfo("server listening").pipe(Effect.annotateLogs({ address, base_url: baseUrl }))
    return baseUrl
  }).pipe(Effect.provide(platform))
})
