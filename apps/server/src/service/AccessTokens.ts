/** Access tokens that the identity provider issues to programs: signed JWTs, verified with its published keys. */
import { AuthenticationFailed } from "@tributary/core/model/Error"
import { type AccessTokens, type Bearer, ProviderUnavailable } from "@tributary/core/ports/IdentityProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { JWTPayload, JWTVerifyGetKey } from "jose"

interface Metadata {
  readonly issuer: string
  readonly jwks_uri?: string
}

const MILLIS = 10_000

const scopesOf = ({ scope }: JWTPayload): ReadonlyArray<string> => typeof scope === "string" ? scope.split(" ") : []

/** `issuer` is where programs look for the provider's metadata, `known` that metadata. */
export const make = Effect.fnUntraced(function*(
  known: Effect.Effect<Metadata, ProviderUnavailable>,
  issuer: string
) {
  const jose = yield* Effect.promise(() => import("jose"))
  let keys: { readonly uri: string; readonly get: JWTVerifyGetKey } | undefined

  /** Fetched when a token names an unknown key, and cached by the library. */
  const keysAt = (uri: string): JWTVerifyGetKey => {
    if (keys?.uri !== uri) keys = { uri, get: jose.createRemoteJWKSet(new URL(uri), { timeoutDuration: MILLIS }) }
    return keys.get
  }

  /** An invalid token is the caller's error; a failing provider is not. */
  const toFailure = (cause: unknown) =>
    cause instanceof jose.errors.JOSEError && !(cause instanceof jose.errors.JWKSTimeout) &&
      !(cause instanceof jose.errors.JWKSInvalid)
      ? new AuthenticationFailed({ message: "The access token is not valid for this service." })
      : new ProviderUnavailable({ cause })

  const verify: AccessTokens["verify"] = Effect.fnUntraced(function*(token, audience) {
    const { issuer, jwks_uri } = yield* known
    if (jwks_uri === undefined) return yield* new ProviderUnavailable({ cause: new Error("The provider has no keys.") })
    const { payload } = yield* Effect.tryPromise({
      try: () =>
        jose.jwtVerify(Redacted.value(token), keysAt(jwks_uri), {
          issuer,
          audience,
          requiredClaims: ["sub", "exp"],
          algorithms: ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
        }),
      catch: toFailure
    })
    const bearer: Bearer = { issuer, subject: payload.sub!, scopes: scopesOf(payload) }
    return bearer
  })

  return { issuer, verify } satisfies AccessTokens
})
