/**
 * The outermost layer of every request: a response in the API's form for every failure, headers that all responses
 * have, and the duration. Details of defects are logged under the id of the request and never sent.
 */
import { Cause, Effect } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { ConnectorNotFound, DocumentNotFound } from "@tributary/core/model/Error"
import { TraceSampling } from "@tributary/core/ports/TraceSampling"
import { UsageLog } from "@tributary/core/UsageLog"
import { Context, type Types } from "effect"
import { MethodNotAllowedError } from "../api/ErrorBody.ts"
import { coded, internalError, noSuchPath } from "../response/Failures.ts"
import type { RouteTable } from "./RouteTable.ts"
import { countedHeaders } from "./RateWindow.ts"
import { requestId } from "./RequestId.ts"
import { recordRequest, routeOf } from "./RequestMetrics.ts"
import { traced } from "./Tracing.ts"

const isRouteNotFound = (error: unknown): boolean =>
  error instanceof HttpServerError.HttpServerError && error.reason._tag === "RouteNotFound"

const isDecodable = (encoded: string): boolean => {
  try {
    // The result is used, because the bundler drops a call without use, and its error with it.
    return decodeURIComponent(encoded).length <= encoded.length
  } catch {
    return false
  }
}

const UNDER_CONNECTOR = /^\/v1\/custom-connectors\/(?<connector>[^/?]*)(?:\/documents\/(?<document>[^/?]*))?/

/** The router matches no path that it cannot decode; an id with invalid percent-encoding is an unknown id. */
const noSuchRoute = (url: string): HttpServerResponse.HttpServerResponse => {
  const { connector = "", document = "" } = UNDER_CONNECTOR.exec(url)?.groups ?? {}
  if (!isDecodable(connector)) return coded(new ConnectorNotFound())
  return isDecodable(document) ? noSuchPath() : coded(new DocumentNotFound())
}

/** There is no route for this method, or none for this path. */
const unrouted = (request: HttpServerRequest.HttpServerRequest, routes: RouteTable) => {
  const allow = routes.allowedMethods(request.method, request.url)
  if (allow === undefined) return noSuchRoute(request.url)
  return request.method === "OPTIONS"
    ? HttpServerResponse.empty({ status: 204, headers: { allow } })
    : coded(new MethodNotAllowedError(), { allow })
}

const recover = (
  cause: Cause.Cause<unknown>,
  request: HttpServerRequest.HttpServerRequest,
  routes: RouteTable
): Effect.Effect<HttpServerResponse.HttpServerResponse, unknown> => {
  const [reason] = cause.reasons
  if (reason?._tag === "Fail" && isRouteNotFound(reason.error)) return Effect.succeed(unrouted(request, routes))
  // The client is gone or the server stops: the transport handles it.
  if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
  return Effect.as(Effect.logError("request failed", cause), internalError(request))
}

const API = /^\/(?:(?:v1|admin\/v1|console\/api)\/|mcp(?:\?|$))/

/** No cache stores a response of the API, and no browser guesses its type; pages set their own headers. */
const headersWith = (isSecure: boolean) => {
  const everywhere = isSecure ? { "strict-transport-security": "max-age=31536000" } : {}
  const ofApi = { "cache-control": "no-store", "x-content-type-options": "nosniff", ...everywhere }
  return (request: HttpServerRequest.HttpServerRequest, response: HttpServerResponse.HttpServerResponse) =>
    HttpServerResponse.setHeaders(response, {
      // The path of a route may be sent percent-encoded.
      ...(API.test(routeOf(request) ?? request.url) ? ofApi : everywhere),
      ...countedHeaders(request),
      "x-request-id": requestId(request)
    })
}

/** Applies to every route, and to unknown paths. */
export const layer = (routes: RouteTable, baseUrl: string) => {
  const withHeaders = headersWith(baseUrl.startsWith("https:"))
  return HttpRouter.middleware(
    Effect.map(Effect.all([UsageLog, TraceSampling]), ([usage, sampling]) => (app) =>
      Effect.withFiber((fiber) => {
        const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
        const began = performance.now()
        const finished = (response: HttpServerResponse.HttpServerResponse) => {
          recordRequest(usage, request, response.status, began, fiber.context)
          return withHeaders(request, response)
        }
        const answered = Effect.matchCauseEffect(app, {
          onSuccess: (response) => Effect.succeed(finished(response)),
          onFailure: (cause) => Effect.map(recover(cause, request, routes), finished)
        })
        return traced(request, routes, sampling, fiber, answered)
        // A middleware declares which errors it handles, and this one handles all: hence the only cast.
      }) as Effect.Effect<HttpServerResponse.HttpServerResponse, Types.unhandled>),
    { global: true }
  )
}
