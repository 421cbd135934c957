/** Signing in by OpenID Connect: the authorization code flow with PKCE, by a certified library. */
import { AuthenticationFailed } from "@tributary/core/model/Error"
import { type Identity, IdentityProvider, ProviderUnavailable } from "@tributary/core/ports/IdentityProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as OpenId from "openid-client"
import type { Settings } from "../settings/Settings.ts"
import type { Provider } from "../settings/SignInSettings.ts"
import * as AccessTokens from "./AccessTokens.ts"

const SECONDS = 10

/** State that binds the response to the browser that started signing in. */
const PendingSignIn = Schema.Struct({ state: Schema.String, nonce: Schema.String, verifier: Schema.String })

const readPending = Schema.decodeUnknownOption(Schema.fromJsonString(PendingSignIn))

const toCookie = (pending: typeof PendingSignIn.Type): string =>
  Buffer.from(JSON.stringify(pending)).toString("base64url")

const fromCookie = (kept: string) => readPending(Buffer.from(kept, "base64url").toString())

const isLoopback = ({ hostname }: URL): boolean => ["127.0.0.1", "[::1]", "localhost"].includes(hostname)

const textOf = (value: unknown): string | null => typeof value === "string" && value !== "" ? value : null

/** A provider that does not answer, or answers something else, such as an error page of its proxy. */
const PROVIDER_FAILURES: ReadonlySet<string | undefined> = new Set([
  "OAUTH_TIMEOUT",
  "OAUTH_ABORT",
  "OAUTH_PARSE_ERROR",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_RESPONSE_IS_NOT_CONFORM"
])

const unavailable = (cause: unknown) => new ProviderUnavailable({ cause })

const make = Effect.fnUntraced(function*({ clientId, clientSecret, issuer, signUp }: Provider) {
  const openId = yield* Effect.promise(() => import("openid-client"))
  const address = new URL(issuer)

  const discover = Effect.tryPromise({
    try: () =>
      openId.discovery(address, clientId, Redacted.value(clientSecret), undefined, {
        timeout: SECONDS,
        // Plain HTTP is allowed only where nobody can listen.
        ...(address.protocol === "http:" && isLoopback(address) && { execute: [openId.allowInsecureRequests] })
      }),
    catch: unavailable
  })
  // A failed discovery is retried; a successful one is cached for an hour.
  const known = yield* Effect.cachedWithTTL(discover, "1 hour")
  const configuration = known.pipe(Effect.catch(() => discover))

  /** A refusal by the provider is the user's error; a failure of the provider is not. */
  const toFailure = (error: unknown) =>
    error instanceof openId.AuthorizationResponseError || error instanceof openId.ResponseBodyError ||
      (error instanceof openId.ClientError && error.code?.startsWith("OAUTH_") === true &&
        !PROVIDER_FAILURES.has(error.code))
      ? new AuthenticationFailed({ message: "The identity provider did not confirm the sign-in." })
      : unavailable(error)

  const begin = Effect.fnUntraced(function*(returnTo: string) {
    const config = yield* configuration
    const pending = {
      state: openId.randomState(),
      nonce: openId.randomNonce(),
      verifier: openId.randomPKCECodeVerifier()
    }
    const code_challenge = yield* Effect.promise(() => openId.calculatePKCECodeChallenge(pending.verifier))
    const url = openId.buildAuthorizationUrl(config, {
      redirect_uri: returnTo,
      scope: "openid email profile",
      state: pending.state,
      nonce: pending.nonce,
      code_challenge,
      code_challenge_method: "S256"
    })
    return { url: url.href, kept: toCookie(pending) }
  })

  /** From the token itself, or else from the userinfo endpoint. */
  const claimsOf = async (config: OpenId.Configuration, returned: URL, pending: typeof PendingSignIn.Type) => {
    const tokens = await openId.authorizationCodeGrant(config, returned, {
      expectedState: pending.state,
      expectedNonce: pending.nonce,
      pkceCodeVerifier: pending.verifier,
      idTokenExpected: true
    })
    const claims = tokens.claims()!
    return "email" in claims || config.serverMetadata().userinfo_endpoint === undefined
      ? claims
      : { ...await openId.fetchUserInfo(config, tokens.access_token, claims.sub), iss: claims.iss, sub: claims.sub }
  }

  const finish = Effect.fnUntraced(function*(returned: string, kept: string) {
    const pending = fromCookie(kept)
    if (Option.isNone(pending)) return yield* new AuthenticationFailed({ message: "This sign-in began elsewhere." })
    const config = yield* configuration
    const { email, email_verified, iss, name, sub } = yield* Effect.tryPromise({
      try: () => claimsOf(config, new URL(returned), pending.value),
      catch: toFailure
    })
    const identity: Identity = {
      issuer: iss,
      subject: sub,
      email: email_verified === true ? textOf(email) : null,
      name: textOf(name)
    }
    return identity
  })

  const accessTokens = yield* AccessTokens.make(Effect.map(configuration, (config) => config.serverMetadata()), issuer)

  return { begin, finish, signUp, accessTokens }
})

/** No provider, unless the settings name one. */
export const layer = ({ provider }: Settings) =>
  provider === null ? Layer.empty : Layer.effect(IdentityProvider, make(provider))
