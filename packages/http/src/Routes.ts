/**
 * Builds the routes of a group from its definition and its handlers. The order for a request is: credential (401),
 * scope (403), validation of path, query and body (422, 413, 415), rate window (429), handler, response.
 *
 * The schemas are applied here rather than by `HttpApiBuilder`, which stops at the first invalid part of a request,
 * reads bodies differently, and needs twice the stack frames.
 */
import { Kinds } from "@tributary/core/Kinds"
import type { KindCatalogue } from "@tributary/core/model/KindCatalogue"
import { ClientAddress } from "@tributary/core/AuditLog"
import type { OperatorScope } from "@tributary/core/model/Operator"
import { HeadPlace, RequestHead } from "@tributary/core/ports/RequestHead"
import { Context, type Duration, Effect, Option, type Redacted, type Scope } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Abandonable, Limited, ReadsHead, RequiredOperatorScope, RequiredScope, TokenAccess } from "./api/Access.ts"
import { BodyLimit } from "./api/BodyLimit.ts"
import { type Operation, operationsOf } from "./api/operationsOf.ts"
import { StreamedEvents } from "./api/StreamedEvents.ts"
import type { AllHandlers } from "./handlers/Handlers.ts"
import type { LoadMcp } from "./mcp/McpEndpoint.ts"
import type { Authorization, Caller } from "./middleware/Authorization.ts"
import { makeBodyGate } from "./middleware/BodyGate.ts"
import { type Expected, noSuchPath, respondTo, unavailable } from "./response/Failures.ts"
import { withTokenFilter } from "./middleware/TokenFilter.ts"
import { hasEmptySegment, isCutShort } from "./middleware/RouteTable.ts"
import { makeLargeAnswers } from "./middleware/LargeAnswers.ts"
import { makeOpenStreams } from "./middleware/OpenStreams.ts"
import { spending } from "./middleware/RateWindow.ts"
import { measuredPath, setRoute } from "./middleware/RequestMetrics.ts"
import { type Decoded, decoderOf, type Query } from "./middleware/Validation.ts"
import { wantsEvents } from "./response/Accept.ts"
import { Reply } from "./response/Reply.ts"
import { responderOf } from "./response/Responder.ts"

export interface Options {
  /** The public address, without a trailing slash. */
  readonly baseUrl: string
  /** Enables the operator API; without it, its paths do not exist. */
  readonly adminToken: Option.Option<Redacted.Redacted>
  /** The name of that token's owner in the log of operators. */
  readonly adminName?: string
  /** Whether `/metrics` exists, without a credential. Default: true. */
  readonly metrics?: boolean | undefined
  /** Enables `/mcp`: `() => import("@tributary/mcp/HttpEndpoint")`, called with its first request. */
  readonly mcp?: LoadMcp | undefined
  /** Requests that may be interrupted get 503 after this time. */
  readonly requestTimeout?: Duration.Input
  /** Completes when the host starts to stop. Open event streams then end; other requests are finished. */
  readonly shutdown?: Effect.Effect<void>
}

type Request = HttpServerRequest.HttpServerRequest
type AnyInput = Decoded & { readonly caller: Caller; readonly request: Request }
type AnyHandler = (input: AnyInput) => Effect.Effect<unknown, Expected>
type Authorize = (request: Request) => ReturnType<Authorization<unknown>>

/**
 * Runs an operation with its origin, which is recorded with what it does, and a place for the head if it reads that. In
 * one step, because every request takes it.
 */
const withOrigin = <A, E, R>(
  operation: Effect.Effect<A, E, R>,
  { remoteAddress }: Request,
  readsHead: boolean
): Effect.Effect<A, E, R> =>
  Effect.updateContext(operation, (context: Context.Context<R>) => {
    const from = Context.add(context, ClientAddress, Option.getOrNull(remoteAddress))
    return readsHead ? Context.add(from, RequestHead, new HeadPlace()) : from
  })

const NO_SUCH_PATH = Effect.succeed(noSuchPath())

/** Limits per caller over all operations of all APIs. */
export const makeGates = () => ({ answers: makeLargeAnswers(), bodies: makeBodyGate(), streams: makeOpenStreams() })
export type Gates = ReturnType<typeof makeGates>

/** What all routes of an API share. */
interface Shared {
  readonly spend: Effect.Success<typeof spending>
  readonly gates: Gates
  readonly kinds: KindCatalogue
  readonly options: Options
}

type Endpoint = Operation["endpoint"]

/** Reads may be interrupted, and writes that are marked as harmless; other writes run to their end. */
const isAbandonable = ({ annotations, method }: Endpoint): boolean =>
  method === "GET" || Context.get(annotations, Abandonable)

