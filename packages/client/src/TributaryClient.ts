/**
 * The published interface as a service: every operation of the definition, with its models and its errors.
 *
 * Requests are tried again where that can do no harm, see `retrying`. Their form is judged by the service alone, so
 * that there is one verdict and one way to tell it.
 */
import { Api } from "@tributary/http/api/Api"
import { Authorization } from "@tributary/http/api/Access"
import { Context, Effect, Layer } from "effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { identified } from "./transport/identified.ts"
import { type Options, sending, unchecked } from "./transport/sending.ts"

export type { Options } from "./transport/sending.ts"

type Client = HttpApiClient.ForApi<typeof Api>

/** Wraps a method that pushes items; what it is generic in stays as it is. */
const withIds = <Method>(method: Method): Method => {
  type Request = { readonly payload: { readonly items: ReadonlyArray<{ readonly external_id?: string | null }> } }
  const push = method as (request: Request) => unknown
  const pushIdentified = (request: Request) =>
    push({ ...request, payload: { ...request.payload, items: identified(request.payload.items) } })
  return pushIdentified as Method
}

const make = Effect.fnUntraced(function*({ baseUrl }: Options) {
  const client = yield* HttpApiClient.make(unchecked(Api), { baseUrl })
  const { ingestJson, ingestText, ingestTyped } = client.ingest
  const ingest: Client["ingest"] = {
    ...client.ingest,
    ingestJson: withIds(ingestJson),
    ingestText: withIds(ingestText),
    ingestTyped
  }
  return { ...client, ingest }
})

/** Every operation of the public API: `client.GROUP.OPERATION({ params, query, payload })`. */
export class TributaryClient extends Context.Service<TributaryClient, Client>()("@tributary/client/TributaryClient") {
  /** Needs an `HttpClient`, such as `FetchHttpClient.layer`. */
  static readonly layer = (options: Options) =>
    Layer.effect(TributaryClient, make(options)).pipe(
      Layer.provide(HttpApiMiddleware.layerClient(Authorization, sending(Api, options)))
    )
}
