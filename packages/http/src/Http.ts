/**
 * The knowledge service over HTTP, as routes on the host's router.
 *
 * Provide `layerRouting` to the router: its defaults fold case, drop trailing slashes and cut long ids.
 */
import { Effect, Layer, Option } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { Api } from "./api/Api.ts"
import { ConsoleApi, SignInApi } from "./api/ConsoleApi.ts"
import { OperatorApi } from "./api/OperatorApi.ts"
import { connections } from "./handlers/Connections.ts"
import { connectors } from "./handlers/Connectors.ts"
import { consoleSession, consoleSignIn } from "./handlers/ConsoleSession.ts"
import { consoleWorkspaces } from "./handlers/ConsoleWorkspaces.ts"
import { documents } from "./handlers/Documents.ts"
import { ingest } from "./handlers/Ingest.ts"
import { knowledge } from "./handlers/Knowledge.ts"
import { operator } from "./handlers/Operator.ts"
import { runtime } from "./handlers/Runtime.ts"
import { tokens } from "./handlers/Tokens.ts"
import { workspaces } from "./handlers/Workspaces.ts"
import * as Mcp from "./mcp/Mcp.ts"
import * as Machine from "./pages/Machine.ts"
import { byApiKey, byOperatorToken } from "./middleware/Authorization.ts"
import * as ErrorBoundary from "./middleware/ErrorBoundary.ts"
import { bySession, fromConsole, keyOrSession } from "./middleware/Session.ts"
import { methodsOf, ROUTING } from "./middleware/Methods.ts"
import * as ProviderSignIn from "./signIn/ProviderSignIn.ts"
import { addRoutes, type Options, pathsOf } from "./Routes.ts"

export type { Options } from "./Routes.ts"

const handlers = Effect.all({ connections, connectors, documents, ingest, knowledge, runtime, tokens, workspaces })

/** All routes, over the services of the core. */
export const layer = (given: Options) => {
  const options = { ...given, baseUrl: given.baseUrl.replace(/\/+$/, "") }
  const { baseUrl, mcp = true, metrics = true } = options
  const operated = Option.isSome(options.adminToken)
  const methods = methodsOf([
    ...Machine.paths,
    ...(metrics ? Machine.metricsPaths : []),
    ...(mcp ? Mcp.paths : []),
    ...pathsOf(Api),
    ...pathsOf(ConsoleApi),
    ...pathsOf(SignInApi),
    ...ProviderSignIn.paths,
    ...(operated ? [...Machine.operatorPaths, ...pathsOf(OperatorApi)] : [])
  ])
  const routes = Effect.gen(function*() {
    yield* Machine.addRoutes(baseUrl)
    if (metrics) yield* Machine.addMetricsRoute()
    const byKey = yield* byApiKey
    yield* addRoutes(Api, yield* handlers, yield* keyOrSession(byKey, baseUrl), options)
    if (mcp) yield* Mcp.addRoutes(byKey, baseUrl)
    const inConsole = {
      consoleSession: yield* consoleSession(baseUrl),
      consoleWorkspaces: yield* consoleWorkspaces(baseUrl)
    }
    yield* addRoutes(ConsoleApi, inConsole, yield* bySession(baseUrl), options)
    yield* addRoutes(SignInApi, { consoleSignIn: yield* consoleSignIn(baseUrl) }, fromConsole(baseUrl), options)
    yield* ProviderSignIn.addRoutes(baseUrl)
    if (Option.isSome(options.adminToken)) {
      yield* Machine.addOperatorRoutes(baseUrl)
      const authorization = byOperatorToken(options.adminToken.value)
      yield* addRoutes(OperatorApi, { operator: yield* operator(baseUrl) }, authorization, options)
    }
  })
  return Layer.merge(Layer.effectDiscard(routes), ErrorBoundary.layer(methods, baseUrl))
}

/** How the router must read paths; provide it to whatever builds the router. */
export const layerRouting = Layer.succeed(HttpRouter.RouterConfig, ROUTING)

/** The service as one effect from request to answer, for a web handler, a Node handler or a test. */
export const app = (options: Options) => HttpRouter.toHttpEffect(layer(options)).pipe(Effect.provide(layerRouting))
