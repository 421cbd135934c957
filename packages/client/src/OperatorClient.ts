/** The operator's interface as a service. It has a module of its own, so that bundles of clients leave it out. */
import { OperatorAuthorization } from "@tributary/http/api/Access"
import { OperatorApi } from "@tributary/http/api/OperatorApi"
import { Context, Layer } from "effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { type Options, sending, unchecked } from "./transport/sending.ts"

/** Every operation of the operator API. */
export class OperatorClient extends Context.Service<OperatorClient, HttpApiClient.ForApi<typeof OperatorApi>>()(
  "@tributary/client/OperatorClient"
) {
  /** Needs an `HttpClient`, such as `FetchHttpClient.layer`. */
  static readonly layer = (options: Options) =>
    Layer.effect(OperatorClient, HttpApiClient.make(unchecked(OperatorApi), { baseUrl: options.baseUrl })).pipe(
      Layer.provide(HttpApiMiddleware.layerClient(OperatorAuthorization, sending(OperatorApi, options)))
    )
}
