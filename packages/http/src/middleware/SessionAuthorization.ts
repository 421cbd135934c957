/**
 * Authenticates sessions. A browser sends its cookie with every request, so a change must come from the console itself:
 * `Sec-Fetch-Site`, or else `Origin`, must be same-origin, and our own header must be present, which pages of other
 * sites cannot add.
 */
import { AuthenticationFailed, PermissionDenied, workspaceSuspended } from "@tributary/core/model/Error"
import { principalOf, scopesOf } from "@tributary/core/model/Person"
import type { Principal } from "@tributary/core/model/Principal"
import { Sessions, type SignedIn } from "@tributary/core/Sessions"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { type Authorization, type Caller, requireScope } from "./Authorization.ts"
import { setWorkspace } from "./RequestMetrics.ts"
import { sessionSecret } from "../signIn/SessionCookie.ts"

/** The signed-in user of the console. */
export interface SessionCaller extends SignedIn {
  readonly principal: Principal
}

const SAFE = new Set(["GET", "HEAD"])

const isFromConsole = ({ headers, method }: HttpServerRequest, baseUrl: string): boolean => {
  if (SAFE.has(method)) return true
  if (headers["x-tributary-console"] === undefined) return false
  const site = headers["sec-fetch-site"]
  return site === undefined ? headers["origin"] === new URL(baseUrl).origin : site === "same-origin"
}

const foreign = () => new PermissionDenied({ message: "This request does not come from the console." })

/** Checks that a request comes from the console itself, without a session. */
export const fromConsole = (baseUrl: string): Authorization<undefined> => (request) =>
  isFromConsole(request, baseUrl) ? Effect.undefined : Effect.fail(foreign())

const authenticating = Effect.map(
  Sessions,
  (sessions) =>
    Effect.fnUntraced(function*(request: HttpServerRequest, baseUrl: string, workspaceId: string | null) {
      const secret = sessionSecret(request, baseUrl)
      if (secret === undefined) return yield* new AuthenticationFailed()
      const signedIn = yield* sessions.authenticate(secret, workspaceId)
      return isFromConsole(request, baseUrl) ? signedIn : yield* foreign()
    })
)

/** For the console: a session. */
export const bySession = Effect.fnUntraced(function*(baseUrl: string) {
  const authenticate = yield* authenticating
  const authorize: Authorization<SessionCaller> = (request) =>
    Effect.map(
      authenticate(request, baseUrl, null),
      ({ session, user }) => ({ user, session, principal: principalOf(user) })
    )
  return authorize
})

/** For the public API: a key, or else a session with a workspace, with the scopes of its role. */
export const keyOrSession = Effect.fnUntraced(function*(byKey: Authorization, baseUrl: string) {
  const authenticate = yield* authenticating

  const inWorkspace = Effect.fnUntraced(function*(request: HttpServerRequest, required: Parameters<typeof byKey>[1]) {
    const { membership, user } = yield* authenticate(request, baseUrl, request.headers["x-workspace-id"] ?? null)
    if (membership === null) {
      return yield* new PermissionDenied({ message: "Name a workspace of yours in the header X-Workspace-Id." })
    }
    const { role, workspace } = membership
    setWorkspace(request, workspace.workspace_id)
    // The audit log shows the owner who suspended the workspace, and when.
    if (workspace.suspended && !required.includes("audit:read")) return yield* workspaceSuspended()
    const scopes = scopesOf(role)
    yield* Effect.catchTag(
      requireScope(scopes, required),
      "insufficient_scopes",
      () => Effect.fail(new PermissionDenied({ message: "Only an owner of the workspace may do this." }))
    )
    const caller: Caller = { workspace, principal: principalOf(user), scopes }
    return caller
  })

  const authorize: Authorization = (request, required) =>
    request.headers["authorization"] === undefined && request.headers["cookie"] !== undefined
      ? inWorkspace(request, required)
      : byKey(request, required)
  return authorize
})
