/**
 * The API for callers without HTTP: the commands of this machine's operator.
 *
 * It is the API of the server, with one difference: a workspace's id replaces a key, and the creator of everything is
 * the operator. So one definition of a command serves all transports.
 */
import { Workspaces } from "@tributary/core/Workspaces"
import * as Http from "@tributary/http/Http"
import { operatorIn, TrustedCallers } from "@tributary/http/middleware/Authorization"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import { COMMAND_LINE } from "../storage/StorageOperation.ts"
import type { ApiRequest, ApiResponse } from "../storage/ApiRequest.ts"

/** Replaces the operator's token. It is not a secret, because access to the socket is protected. */
export const OPERATOR_TOKEN = "operator"

export const ADDRESS = "http://tributary"

const routes = Effect.fnUntraced(function*(baseUrl: string) {
  const workspaces = yield* Workspaces
  return yield* Http.app({
    baseUrl,
    adminToken: Option.some(Redacted.make(OPERATOR_TOKEN)),
    adminName: COMMAND_LINE.name
  }).pipe(Effect.provideService(TrustedCallers, (workspaceId) => operatorIn(workspaces, workspaceId)))
})

const requestOf = ({ authorization, body, content_type, method, path }: ApiRequest): Request =>
  new Request(`${ADDRESS}${path}`, {
    method,
    headers: { authorization, "content-type": content_type ?? "application/json" },
    ...(body === "" ? {} : { body: content_type === undefined ? body : Buffer.from(body, "base64") })
  })

const responseOf = async (response: Response): Promise<ApiResponse> => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  body: await response.text()
})

/** Created with the first request, because most servers never need it. `baseUrl` is the base of links. */
export const make = Effect.fnUntraced(function*(baseUrl: string) {
  type Services = Effect.Services<ReturnType<typeof routes>>
  const context = yield* Effect.context<Services>()
  const handler = yield* Effect.cached(
    Effect.map(
      Effect.provide(routes(baseUrl), context),
      HttpEffect.toWebHandlerWith<Services, HttpServerRequest | Scope>(context)
    )
  )
  return (request: ApiRequest) =>
    Effect.flatMap(handler, (handle) => Effect.promise(async () => responseOf(await handle(requestOf(request)))))
})
