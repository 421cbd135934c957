/**
 * The published interface as a service: every operation of the definition, with its models and its errors.
 *
 * Requests are tried again where that can do no harm, see `retrying`. Their form is judged by the service alone, so
 * that there is one verdict and one way to tell it.
 */
import { Api, OperatorApi } from "@tributary/http/api/Api"
import { Authorization, OperatorAuthorization } from "@tributary/http/api/Access"
import { Context, Effect, Layer, type Redacted } from "effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { Credential } from "./Credential.ts"
import { identified } from "./identified.ts"
import * as Policy from "./Policy.ts"
import { retrying } from "./retrying.ts"
import { RequestHeaders } from "./streaming.ts"

export interface Options {
  /** Where the service is, such as `https://knowledge.example.com`. */
  readonly baseUrl: string | URL
  /** A key of a workspace; for the operator's client, the operator's token. */
  readonly apiKey: Redacted.Redacted
  readonly policy?: Partial<Policy.Policy>
}

const UNCHECKED = { disableChecks: true, errors: "all" } as const

/** The same definition with nothing judged before it is sent. */
const unchecked = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): HttpApi.HttpApi<Id, Groups> => {
  const groups = Object.values(api.groups as unknown as Readonly<Record<string, HttpApiGroup.Top>>).map((group) =>
    group
      .annotateEndpoints(HttpApi.PayloadParseOptions, UNCHECKED)
      .annotateEndpoints(HttpApi.QueryParseOptions, UNCHECKED)
  )
  return HttpApi.make(api.identifier).add(...groups as [HttpApiGroup.Top]) as unknown as HttpApi.HttpApi<Id, Groups>
}

/** The operations that make something under an id that the service chooses: sent twice, they make two. */
const creating = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlySet<string> => {
  const names = new Set<string>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, successes }) => {
      if (successes.has(201)) names.add(endpoint.identifier)
    }
  })
  return names
}

const sending = ({ apiKey, policy: given }: Options, creates: ReadonlySet<string>) => {
  const policy = { ...Policy.DEFAULT, ...given }
  const send: HttpApiMiddleware.HttpApiMiddlewareClient<never, never, never> = Effect.fnUntraced(
    function*({ endpoint, next, request }) {
      const authorized = HttpClientRequest.bearerToken(request, (yield* Credential) ?? apiKey).pipe(
        HttpClientRequest.setHeaders(yield* RequestHeaders)
      )
      const limits = Policy.limitsOf({ ...policy, ...(yield* Policy.Override) })
      return yield* retrying(authorized, next(authorized), creates.has(endpoint.identifier), limits)
    }
  )
  return send
}

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
      Layer.provide(HttpApiMiddleware.layerClient(Authorization, sending(options, creating(Api))))
    )
}

/** Every operation of the operator API. */
export class OperatorClient extends Context.Service<OperatorClient, HttpApiClient.ForApi<typeof OperatorApi>>()(
  "@tributary/client/OperatorClient"
) {
  static readonly layer = (options: Options) =>
    Layer.effect(OperatorClient, HttpApiClient.make(unchecked(OperatorApi), { baseUrl: options.baseUrl })).pipe(
      Layer.provide(HttpApiMiddleware.layerClient(OperatorAuthorization, sending(options, creating(OperatorApi))))
    )
}
