/**
 * What an operation requires of its caller, declared beside its path: a scope, a rate window, a credential.
 *
 * The middlewares are tags: documents and clients read them here, and the server enforces them in its routes, in this
 * order: credential, scope, validation.
 */
import type { KindCatalogue } from "@tributary/core/model/KindCatalogue"
import type { OperatorScope } from "@tributary/core/model/Operator"
import type { LimitedOperation } from "@tributary/core/model/Plan"
import type { FineScope } from "@tributary/core/model/Scope"
import { Context, type Schema } from "effect"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as ErrorBody from "./ErrorBody.ts"

/** A key needs one of these scopes; if empty, any valid key is accepted. */
export const RequiredScope = Context.Reference<ReadonlyArray<FineScope>>("@tributary/http/RequiredScope", {
  defaultValue: () => []
})

/** The required scope of an operation of the operator API. */
export const RequiredOperatorScope = Context.Reference<OperatorScope | null>("@tributary/http/RequiredOperatorScope", {
  defaultValue: () => null
})

/** The rate window of an operation. */
export const Limited = Context.Reference<LimitedOperation | null>("@tributary/http/Limited", {
  defaultValue: () => null
})

/** A body schema that depends on the kinds of the service. */
export const PayloadByKinds = Context.Reference<((catalogue: KindCatalogue) => Schema.Top) | null>(
  "@tributary/http/PayloadByKinds",
  { defaultValue: () => null }
)

/** The operation is interrupted when its caller disconnects. Without this, only reads are; a write runs to its end. */
export const Abandonable = Context.Reference<boolean>("@tributary/http/Abandonable", { defaultValue: () => false })

/** The operation starts by reading the head of the workspace's context, which can be read together with the key. */
export const ReadsHead = Context.Reference<boolean>("@tributary/http/ReadsHead", { defaultValue: () => false })

/**
 * What an operation does for a token. `filtered`: it applies the token's filter. `whole`: it accepts only tokens
 * without a filter, because it shows the whole workspace. `never`: it accepts only keys.
 */
export const TokenAccess = Context.Reference<"filtered" | "whole" | "never">("@tributary/http/TokenAccess", {
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

/** The session of a user of the console. */
export class SessionAuthorization
  extends HttpApiMiddleware.Service<SessionAuthorization>()("@tributary/http/SessionAuthorization", {
    security: { session: HttpApiSecurity.apiKey({ key: "tributary_session", in: "cookie" }) },
    error: [ErrorBody.AuthenticationFailed, ErrorBody.PermissionDenied]
  })
{}

/** The validation of path, query and body, and the failures of any request. */
export class Validation extends HttpApiMiddleware.Service<Validation>()("@tributary/http/Validation", {
  error: [ErrorBody.ValidationFailed, ErrorBody.InternalServerError, ErrorBody.ServiceUnavailable]
}) {}
