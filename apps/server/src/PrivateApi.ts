/**
 * The API for whoever may reach this process without HTTP: the commands of this machine's operator.
 *
 * It is the API of the server, with one difference: a workspace's id stands in for a key, and what is made is made by
 * the operator. So one definition of a command serves all the ways that it can be sent.
 */
import { ApiKeys } from "@tributary/core/ApiKeys"
import { Connectors } from "@tributary/core/Connectors"
import type { ApiKey } from "@tributary/core/model/ApiKey"
import { AuthenticationFailed } from "@tributary/core/model/Error"
import { ApiKeyId } from "@tributary/core/model/Id"
import { OPERATOR } from "@tributary/core/model/Principal"
import { Workspaces } from "@tributary/core/Workspaces"
import * as Http from "@tributary/http/Http"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import type { Answered, Exchange, Sent } from "./Exchange.ts"

/** In place of the operator's token. It is no secret: the way here is what is guarded. */
export const OPERATOR_TOKEN = "operator"

export const ADDRESS = "http://tributary"

const everything: ApiKey = {
  key_id: ApiKeyId.make("00000000-0000-0000-0000-000000000000"),
  name: "Operator",
  hint: "",
  scopes: ["api:read", "api:write"],
  created_at: new Date(0),
  created_by: OPERATOR,
  last_used_at: null,
  expires_at: null,
  revoked_at: null
}

const routes = Effect.gen(function*() {
  const connectors = yield* Connectors
  const keys = yield* ApiKeys
  const workspaces = yield* Workspaces
  const authenticate: ApiKeys["Service"]["authenticate"] = (workspaceId) =>
    workspaces.find(Redacted.value(workspaceId)).pipe(
      Effect.map((workspace) => ({ key: everything, workspace })),
      Effect.catchTag("not_found", () => Effect.fail(new AuthenticationFailed()))
    )
  return yield* Http.app({ baseUrl: ADDRESS, adminToken: Option.some(Redacted.make(OPERATOR_TOKEN)) }).pipe(
    Effect.provideService(ApiKeys, { ...keys, authenticate }),
    Effect.provideService(Connectors, {
      ...connectors,
      create: (workspaceId, connector) => connectors.create(workspaceId, connector, OPERATOR)
    })
  )
})

const requestOf = ({ authorization, body, method, path }: Sent): Request =>
  new Request(`${ADDRESS}${path}`, {
    method,
    headers: { authorization, "content-type": "application/json" },
    ...(body === "" ? {} : { body })
  })

const answeredBy = async (response: Response): Promise<Answered> => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  body: await response.text()
})

/** Made at the first request: a server that nobody commands does without it. */
export const make = Effect.gen(function*() {
  const context = yield* Effect.context<Effect.Services<typeof routes>>()
  const handler = yield* Effect.cached(
    Effect.map(
      Effect.provide(routes, context),
      HttpEffect.toWebHandlerWith<Effect.Services<typeof routes>, HttpServerRequest | Scope>(context)
    )
  )
  const exchange: Exchange = (sent) =>
    Effect.flatMap(handler, (handle) => Effect.promise(async () => answeredBy(await handle(requestOf(sent)))))
  return exchange
})
