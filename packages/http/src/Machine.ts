/** The endpoints for machines and passers-by: health, the OpenAPI document, the pages of the errors. */
import { NotFound } from "@tributary/core/model/Error"
import { Workspaces } from "@tributary/core/Workspaces"
import { Context, Effect } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { errorPage } from "./ErrorPages.ts"
import { coded, unavailable } from "./middleware/Failures.ts"
import type { Route } from "./middleware/Methods.ts"
import { openApiDocument } from "./OpenApiDocument.ts"

export const paths: ReadonlyArray<Route> = ["/healthz", "/readyz", "/openapi.json", "/errors/:code"]
  .map((path) => ({ method: "GET", path }))

const ok = HttpServerResponse.jsonUnsafe({ status: "ok" })

/** Ready is who reaches its storage. */
const ready = Effect.map(Workspaces, (workspaces) =>
  workspaces.list(null, { limit: 1, cursor: null }).pipe(
    Effect.as(ok),
    Effect.orElseSucceed(() => unavailable())
  ))

const errors = Effect.withFiber<HttpServerResponse.HttpServerResponse>((fiber) => {
  const { params } = Context.getUnsafe(fiber.context, HttpRouter.RouteContext)
  return Effect.succeed(errorPage(params["code"]) ?? coded(new NotFound()))
})

export const addRoutes = Effect.fnUntraced(function*(baseUrl: string) {
  const router = yield* HttpRouter.HttpRouter
  yield* router.add("GET", "/healthz", ok)
  yield* router.add("GET", "/readyz", yield* ready)
  yield* router.add("GET", "/errors/:code", errors)
  yield* router.add(
    "GET",
    "/openapi.json",
    Effect.sync(() => HttpServerResponse.text(openApiDocument(baseUrl), { contentType: "application/json" }))
  )
})
