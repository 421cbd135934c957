/**
 * Requests to the public API from inside the server, for an authenticated caller. They take the usual route, so all
 * checks, limits, counts and records apply.
 */
import { Effect, type Option, Scope } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type Caller, OuterCaller } from "../middleware/Authorization.ts"

interface OnBehalf {
  readonly caller: Caller
  readonly requestId: string
  readonly remoteAddress: Option.Option<string>
}

/** Bound to the scope of the outer request, which outlives the inner responses. */
export const inProcessClient = (
  router: HttpRouter.HttpRouter,
  { caller, remoteAddress, requestId }: OnBehalf,
  scope: Scope.Scope
): HttpClient.HttpClient => {
  const app = router.asHttpEffect()
  return HttpClient.makeWith(
    (sent: Effect.Effect<HttpClientRequest.HttpClientRequest, HttpClientError.HttpClientError>) =>
      Effect.flatMap(sent, (request) => {
        const received = HttpServerRequest.fromClientRequest(request).modify({ url: request.url, remoteAddress })
        return Effect.matchEffect(
          app.pipe(
            Effect.provideService(HttpServerRequest.HttpServerRequest, received),
            Effect.provideService(Scope.Scope, scope),
            Effect.provideService(OuterCaller, caller)
          ),
          {
            // The router answers all failures; the rest comes from the transport.
            onFailure: (cause) =>
              Effect.fail(
                new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })
              ),
            onSuccess: (response) => Effect.succeed(HttpServerResponse.toClientResponse(response, { request }))
          }
        )
      }),
    (request: HttpClientRequest.HttpClientRequest) =>
      Effect.succeed(HttpClientRequest.setHeader(request, "x-request-id", requestId))
  )
}
