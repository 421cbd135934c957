/**
 * What an operation asks of its caller, stated beside its path: a scope, a rate window, a credential.
 *
 * The middlewares are tags: documents and clients read them here, and the server enforces them when it makes its
 * routes. They run in this order: credential, scope, form of the request.
 */
import type { KindCatalogue } from "@tributary/core/model/KindCatalogue"
import type { OperatorScope } from "@tributary/core/model/Operator"
import type { LimitedOperation } from "@tributary/core/model/Plan"
import type { FineScope } from "@tributary/core/model/Scope"
import { Context, type Schema } from "effect"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as ErrorBody from "./ErrorBody.ts"

/** The scopes of which a key needs one; none: any valid key will do. */
export const RequiredScope = Context.Reference<ReadonlyArray<FineScope>>("@tributary/http/RequiredScope", {
  defaultValue: () => []
})

/** The scope that an operation of the operator API asks for. */
export const RequiredOperatorScope = Context.Reference<OperatorScope | null>("@tributary/http/RequiredOperatorScope", {
  defaultValue: () => null
})

/** The rate window that an operation draws from. */
export const Limited = Context.Reference<LimitedOperation | null>("@tributary/http/Limited", {
  defaultValue: () => null
})

/** The schema of a body that depends on the kinds that the service knows. */
export const PayloadByKinds = Context.Reference<((catalogue: KindCatalogue) => Schema.Top) | null>(
  "@tributary/http/PayloadByKinds",
  { defaultValue: () => null }
)

/** Stops when its caller goes away. Without this, only reads do: a write that has begun runs to its end. */
export const Abandonable = Context.Reference<boolean>("@tributary/http/Abandonable", { defaultValue: () => false })

/** Begins with the head of the workspace's context, which may then be read together with the key. */
export const ReadsHead = Context.Reference<boolean>("@tributary/http/ReadsHead", { defaultValue: () => false })

/**
 * What an operation does for a token. `narrowed`: it honours the filter of one. `whole`: it takes tokens without a
 * filter, since it shows more than one. `never`: it takes keys alone.
 */
export const ForTokens = Context.Reference<"narrowed" | "whole" | "never">("@tributary/http/ForTokens", {
  defaultValue: () => "whole"
})

/** An API key of a workspace. */
export class Authorization extends HttpApiMiddleware.Service<Authorization>()("@tributary/http/Authorization", {
  requiredForClient: true,
  security: { apiKey: HttpApiSecurity.bearer },
  error: [ErrorBody.AuthenticationFailed, ErrorBody.PermissionDenied, ErrorBody.InsufficientScopes]
}) {}

/** The token of an operator of the service. */
export class OperatorAuthorization
  extends HttpApiMiddleware.Service<OperatorAuthorization>()("@tributary/http/OperatorAuthorization", {
    requiredForClient: true,
    security: { operatorToken: HttpApiSecurity.bearer },
    error: [ErrorBody.AuthenticationFailed, ErrorBody.PermissionDenied, ErrorBody.RateLimitExceeded]
  })
{}

/** The session of somebody who is signed in to the console. */
export class SessionAuthorization
  extends HttpApiMiddleware.Service<SessionAuthorization>()("@tributary/http/SessionAuthorization", {
    security: { session: HttpApiSecurity.apiKey({ key: "tributary_session", in: "cookie" }) },
    error: [ErrorBody.AuthenticationFailed, ErrorBody.PermissionDenied]
  })
{}

/** The form of path, query and body, and what can go wrong with any request. */
export class Validation extends HttpApiMiddleware.Service<Validation>()("@tributary/http/Validation", {
  error: [ErrorBody.ValidationFailed, ErrorBody.InternalServerError, ErrorBody.ServiceUnavailable]
}) {}
