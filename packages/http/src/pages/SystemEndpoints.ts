/** Endpoints beside the API: health, metrics, the OpenAPI documents, the reference, and the pages of errors. */
import { Workspaces } from "@tributary/core/Workspaces"
import { Context, Effect } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { errorPage } from "./ErrorPages.ts"
import { noSuchPath, respondTo } from "../response/Failures.ts"
import type { JsonObject } from "../openapi/Json.ts"
import { referencePage } from "./ReferencePage.ts"
import { openApiDocument, operatorDocument } from "../openapi/OpenApiDocument.ts"

const ok = HttpServerResponse.jsonUnsafe({ status: "ok" })

/** Ready means that the storage can be reached. */
const readyAt = (baseUrl: string) =>
  Effect.map(Workspaces, (workspaces) =>
    workspaces.list(null, { limit: 1, cursor: null }).pipe(
      Effect.as(ok),
      Effect.catch((error) =>
        Effect.flatMap(
          HttpServerRequest.HttpServerRequest,
          (request) => respondTo(error, request, baseUrl, undefined)
        )
      )
    ))

const errors = Effect.withFiber<HttpServerResponse.HttpServerResponse>((fiber) => {
  const { params } = Context.getUnsafe(fiber.context, HttpRouter.RouteContext)
  return Effect.succeed(errorPage(params["code"]) ?? noSuchPath())
})

// Generated on first use, because most processes never need it.
const answering = (make: () => HttpServerResponse.HttpServerResponse) => {
  let made: HttpServerResponse.HttpServerResponse | undefined
  return Effect.sync(() => made ??= make())
}

const describing = (document: () => JsonObject) =>
  answering(() => HttpServerResponse.text(JSON.stringify(document()), { contentType: "application/json" }))

export const addRoutes = Effect.fnUntraced(function*(baseUrl: string) {
  const router = yield* HttpRouter.HttpRouter
  yield* router.add("GET", "/healthz", ok)
  yield* router.add("GET", "/readyz", yield* readyAt(baseUrl))
  yield* router.add("GET", "/errors/:code", errors)
  yield* router.add("GET", "/openapi.json", describing(() => openApiDocument(baseUrl)))
  yield* router.add("GET", "/docs", answering(() => referencePage(openApiDocument(baseUrl))))
})

/** The metrics of the process in the text format of Prometheus. */
const metrics = Effect.map(
  PrometheusMetrics.format(),
  (text) => HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
)

export const addMetricsRoute = Effect.fnUntraced(function*() {
  const router = yield* HttpRouter.HttpRouter
  yield* router.add("GET", "/metrics", metrics)
})

/** The description of the operator API exists only if that is enabled; reading it needs no token. */
export const addOperatorRoutes = Effect.fnUntraced(function*(baseUrl: string) {
  const router = yield* HttpRouter.HttpRouter
  yield* router.add("GET", "/admin/v1/openapi.json", describing(() => operatorDocument(baseUrl)))
})
