/** Access tokens, renewed with the refresh token of a grant (RFC 6749, section 6) and kept until they expire. */
import {
  CredentialsRefused,
  FatalFailure,
  ReplaceSecret,
  RetryableFailure,
  type SyncFailure
} from "@tributary/core/ports/Provider"
import { Effect, Option, Redacted, Schema } from "effect"
import { LruCache } from "@tributary/core/LruCache"
import { retryAfter } from "../network/retryAfter.ts"
import type { Network } from "../network/guardedAddresses.ts"
import { makeWebClient, type WebAnswer } from "../network/webClient.ts"
import { attempt } from "../steps.ts"
import { type Grant, REFRESH_TOKEN } from "./Grant.ts"

interface Token {
  readonly value: string
  readonly expiresAt: number
  /** For the next renewal. */
  readonly refreshToken: Redacted.Redacted
}

const MAX_BYTES = 262_144

/** In seconds, for servers that do not say. */
const DEFAULT_LIFETIME = 300

const MAX_KEPT = 1_000

/** Seconds before its end at which a token is renewed, since the clocks of servers differ. */
const RENEWAL_MARGIN = 60

const Granted = Schema.fromJsonString(Schema.Struct({
  access_token: Schema.NonEmptyString,
  expires_in: Schema.optionalKey(Schema.Unknown),
  refresh_token: Schema.optionalKey(Schema.NullOr(Schema.String))
}))

const Refused = Schema.fromJsonString(Schema.Struct({
  error: Schema.String.check(Schema.isPattern(/^[\x20-\x7e]{1,100}$/)),
  error_description: Schema.optionalKey(Schema.Unknown)
}))

const PASSING: ReadonlySet<string> = new Set(["temporarily_unavailable", "server_error", "slow_down"])

const textOf = ({ body }: WebAnswer): string => new TextDecoder().decode(body)

const secretsOf = ({ clientSecret, refreshToken }: Grant): ReadonlyArray<string> =>
  [refreshToken, ...clientSecret === undefined ? [] : [clientSecret]].map(Redacted.value)

/** What the server says, unless it repeats a secret. */
const described = (description: unknown, grant: Grant): string => {
  const [line = ""] = typeof description === "string" ? description.trim().split(/[\r\n]/, 1) : []
  return line === "" || secretsOf(grant).some((secret) => line.includes(secret))
    ? ""
    : ` It says: ${line.slice(0, 300)}`
}

const refusalOf = (answer: WebAnswer, grant: Grant): SyncFailure => {
  const { host } = new URL(grant.tokenUrl)
  const refused = Option.getOrUndefined(Schema.decodeOption(Refused)(textOf(answer)))
  if (refused === undefined) {
    return new FatalFailure({ message: `${host} does not answer like a token endpoint (status ${answer.status}).` })
  }
  const { error, error_description } = refused
  const said = described(error_description, grant)
  if (PASSING.has(error)) {
    const seconds = retryAfter(answer.headers.get("retry-after"))
    return new RetryableFailure({
      message: `${host} cannot renew the access at present (${error}).${said}`,
      ...(seconds === undefined ? {} : { retry_after_seconds: seconds })
    })
  }
  return new CredentialsRefused({
    message: error === "invalid_grant"
      ? `${host} has ended the access (${error}): enter a new refresh token.${said}`
      : `${host} refuses to renew the access (${error}).${said}`
  })
}

const lifetimeOf = (expiresIn: unknown): number => {
  const seconds = expiresIn === undefined || expiresIn === null ? DEFAULT_LIFETIME : Number(expiresIn)
  return Number.isFinite(seconds) ? Math.max(0, seconds - Math.min(RENEWAL_MARGIN, seconds / 2)) : DEFAULT_LIFETIME
}

const keyOf = (grant: Grant): string =>
  JSON.stringify([grant.tokenUrl, grant.clientId, grant.scope, ...secretsOf(grant)])

/** Returns an access token other than `refused`. */
export type AccessToken = (refused: string | null, signal: AbortSignal) => Promise<string>

/** For the connection of the call. Tokens are kept in memory. */
export const makeAccessTokens = (network: Network): Effect.Effect<(grant: Grant) => AccessToken> => {
  const client = makeWebClient(network)
  const kept = new LruCache<Promise<Token>>(MAX_KEPT, () => 1)

  const renew = async (grant: Grant): Promise<Token> => {
    const { clientId, clientSecret, refreshToken, scope, tokenUrl } = grant
    const answer = await client({
      url: tokenUrl,
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
      body: new URLSearchParams({
        grant_type: "refresh_token",
        refresh_token: Redacted.value(refreshToken),
        client_id: clientId,
        ...(clientSecret === undefined ? {} : { client_secret: Redacted.value(clientSecret) }),
        ...(scope === undefined ? {} : { scope })
      }).toString(),
      // Elsewhere, nobody may see the secrets.
      redirect: "manual",
      accepts: [400, 401, 403],
      maxBytes: MAX_BYTES,
      // Nobody's: the server may replace the refresh token, which is lost with the answer.
      signal: new AbortController().signal
    })
    const granted = answer.status === 200 ? Schema.decodeOption(Granted)(textOf(answer)) : Option.none()
    if (Option.isNone(granted)) throw refusalOf(answer, grant)
    const { access_token: value, expires_in, refresh_token } = granted.value
    return {
      value,
      expiresAt: Date.now() + lifetimeOf(expires_in) * 1_000,
      refreshToken: refresh_token ? Redacted.make(refresh_token) : refreshToken
    }
  }

  /** One request at a time for a refresh token, which may be valid only once. */
  const tokenOf = async (grant: Grant, refused: string | null): Promise<Token> => {
    const key = keyOf(grant)
    for (;;) {
      const pending = kept.get(key)
      const token = await pending
      if (token !== undefined && token.value !== refused && token.expiresAt > Date.now()) return token
      if (kept.get(key) !== pending) continue
      const renewed = renew(grant)
      kept.set(key, renewed)
      try {
        const token = await renewed
        kept.set(keyOf({ ...grant, refreshToken: token.refreshToken }), renewed)
        return token
      } catch (error) {
        kept.delete(key)
        throw error
      }
    }
  }

  return Effect.gen(function*() {
    const replace = yield* ReplaceSecret
    const run = Effect.runPromiseWith(yield* Effect.context<never>())
    return (grant) => (refused, signal) =>
      run(
        replace(REFRESH_TOKEN, grant.refreshToken, (refreshToken) =>
          Effect.map(
            attempt(() => tokenOf({ ...grant, refreshToken }, refused)),
            (token) => [token.value, token.refreshToken] as const
          )),
        { signal }
      )
  })
}
