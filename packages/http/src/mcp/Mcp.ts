/**
 * `POST /mcp`: the workspace as tools for assistants. This file handles HTTP: origin, caller, size and depth. The
 * endpoint that the host provides handles the message, with tools that are requests of this API.
 */
import { covers } from "@tributary/core/model/Scope"
import { PermissionDenied } from "@tributary/core/model/Error"
import { Effect, FiberSet, Result } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { ITEMS, QUESTION } from "../api/BodyLimit.ts"
import { PayloadTooLargeError, ValidationError } from "../api/ErrorBody.ts"
import type { byApiKey, Caller } from "../middleware/Authorization.ts"
import { bySignIn } from "./SignIn.ts"
import { type Expected, respondTo } from "../response/Failures.ts"
import { JSON_BODY, parseBody } from "../body/JsonBody.ts"
import { readBytes } from "../body/RequestBytes.ts"
import { inSlices } from "@tributary/core/Slices"
import { requestId } from "../middleware/RequestId.ts"
import { measuredPath, setRoute } from "../middleware/RequestMetrics.ts"
import type { Gates } from "../Routes.ts"
import { inProcessClient } from "./InternalClient.ts"
import type { LoadMcp, McpEndpoint } from "./McpEndpoint.ts"

const PATH = "/mcp"
const MEASURED = measuredPath(PATH)

/** For callers that cannot add documents: their tools take a question and its filters. */
const limitFor = ({ scopes }: Caller): number => covers(scopes, "custom_connectors:ingest") ? ITEMS : QUESTION

/** Pages of other sites must not reach a local server. Programs send no Origin. */
const isForeign = ({ headers }: HttpServerRequest.HttpServerRequest, baseUrl: string): boolean =>
  headers["origin"] !== undefined && headers["origin"] !== new URL(baseUrl).origin

const NOT_JSON = HttpServerResponse.jsonUnsafe(
  {
    jsonrpc: "2.0",
    id: null,
    error: { code: -32700, message: "The body is not JSON, or is nested too deeply." }
  },
  { status: 400 }
)

/** A message, and the number of its bytes. */
const messageOf = Effect.fnUntraced(function*(raw: Uint8Array) {
  const parsed = yield* inSlices(parseBody(raw))
  if (Result.isSuccess(parsed)) return { bytes: raw.length, value: parsed.success.value }
  const { failure } = parsed
  return yield* failure instanceof PayloadTooLargeError ? failure : new ValidationError({ detail: [failure] })
})

/** Answers a caller until the response is sent or the client disconnects, which interrupts the work. */
const respond = Effect.fnUntraced(function*(
  router: HttpRouter.HttpRouter,
  endpoint: McpEndpoint,
  caller: Caller,
  refused: Effect.Effect<void>,
  body: unknown
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const scope = yield* Effect.scope
  const controller = new AbortController()
  const { remoteAddress } = request
  const run = yield* FiberSet.makeRuntimePromise<HttpClient.HttpClient>().pipe(
    Effect.provideService(
      HttpClient.HttpClient,
      inProcessClient(router, { caller, remoteAddress, requestId: requestId(request) }, scope)
    )
  )
  yield* Effect.addFinalizer(() => Effect.sync(() => controller.abort()))
  const { "content-length": _length, ...headers } = request.headers
  const response = yield* Effect.promise(() =>
    endpoint.handle({
      request: new Request(new URL(PATH, "http://tributary.internal"), {
        method: "POST",
        headers: Object.entries(headers),
        signal: controller.signal
      }),
      body,
      session: { scopes: caller.scopes, run, refused },
      client: `${caller.workspace.workspace_id} ${caller.principal.type} ${caller.principal.id}`,
      controller
    })
  )
  return HttpServerResponse.fromWeb(response)
})

export const addRoutes = Effect.fnUntraced(function*(
  load: LoadMcp,
  byKey: Effect.Success<typeof byApiKey>,
  baseUrl: string,
  { bodies }: Gates
) {
  const router = yield* HttpRouter.HttpRouter
  const { authorize, challenged } = yield* bySignIn(byKey, baseUrl, PATH)
  // With the first request, because most servers start without an assistant.
  const loaded = yield* Effect.cached(Effect.promise(async () => new (await load()).HttpEndpoint()))

  const handle = Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    setRoute(request, MEASURED)
    if (isForeign(request, baseUrl)) return yield* new PermissionDenied({ message: "The Origin is foreign." })
    const caller = yield* authorize(request)
    const limit = limitFor(caller)
    const { bytes, value } = yield* bodies.take(request, limit, caller, {
      read: readBytes(request, JSON_BODY, limit),
      work: messageOf
    })
    const endpoint = yield* loaded
    const refused = bodies.refuse(request, caller, bytes)
    return yield* respond(router, endpoint, caller, refused, value)
  })

  const refuse = (error: Expected) =>
    Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      (request) => Effect.map(respondTo(error, request, baseUrl, undefined), challenged)
    )

  yield* router.add(
    "POST",
    PATH,
    handle.pipe(
      Effect.catchTag("validation_error", () => Effect.succeed(NOT_JSON)),
      Effect.catch(refuse)
    )
  )
})
