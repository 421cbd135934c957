/**
 * Authenticates and authorizes the caller. The key must come from exactly one Authorization header; required scopes are
 * declared beside the path of each operation.
 */
import { ApiKeys } from "@tributary/core/ApiKeys"
import type { ApiKey } from "@tributary/core/model/ApiKey"
import {
  AuthenticationFailed,
  InsufficientScopes,
  type PermissionDenied,
  type RateLimitExceeded,
  type StorageUnavailable,
  workspaceSuspended
} from "@tributary/core/model/Error"
import { OPERATOR, type Principal } from "@tributary/core/model/Principal"
import { covers, EVERYTHING, type FineScope, type Scope } from "@tributary/core/model/Scope"
import type { TokenFilter } from "@tributary/core/model/Token"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import { Tokens } from "@tributary/core/Tokens"
import type { Workspaces } from "@tributary/core/Workspaces"
import { Context, Effect } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { setWorkspace } from "./RequestMetrics.ts"

/** The caller, identified by its API key. */
export interface Caller {
  readonly workspace: WorkspaceRecord
  readonly principal: Principal
  readonly scopes: ReadonlyArray<Scope>
  /** The credential, if it is not a key. */
  readonly token?: { readonly filter: TokenFilter | null }
  /** One of `TrustedCallers`: users of the host are not users of this service. */
  readonly isHosted?: boolean
}

const BEARER = /^bearer +([^\s,]+)$/i

const isAuthorization = (name: string): boolean => name.length === 13 && name.toLowerCase() === "authorization"

// Node keeps only the first of repeated headers; the raw headers, alternating names and values, show all.
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

/** Fails unless the key has one of the scopes. The error names the first, which is the one for pushed documents. */
export const requireScope = (
  scopes: ReadonlyArray<Scope>,
  required: ReadonlyArray<FineScope>
): Effect.Effect<void, InsufficientScopes> =>
  required.length === 0 || required.some((scope) => covers(scopes, scope))
    ? Effect.void
    : Effect.fail(new InsufficientScopes({ details: { missing_scopes: required.slice(0, 1) } }))

/** Runs a request with its caller recorded where that matters. */
export type Authorization<Who = Caller> = (
  request: HttpServerRequest,
  required: ReadonlyArray<FineScope>
) => Effect.Effect<
  Who | undefined,
  AuthenticationFailed | PermissionDenied | InsufficientScopes | RateLimitExceeded | StorageUnavailable
>

/**
 * Callers that the host authenticates by credentials of its own; `undefined` for another kind of credential. By default
 * there are none.
 */
export const TrustedCallers = Context.Reference<
  (credential: string) => Effect.Effect<Caller, AuthenticationFailed | StorageUnavailable> | undefined
>("@tributary/http/TrustedCallers", { defaultValue: () => () => undefined })

/** For `TrustedCallers`: a credential for a workspace that does not exist is invalid. */
export const workspaceOf = (workspaces: typeof Workspaces.Service, workspaceId: string) =>
  Effect.catchTag(
    workspaces.find(workspaceId),
    "not_found",
    () => Effect.fail(new AuthenticationFailed({ message: "There is no workspace with this id." }))
  )

/** For `TrustedCallers`: the operator of the service, in a workspace. */
export const operatorIn = (workspaces: typeof Workspaces.Service, workspaceId: string) =>
  Effect.map(
    workspaceOf(workspaces, workspaceId),
    (workspace): Caller => ({ workspace, principal: OPERATOR, scopes: EVERYTHING })
  )

/** The caller of an internal request, who was authenticated with the outer request. */
export const OuterCaller = Context.Reference<Caller | null>("@tributary/http/OuterCaller", { defaultValue: () => null })

export const admit = (
  caller: Caller,
  required: ReadonlyArray<FineScope>
): Effect.Effect<Caller, PermissionDenied | InsufficientScopes> =>
  caller.workspace.suspended
    ? Effect.fail(workspaceSuspended())
    : Effect.mapEager(requireScope(caller.scopes, required), () => caller)

const callerBy = (key: ApiKey, workspace: WorkspaceRecord, scopes: ReadonlyArray<Scope>): Caller => ({
  workspace,
  principal: { type: "api_key", id: key.key_id },
  scopes
})

/** For the public API: an API key, or a token derived from one. */
export const byApiKey = Effect.gen(function*() {
  const keys = yield* ApiKeys
  const tokens = yield* Tokens
  const trusted = yield* TrustedCallers

  const byKey = (secret: string) =>
    Effect.map(keys.authenticate(secret), ({ key, workspace }) => callerBy(key, workspace, key.scopes))

  const byToken = (credential: string) => {
    const authenticated = tokens.authenticate(credential)
    return authenticated && Effect.map(authenticated, ({ filter, key, scopes, workspace }): Caller => ({
      ...callerBy(key, workspace, scopes),
      token: { filter }
    }))
  }

  const byHost = (token: string) => {
    const authenticated = trusted(token)
    return authenticated && Effect.map(authenticated, (caller): Caller => ({ ...caller, isHosted: true }))
  }

  const callerOf = (request: HttpServerRequest) => {
    const token = bearerToken(request)
    if (token === undefined) return Effect.fail(new AuthenticationFailed())
    return byHost(token) ?? byToken(token) ?? byKey(token)
  }

  return (request: HttpServerRequest, required: ReadonlyArray<FineScope>) =>
    Effect.withFiber((fiber) => {
      const outer = fiber.getRef(OuterCaller)
      const caller = outer === null ? callerOf(request) : Effect.succeed(outer)
      return Effect.flatMap(caller, (caller) => {
        setWorkspace(request, caller.workspace.workspace_id)
        return admit(caller, required)
      })
    })
})
