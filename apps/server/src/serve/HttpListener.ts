/**
 * The HTTP server on Node: listens, serves, and finishes running requests when its scope closes.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { answerClientError } from "@tributary/http/ClientErrors"
import * as Http from "@tributary/http/Http"
import { serve } from "@tributary/http/NodeServer"
import { errorCode } from "@tributary/node/errors"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import type { ServeError } from "effect/http/HttpServerError"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { createServer } from "node:http"
import { withConsole } from "../console/ConsolePages.ts"
import { requireHost } from "./hostHeader.ts"
import { limitConnections } from "./connectionLimit.ts"
import { closeAfterResponses, holdEarlyRequests, ignoreUnknownExpectations } from "./ServerRequests.ts"
import { withClientAddresses } from "./clientAddresses.ts"
import type { Settings } from "../settings/Settings.ts"
import { failed } from "../UsageError.ts"

/** Bounds how slowly a client may send a request. */
const REQUEST_TIMEOUT = 60_000

/** Load balancers keep idle connections for 60 seconds, and lose a request on one that is closed before. */
const KEEP_ALIVE_TIMEOUT = 75_000

/** How many connections wait to be accepted; beyond it, clients try again after a second. Linux takes at most 4,096. */
const BACKLOG = 4_096

/** Leaves two of the ten seconds of a shutdown for the steps after the requests. */
const DRAIN_TIMEOUT = "8 seconds"

const cannotListen = ({ host, port }: Settings, { cause }: ServeError) => {
  const code = String(errorCode(cause) ?? cause)
  return failed(
    code === "EADDRINUSE"
      ? `Port ${port} of ${host} is in use. Stop what listens there, or set TRIBUTARY_PORT to another port (0 takes any free one).`
      : `Cannot listen on port ${port} of ${host} (${code}). Look at TRIBUTARY_HOST and TRIBUTARY_PORT.`
  )
}

/** Clients cannot connect to a wildcard address. */
const reachable = (address: string): string =>
  address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")

/**
 * Opens the port and serves the API until the scope closes. Returns the address for clients on this host,
 * and the public one.
 */
export const listen = Effect.fnUntraced(function*(settings: Settings) {
  const server = createServer({
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    requireHostHeader: false,
    // A request without a body has no stream to end.
    optimizeEmptyRequests: true
  }).on("clientError", answerClientError)
  yield* limitConnections(server, {
    perAddress: settings.connectionsPerAddress,
    trustedProxies: settings.trustedProxies
  })
  ignoreUnknownExpectations(server)
  const releaseEarlyRequests = holdEarlyRequests(server)
  const stopKeepingAlive = closeAfterResponses(server)
  const platform = yield* Layer.build(NodeHttpServer.layer(() => server, {
    host: settings.host,
    port: settings.port,
    backlog: BACKLOG,
    gracefulShutdownTimeout: DRAIN_TIMEOUT
  })).pipe(Effect.mapError((error) => cannotListen(settings, error)))

  return yield* Effect.gen(function*() {
    const address = reachable(HttpServer.formatAddress((yield* HttpServer.HttpServer).address))
    const baseUrl = Option.getOrElse(settings.baseUrl, () => address)
    const stopping = yield* Deferred.make<void>()
    const api = yield* Http.app({
      baseUrl,
      adminToken: settings.adminToken,
      metrics: settings.metrics,
      mcp: settings.mcp ? () => import("@tributary/mcp/HttpEndpoint") : undefined,
      shutdown: Deferred.await(stopping)
    })
    const app = yield* withConsole(withClientAddresses(api, settings.trustedProxies))
    yield* serve(server, requireHost(app))
    // Event streams do not end by themselves.
    yield* Effect.addFinalizer(() => Effect.andThen(stopKeepingAlive, Deferred.succeed(stopping, undefined)))
    yield* releaseEarlyRequests
    yield* Effect.logInfo("server listening").pipe(Effect.annotateLogs({ address, base_url: baseUrl }))
    return { address, baseUrl }
  }).pipe(Effect.provide(platform))
})