/**
 * Reads, validates and handles the requests of authorized callers. What depends on the endpoint alone is read here once;
 * a request runs only the function that is returned.
 */
const answering = (endpoint: Endpoint, handler: AnyHandler, { gates, kinds, spend }: Shared) => {
  const { annotations } = endpoint
  const limited = Context.get(annotations, Limited)
  const bodyLimit = Context.get(annotations, BodyLimit)
  const mayStream = Context.get(annotations, StreamedEvents) !== null
  const tokenAccess = Context.get(annotations, TokenAccess)
  const abandonable = isAbandonable(endpoint)
  const { takesBody, read, validate } = decoderOf(endpoint, kinds)

  const handle = (input: AnyInput) => {
    const { caller, request } = input
    const handled = limited === null ? handler(input) : spend(request, caller.workspace, limited, handler(input))
    const answered = mayStream && wantsEvents(request) ? gates.streams(caller, handled) : handled
    return abandonable ? answered : Effect.uninterruptible(answered)
  }

  return (request: Request, params: unknown, search: Query, caller: Caller) => {
    const work = (raw: unknown) =>
      Effect.flatMapEager(validate(raw, params, search, request), (decoded) => handle({ ...decoded, request, caller }))
    const worked = takesBody
      ? gates.bodies.take(request, bodyLimit, caller, { read: read(request), work })
      : Effect.flatMapEager(read(request), work)
    const token = caller?.token
    return token === undefined ? worked : withTokenFilter(token, tokenAccess, worked)
  }
}

const routeOf = (operation: Operation, handler: AnyHandler, authorize: Authorize, shared: Shared) => {
  const { endpoint } = operation
  const { annotations, method, path } = endpoint
  const { gates, options } = shared
  // What is done is answered as such, however large the answer is.
  const isRefusable = isAbandonable(endpoint)
  const answer = answering(endpoint, handler, shared)
  const readsHead = Context.get(annotations, ReadsHead)
  const measured = measuredPath(path)
  const respondWith = responderOf(operation, authorize, options)
  const limit = options.requestTimeout

  const respond = Effect.withFiber<HttpServerResponse.HttpServerResponse, never, Scope.Scope>((fiber) => {
    const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
    const { params } = Context.getUnsafe(fiber.context, HttpRouter.RouteContext)
    setRoute(request, measured)
    if (hasEmptySegment(params) || isCutShort(request.url)) return NO_SUCH_PATH
    const search = Context.getUnsafe(fiber.context, HttpServerRequest.ParsedSearchParams)
    // Operators and console sessions do without what is read of a caller here.
    const answered = Effect.flatMap(authorize(request), (caller) => answer(request, params, search, caller as Caller))
    return Effect.matchEffect(withOrigin(answered, request, readsHead), {
      onSuccess: (given) => {
        const response = respondWith(Reply.of(given), request, fiber.context)
        return isRefusable ? gates.answers(request, response) : Effect.succeed(response)
      },
      onFailure: (error) => respondTo(error, request, options.baseUrl, search["cursor"])
    })
  })
  return HttpRouter.route(
    method as "GET",
    path as HttpRouter.PathInput,
    limit !== undefined && isRefusable
      ? Effect.timeoutOrElse(respond, { duration: limit, orElse: () => Effect.succeed(unavailable()) })
      : respond
  )
}

export const addRoutes = Effect.fnUntraced(function*<Id extends string, Groups extends HttpApiGroup.Constraint, Who>(
  api: HttpApi.HttpApi<Id, Groups>,
  handlers: AllHandlers<HttpApi.HttpApi<Id, Groups>["groups"], Who>,
  authorization: (
    ...call: [...Parameters<Authorization<Who>>, operator: OperatorScope | null]
  ) => ReturnType<Authorization<Who>>,
  gates: Gates,
  options: Options
) {
  const router = yield* HttpRouter.HttpRouter
  const shared = { spend: yield* spending, gates, kinds: yield* Kinds, options }
  // Handlers accept the callers that the API's authorization produces.
  const byGroup = handlers as unknown as Readonly<Record<string, Readonly<Record<string, AnyHandler>>>>
  yield* router.addAll(
    operationsOf(api).map((operation) => {
      const { annotations, identifier } = operation.endpoint
      const required = Context.get(annotations, RequiredScope)
      const operator = Context.get(annotations, RequiredOperatorScope)
      const handler = byGroup[operation.group]![identifier]!
      const authorize: Authorize = (request) => authorization(request, required, operator)
      return routeOf(operation, handler, authorize, shared)
    })
  )
})
