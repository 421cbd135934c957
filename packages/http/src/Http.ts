/**
 * The knowledge service over HTTP, as routes on the host's router.
 *
 * Provide `layerRouting` to the router: its defaults fold case, drop trailing slashes and cut long ids.
 */
import { Effect, Layer, Option } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { Api } from "./api/Api.ts"
import { OperatorApi } from "./api/OperatorApi.ts"
import { audit } from "./handlers/Audit.ts"
import { connections } from "./handlers/Connections.ts"
import { connectors } from "./handlers/Connectors.ts"
import * as Console from "./ConsoleRoutes.ts"
import { documents } from "./handlers/Documents.ts"
import { ingest } from "./handlers/Ingest.ts"
import { knowledge } from "./handlers/Knowledge.ts"
import { operator } from "./handlers/Operator.ts"
import { questions } from "./handlers/Questions.ts"
import { runtime } from "./handlers/Runtime.ts"
import { tokens } from "./handlers/Tokens.ts"
import { webhooks } from "./handlers/Webhooks.ts"
import { workspaces } from "./handlers/Workspaces.ts"
import * as Mcp from "./mcp/Mcp.ts"
import * as System from "./pages/SystemEndpoints.ts"
import { byApiKey } from "./middleware/Authorization.ts"
import * as ErrorBoundary from "./middleware/ErrorBoundary.ts"
import { makeRouteTable, ROUTING, withTable } from "./middleware/RouteTable.ts"
import { byOperatorToken } from "./middleware/OperatorAuthorization.ts"
import { addRoutes, makeGates, type Options } from "./Routes.ts"

export type { Options } from "./Routes.ts"

const handlers = Effect.all({
  audit,
  connections,
  connectors,
  documents,
  ingest,
  knowledge,
  questions,
  runtime,
  tokens,
  webhooks,
  workspaces
})

const routesFor = (options: Options, people: Effect.Success<typeof Console.peopleServices>) => {
  const { baseUrl, mcp, metrics = true } = options
  const table = makeRouteTable()
  const routes = Effect.gen(function*() {
    yield* System.addRoutes(baseUrl)
    if (metrics) yield* System.addMetricsRoute()
    const byKey = yield* byApiKey
    const gates = makeGates()
    yield* addRoutes(Api, yield* handlers, yield* Console.keyOrPerson(byKey, baseUrl, people), gates, options)
    if (mcp !== undefined) yield* Mcp.addRoutes(mcp, byKey, baseUrl, gates)
    if (Option.isSome(people)) yield* Effect.provideContext(Console.addConsoleRoutes(gates, options), people.value)
    if (Option.isSome(options.adminToken)) {
      yield* System.addOperatorRoutes(baseUrl)
      const authorization = yield* byOperatorToken(options.adminToken.value, options.adminName ?? "admin")
      yield* addRoutes(OperatorApi, { operator: yield* operator(baseUrl) }, authorization, gates, options)
    }
  }).pipe(Effect.updateService(HttpRouter.HttpRouter, (router) => withTable(router, table)))
  return Layer.merge(Layer.effectDiscard(routes), ErrorBoundary.layer(table, baseUrl))
}

/** All routes over the services of core. Those for people and the console exist only if the backend has people. */
export const layer = (options: Options) =>
  Layer.unwrap(
    Effect.map(
      Console.peopleServices,
      (people) => routesFor({ ...options, baseUrl: options.baseUrl.replace(/\/+$/, "") }, people)
    )
  )

/** How the router must parse paths. Provide it where the router is built. */
export const layerRouting = Layer.succeed(HttpRouter.RouterConfig, ROUTING)

/** The service as one effect from request to response, for a web handler, a Node handler or a test. */
export const app = (options: Options) => HttpRouter.toHttpEffect(layer(options)).pipe(Effect.provide(layerRouting))
