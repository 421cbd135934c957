/**
 * Makes the routes of a group from its definition and its handlers. One request goes: credential (401), scope (403),
 * form of path, query and body (422, 413, 415), handler, answer.
 *
 * The definition's schemas are applied here rather than by `HttpApiBuilder`, which stops at the first part of a request
 * that does not decode, reads bodies in ways of its own, and takes twice the frames.
 */
import { Context, Duration, Effect, type Option, type Redacted, Schema } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Abandonable, OperatorAuthorization, RequiredScope } from "./api/Access.ts"
import { authorizeCaller, authorizeOperator, type Caller } from "./middleware/Authorization.ts"
import { type Common, type Expected, respondTo, unavailable } from "./middleware/Failures.ts"
import { type Decoded, decoderOf } from "./middleware/Validation.ts"
import { encoderOf, type Reply } from "./Reply.ts"

export interface Options {
  /** The public address, without a trailing slash. */
  readonly baseUrl: string
  /** Switches the operator API on. */
  readonly adminToken: Option.Option<Redacted.Redacted>
  /** After this long, what may be abandoned is answered 503. */
  readonly requestTimeout?: Duration.Input
}

type Part<Name extends string, Type> = [Type] extends [never] ? unknown : { readonly [_ in Name]: Type }

/** What a handler gets: the decoded request and who sent it. */
type Input<Endpoint extends HttpApiEndpoint.ConstraintRequest> =
  & Part<"params", Endpoint["~Params"]["Type"]>
  & Part<"query", Endpoint["~Query"]["Type"]>
  & Part<"payload", Endpoint["~Payload"]["Type"]>
  & { readonly caller: Caller; readonly request: HttpServerRequest.HttpServerRequest }

type Handler<Endpoint extends HttpApiEndpoint.ConstraintRequest> = (input: Input<Endpoint>) => Effect.Effect<
  Endpoint["~Success"]["Type"] | Reply<Endpoint["~Success"]["Type"]>,
  Endpoint["~Error"]["Type"] | Common
>

type EndpointsOf<Group> = Extract<HttpApiGroup.Endpoints<Group>, HttpApiEndpoint.ConstraintRequest>

/** A handler for every endpoint of a group, and for no others. */
export type Handlers<Group> = {
  readonly [Endpoint in EndpointsOf<Group> as HttpApiEndpoint.Identifier<Endpoint>]: Handler<Endpoint>
}

type AnyInput = Decoded & { readonly caller: Caller; readonly request: HttpServerRequest.HttpServerRequest }
type AnyHandler = (input: AnyInput) => Effect.Effect<unknown, Expected>
type Authorize = (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Caller | void, Expected>

/** Reads may be abandoned, and so may what is marked as harmless; writes that have begun run to their end. */
const mayBeAbandoned = (endpoint: HttpApiEndpoint.Top): boolean =>
  endpoint.method === "GET" || Context.get(endpoint.annotations, Abandonable)

const routeOf = (endpoint: HttpApiEndpoint.Top, handler: AnyHandler, authorize: Authorize, options: Options) => {
  const decode = decoderOf(endpoint)
  const encode = encoderOf(endpoint)
  const abandonable = mayBeAbandoned(endpoint)
  const cursor = endpoint.method === "GET" ? ["query", "cursor"] : ["body", "cursor"]
  const limit = options.requestTimeout

  const respond = Effect.withFiber<HttpServerResponse.HttpServerResponse>((fiber) => {
    const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
    const { params } = Context.getUnsafe(fiber.context, HttpRouter.RouteContext)
    const search = Context.getUnsafe(fiber.context, HttpServerRequest.ParsedSearchParams)
    const answer = Effect.flatMap(authorize(request), (caller) =>
      Effect.flatMap(decode(request, params, search), (decoded) => {
        // Operators' handlers do not read a caller, and the types of theirs do not offer one.
        const handled = handler({ ...decoded, request, caller: caller as Caller })
        return abandonable ? handled : Effect.uninterruptible(handled)
      }))
    return Effect.catch(Effect.map(answer, encode), (error) => respondTo(error, request, options.baseUrl, cursor))
  })
  return HttpRouter.route(
    endpoint.method,
    endpoint.path as HttpRouter.PathInput,
    abandonable && limit !== undefined
      ? Effect.timeoutOrElse(respond, { duration: limit, orElse: () => Effect.succeed(unavailable()) })
      : respond
  )
}

/** Registers the routes of a group. */
export const addGroup = Effect.fnUntraced(function*<Group extends HttpApiGroup.Constraint>(
  group: Group,
  handlers: Handlers<Group>,
  options: Options
) {
  const router = yield* HttpRouter.HttpRouter
  const authorizeKey = yield* authorizeCaller
  const operator = options.adminToken
  const { endpoints } = group as unknown as HttpApiGroup.Top
  const routes = Object.values(endpoints).flatMap((endpoint) => {
    const required = Context.get(endpoint.annotations, RequiredScope)
    const operated = endpoint.middlewares.has(OperatorAuthorization as never)
    if (operated && operator._tag === "None") return []
    const authorize: Authorize = operated && operator._tag === "Some"
      ? authorizeOperator(operator.value)
      : (request) => authorizeKey(request, required)
    const handler = (handlers as Readonly<Record<string, AnyHandler>>)[endpoint.identifier]!
    return [routeOf(endpoint, handler, authorize, options)]
  })
  yield* router.addAll(routes)
})
