/** The operator API as an Effect service. It is a separate module, so that bundles of clients do not contain it. */
import { OperatorAuthorization } from "@tributary/http/api/Access"
import { OperatorApi } from "@tributary/http/api/OperatorApi"
import { Context, Layer } from "effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { clientMiddleware, type Options, withoutValidation } from "./transport/clientMiddleware.ts"

/** Every operation of the operator API. */
export class OperatorClient extends Context.Service<OperatorClient, HttpApiClient.ForApi<typeof OperatorApi>>()(
  "@tributary/client/OperatorClient"
) {
  /** Needs an `HttpClient`, such as `FetchHttpClient.layer`. */
  static readonly layer = (options: Options) =>
    Layer.effect(OperatorClient, HttpApiClient.make(withoutValidation(OperatorApi), { baseUrl: options.baseUrl })).pipe(
      Layer.provide(HttpApiMiddleware.layerClient(OperatorAuthorization, clientMiddleware(OperatorApi, options)))
    )
}
