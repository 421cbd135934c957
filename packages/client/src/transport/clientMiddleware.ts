/** Sends the operations of a definition with the credential and retries; the service validates them. */
import { Context, Effect, type Redacted } from "effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { Limited } from "@tributary/http/api/Access"
import { operationsOf } from "@tributary/http/api/operationsOf"
import { checkNumbers } from "@tributary/core/model/NumberRule"
import { checkNames, type Names } from "../optionNames.ts"
import * as Policy from "../Policy.ts"
import { RequestContext } from "./RequestContext.ts"
import { withRetries } from "./withRetries.ts"

export interface Options {
  /** The address of the service, such as `https://knowledge.example.com`. */
  readonly baseUrl: string | URL
  /** A key of a workspace; for the operator's client, the operator's token. */
  readonly apiKey: Redacted.Redacted
  readonly policy?: Partial<Policy.Policy>
}

const OPTIONS: Names<Options> = { baseUrl: true, apiKey: true, policy: true }

/** The service would never see a field that is not of the definition, so it is refused here. */
const UNCHECKED = { disableChecks: true, errors: "all", onExcessProperty: "error" } as const

const unchecked = (endpoint: HttpApiEndpoint.Top) =>
  endpoint
    .annotate(HttpApi.PayloadParseOptions, {
      ...UNCHECKED,
      // Some operations ignore unknown fields.
      ...Context.getOrUndefined(endpoint.annotations, HttpApi.PayloadParseOptions)
    })
    .annotate(HttpApi.QueryParseOptions, UNCHECKED)

/** The same definition without validation of values. */
export const withoutValidation = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): HttpApi.HttpApi<Id, Groups> => {
  const groups = Object.values(api.groups as unknown as Readonly<Record<string, HttpApiGroup.Top>>).map((group) =>
    group.add(...Object.values(group.endpoints).map(unchecked) as [HttpApiEndpoint.Top])
  )
  return HttpApi.make(api.identifier).add(...groups as [HttpApiGroup.Top]) as unknown as HttpApi.HttpApi<Id, Groups>
}

/** The operations that make something under an id that the service chooses: sent twice, they make two. */
const creating = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlySet<string> =>
  new Set(operationsOf(api).filter(({ successes }) => successes.has(201)).map(({ endpoint }) => endpoint.identifier))

/** A language model may take minutes, and would be asked again. */
const isQuestion = ({ annotations }: HttpApiEndpoint.Top): boolean => Context.get(annotations, Limited) === "ask"

/** The middleware of every request of a client: credential, headers, retries. */
export const clientMiddleware = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  options: Options
) => {
  checkNames(OPTIONS, options)
  checkNames(Policy.NAMES, options.policy ?? {}, "policy.")
  const creates = creating(api)
  const policy = { ...Policy.DEFAULT, ...options.policy }
  checkNumbers({ ...Policy.TIME_RULES, ...Policy.RETRY_RULES }, Policy.limitsOf(policy))
  const send: HttpApiMiddleware.HttpApiMiddlewareClient<never, never, never> = Effect.fnUntraced(
    function*({ endpoint, next, request }) {
      const { apiKey, headers, lastResponse } = yield* RequestContext
      const authorized = HttpClientRequest.bearerToken(request, apiKey ?? options.apiKey).pipe(
        HttpClientRequest.setHeaders(headers)
      )
      const limits = Policy.limitsOf({ ...policy, ...(yield* Policy.Override) })
      const operation = { creates: creates.has(endpoint.identifier), isLong: isQuestion(endpoint) }
      return yield* withRetries(authorized, next(authorized), operation, limits, lastResponse)
    }
  )
  return send
}
