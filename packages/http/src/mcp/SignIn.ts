/**
 * `/mcp` as a protected resource of OAuth 2.1, if the host has an identity provider that issues access tokens: a caller
 * without a credential learns where to get one (RFC 9728), and a token must be issued for this endpoint (RFC 8707).
 * API keys always work.
 */
import { Overloaded } from "@tributary/core/model/Error"
import { SignedInPrograms } from "@tributary/core/SignedInPrograms"
import { Effect, Option, Redacted } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { admit, bearerToken, type byApiKey } from "../middleware/Authorization.ts"

const silent = Effect.fail(new Overloaded({ message: "The identity provider does not answer." }))

/** Header, claims and signature. */
const isSignedToken = (credential: string): boolean => /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/.test(credential)

const workspaceIn = ({ url }: HttpServerRequest): string | null =>
  new URL(url, "http://tributary.internal").searchParams.get("workspace")

const metadata = (issuer: string, resource: string) =>
  HttpServerResponse.jsonUnsafe({
    resource,
    authorization_servers: [issuer],
    bearer_methods_supported: ["header"],
    // Some providers refuse a request without a scope, and all of them know this one.
    scopes_supported: ["openid"],
    resource_name: "Tributary"
  })

/** The address of the endpoint is the audience of tokens. The metadata is beside it, where a proxy finds it as well. */
export const bySignIn = Effect.fnUntraced(function*(
  byKey: Effect.Success<typeof byApiKey>,
  baseUrl: string,
  path: HttpRouter.PathInput
) {
  const programs = Option.getOrNull(yield* Effect.serviceOption(SignedInPrograms))
  if (programs === null || programs.issuer === null) {
    return {
      authorize: (request: HttpServerRequest) => byKey(request, []),
      challenged: (response: HttpServerResponse.HttpServerResponse) => response
    }
  }

  const resource = `${baseUrl}${path}`
  const about = `/.well-known/oauth-protected-resource${path}` as const
  const router = yield* HttpRouter.HttpRouter
  yield* router.add("GET", about, metadata(programs.issuer, resource))

  const bySignedToken = Effect.fnUntraced(function*(token: string, request: HttpServerRequest) {
    const program = yield* programs.authenticate(Redacted.make(token), resource, workspaceIn(request)).pipe(
      Effect.catchTag(
        "ProviderUnavailable",
        (cause) => Effect.andThen(Effect.logError("the identity provider is unavailable", cause), silent)
      )
    )
    return yield* admit(program, [])
  })

  const authorize = (request: HttpServerRequest) => {
    const token = bearerToken(request)
    return token !== undefined && isSignedToken(token) ? bySignedToken(token, request) : byKey(request, [])
  }

  const challenge = `Bearer resource_metadata="${baseUrl}${about}"`
  const challenged = (response: HttpServerResponse.HttpServerResponse) =>
    response.status === 401 ? HttpServerResponse.setHeader(response, "www-authenticate", challenge) : response

  return { authorize, challenged }
})
