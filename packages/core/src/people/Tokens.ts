/** Tokens: derived from a key with fewer scopes and a filter, and ended with it. They are not stored. */
import { Clock, Context, Effect, Layer } from "effect"
import { isFromFuture } from "../internal/clockSkew.ts"
import { lookUp } from "../internal/lookUp.ts"
import type { ApiKey } from "../model/ApiKey.ts"
import { AuthenticationFailed, InvalidField, PermissionDenied, type StorageUnavailable } from "../model/Error.ts"
import { ApiKeyId } from "../model/Id.ts"
import type { Principal } from "../model/Principal.ts"
import { coversAll, isNarrowed, type Scope } from "../model/Scope.ts"
import { type IssuedToken, MAX_TOKEN_SECONDS, type NewToken, type TokenFilter } from "../model/Token.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import { ApiKeyStore } from "../ports/ApiKeyStore.ts"
import { isFresh } from "../ports/lastUse.ts"
import { makeTrafficCounter } from "./keyTraffic.ts"
import { isToken, parseToken, tokenSigning } from "./tokenFormat.ts"

/** In milliseconds. */
const MAX_LIFETIME = MAX_TOKEN_SECONDS * 1_000

/** The maximum length: servers and proxies limit the size of headers. */
const MAX_LENGTH = 6_000

/** A filter restricts what is read and says nothing about writes, so a token with a filter only reads. */
const scopesOf = (wanted: NewToken, { scopes }: ApiKey): ReadonlyArray<Scope> =>
  wanted.scopes ?? (wanted.filter ? scopes.filter(isNarrowed) : scopes)

const invalid = (field: "scopes" | "filter", input: NewToken["scopes"], message: string) =>
  new InvalidField({ field, input, type: "value_error", message: `Value error, ${message}` })

export interface TokenBearer {
  readonly key: ApiKey
  readonly workspace: WorkspaceRecord
  readonly scopes: ReadonlyArray<Scope>
  readonly filter: TokenFilter | null
}

export class Tokens extends Context.Service<Tokens, {
  issue(
    by: Principal,
    token: NewToken
  ): Effect.Effect<IssuedToken, InvalidField | PermissionDenied | AuthenticationFailed | StorageUnavailable>
  /** Undefined if it is not a token, for example the secret of a key. */
  authenticate(credential: string):
    | Effect.Effect<TokenBearer, AuthenticationFailed | StorageUnavailable>
    | undefined
}>()("@tributary/core/Tokens") {
  static readonly layer = Layer.effect(
    Tokens,
    Effect.gen(function*() {
      const keys = yield* ApiKeyStore
      const count = yield* makeTrafficCounter
      const { isSigned, sign } = yield* tokenSigning

      const findKey = Effect.fnUntraced(function*(keyId: string, now: number) {
        const found = yield* lookUp(ApiKeyId, keyId, (id) => keys.findValid(id, new Date(now)))
        return yield* Effect.fromOption(found, () => new AuthenticationFailed())
      })

      const issue = Effect.fn("Tokens.issue")(function*(by: Principal, wanted: NewToken) {
        if (by.type !== "api_key") {
          return yield* new PermissionDenied({
            message: "Tokens are made from an API key: send one with this request."
          })
        }
        const now = yield* Clock.currentTimeMillis
        const { hash, key } = yield* findKey(by.id, now)
        const scopes = scopesOf(wanted, key)
        const invalidScopes = (message: string) => invalid("scopes", wanted.scopes, message)
        if (!coversAll(key.scopes, scopes)) return yield* invalidScopes("must be scopes of the key")
        if (wanted.filter && !scopes.every(isNarrowed)) return yield* invalidScopes("a token with a filter only reads")
        if (scopes.length === 0) return yield* invalidScopes("the key has no scope that reads")
        const expires_at = Math.min(now + wanted.expires_in * 1_000, key.expires_at?.getTime() ?? Infinity)
        const token = yield* sign({ key_id: key.key_id, expires_at, scopes, filter: wanted.filter ?? null }, hash)
        if (token.length > MAX_LENGTH) return yield* invalid("filter", undefined, "is too large for a token")
        return { token, expires_at: new Date(expires_at) }
      })

      const authenticated = Effect.fnUntraced(function*(token: string) {
        const now = yield* Clock.currentTimeMillis
        const parsed = yield* Effect.fromOption(parseToken(token), () => new AuthenticationFailed())
        const { claims } = parsed
        const { hash, key, workspace } = yield* findKey(claims.key_id, now)
        // One that lasts longer than a token was made before the clock was set back.
        const isTimely = claims.expires_at > now && !isFromFuture(claims.expires_at - MAX_LIFETIME, now)
        if (!isTimely || !(yield* isSigned(parsed, hash))) return yield* new AuthenticationFailed()
        // The use of a token counts as use of its key.
        if (!isFresh(key.last_used_at, new Date(now))) yield* keys.authenticate(hash, new Date(now))
        count(key.key_id, now)
        return { key, workspace, scopes: claims.scopes, filter: claims.filter }
      })

      return Tokens.of({
        issue,
        authenticate: (credential) => isToken(credential) ? authenticated(credential) : undefined
      })
    })
  )
}
