/**
 * Who is calling, and may they? The key comes from exactly one Authorization header; what it must be able to do is
 * written beside the path of each operation.
 */
import { ApiKeys } from "@tributary/core/ApiKeys"
import {
  AuthenticationFailed,
  InsufficientScopes,
  PermissionDenied,
  type RateLimitExceeded,
  type StorageUnavailable
} from "@tributary/core/model/Error"
import type { Principal } from "@tributary/core/model/Principal"
import { covers, type FineScope, type Scope } from "@tributary/core/model/Scope"
import type { TokenFilter } from "@tributary/core/model/Token"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import { Tokens } from "@tributary/core/Tokens"
import { Context, Effect, Redacted } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { setWorkspace } from "./RequestMetrics.ts"

/** The one who sent the request, as its API key tells. */
export interface Caller {
  readonly workspace: WorkspaceRecord
  readonly principal: Principal
  readonly scopes: ReadonlyArray<Scope>
  /** When its key expires; absent where there is no key. */
  readonly expires_at?: Date | null
  /** What it came with in the place of a key. */
  readonly token?: { readonly filter: TokenFilter | null }
  /** One of `TrustedCallers`: the host's users are not the people who sign in here. */
  readonly isHosted?: boolean
}

const BEARER = /^bearer +([^\s,]+)$/i

const isAuthorization = (name: string): boolean => name.length === 13 && name.toLowerCase() === "authorization"

// Node keeps the first of several headers; only the raw ones, names and values in turn, show that there were more.
const severalSent = (request: HttpServerRequest): boolean => {
  const { rawHeaders = [] } = request.source as { readonly rawHeaders?: ReadonlyArray<string> }
  let sent = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (isAuthorization(rawHeaders[at]!)) sent++
  return sent > 1
}

export const bearerToken = (request: HttpServerRequest): string | undefined => {
  const header = request.headers["authorization"]
  if (header === undefined || severalSent(request)) return undefined
  return BEARER.exec(header.trim())?.[1]
}

/** Fails unless the key has one of the scopes; names the first, which is the one for what clients push. */
export const requireScope = (
  scopes: ReadonlyArray<Scope>,
  required: ReadonlyArray<FineScope>
): Effect.Effect<void, InsufficientScopes> =>
  required.length === 0 || required.some((scope) => covers(scopes, scope))
    ? Effect.void
    : Effect.fail(new InsufficientScopes({ details: { missing_scopes: required.slice(0, 1) } }))

/** Lets a request pass, and says on whose behalf it is sent where that matters. */
export type Authorization<Who = Caller> = (
  request: HttpServerRequest,
  required: ReadonlyArray<FineScope>
) => Effect.Effect<
  Who | undefined,
  AuthenticationFailed | PermissionDenied | InsufficientScopes | RateLimitExceeded | StorageUnavailable
>

/**
 * Callers that the host vouches for, by credentials that it makes up itself; `undefined` for a credential that is not
 * one of those. Unless the host provides this, there are no such callers, and nothing but a key is let in.
 */
export const TrustedCallers = Context.Reference<
  (credential: string) => Effect.Effect<Caller, AuthenticationFailed | StorageUnavailable> | undefined
>("@tributary/http/TrustedCallers", { defaultValue: () => () => undefined })

/** The caller of a request that the server sends to itself: its credential was judged with the request that led to it. */
export const Vouched = Context.Reference<Caller | null>("@tributary/http/Vouched", { defaultValue: () => null })

export const admit = (
  caller: Caller,
  required: ReadonlyArray<FineScope>
): Effect.Effect<Caller, PermissionDenied | InsufficientScopes> =>
  caller.workspace.suspended
    ? Effect.fail(new PermissionDenied({}))
    : Effect.as(requireScope(caller.scopes, required), caller)

/** For the public API: an API key, or a token that one has made. */
export const byApiKey = Effect.gen(function*() {
  const keys = yield* ApiKeys
  const tokens = yield* Tokens
  const trusted = yield* TrustedCallers

  const byKey = (token: string) =>
    Effect.map(keys.authenticate(Redacted.make(token)), ({ key, workspace }): Caller => ({
      workspace,
      principal: { type: "api_key", id: key.key_id },
      scopes: key.scopes,
      expires_at: key.expires_at
    }))

  const byToken = (token: string) => {
    const authenticated = tokens.authenticate(Redacted.make(token))
    return authenticated && Effect.map(authenticated, ({ filter, key, scopes, workspace }): Caller => ({
      workspace,
      principal: { type: "api_key", id: key.key_id },
      scopes,
      token: { filter }
    }))
  }

  const byHost = (token: string) => {
    const vouchedFor = trusted(token)
    return vouchedFor && Effect.map(vouchedFor, (caller): Caller => ({ ...caller, isHosted: true }))
  }

  const callerOf = (request: HttpServerRequest) => {
    const token = bearerToken(request)
    return token === undefined
      ? Effect.fail(new AuthenticationFailed())
      : byHost(token) ?? byToken(token) ?? byKey(token)
  }

  return (request: HttpServerRequest, required: ReadonlyArray<FineScope>) =>
    Effect.withFiber((fiber) => {
      const vouched = fiber.getRef(Vouched)
      const caller = vouched === null ? callerOf(request) : Effect.succeed(vouched)
      return Effect.flatMap(caller, (caller) => {
        setWorkspace(request, caller.workspace.workspace_id)
        return admit(caller, required)
      })
    })
})
