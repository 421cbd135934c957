/**
 * The public API as an Effect service: every operation of the definition, with its models and errors.
 *
 * Requests are retried if that is safe, see `retrying`. Only the server validates them, so that validation errors have
 * one form.
 */
import { Api } from "@tributary/http/api/Api"
import { Authorization } from "@tributary/http/api/Access"
import { Context, Effect, Layer } from "effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { withItemIds } from "./transport/withItemIds.ts"
import { clientMiddleware, type Options, withoutValidation } from "./transport/clientMiddleware.ts"

export type { Options } from "./transport/clientMiddleware.ts"

type Client = HttpApiClient.ForApi<typeof Api>

/** Wraps a method that pushes items and keeps its type parameters. */
const withIds = <Method>(method: Method): Method => {
  type Request = { readonly payload: { readonly items: ReadonlyArray<{ readonly external_id?: string | null }> } }
  const push = method as (request: Request) => unknown
  const pushIdentified = (request: Request) =>
    push({ ...request, payload: { ...request.payload, items: withItemIds(request.payload.items) } })
  return pushIdentified as Method
}

const make = Effect.fnUntraced(function*({ baseUrl }: Options) {
  const client = yield* HttpApiClient.make(withoutValidation(Api), { baseUrl })
  const { ingest } = client
  return {
    ...client,
    ingest: { ...ingest, ingestJson: withIds(ingest.ingestJson), ingestText: withIds(ingest.ingestText) }
  }
})

/** Every operation of the public API: `client.GROUP.OPERATION({ params, query, payload })`. */
export class TributaryClient extends Context.Service<TributaryClient, Client>()("@tributary/client/TributaryClient") {
  /** Needs an `HttpClient`, such as `FetchHttpClient.layer`. */
  static readonly layer = (options: Options) =>
    Layer.effect(TributaryClient, make(options)).pipe(
      Layer.provide(HttpApiMiddleware.layerClient(Authorization, clientMiddleware(Api, options)))
    )
}
