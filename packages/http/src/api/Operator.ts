/** The operator API: accounts, workspaces, plans, keys and operators, for the operators of the service. */
import { ApiKey, IssuedApiKey, NewApiKey } from "@tributary/core/model/ApiKey"
import { Rewrapped } from "@tributary/core/model/Connection"
import { AccountId, ApiKeyId, OperatorId, UserId, WorkspaceId } from "@tributary/core/model/Id"
import { IssuedOperator, NewOperator, Operator as NamedOperator } from "@tributary/core/model/Operator"
import { OperatorLogEntry } from "@tributary/core/model/OperatorLogEntry"
import { AccountOwner, NewSignInLink, UserSignInLink } from "@tributary/core/model/Session"
import { Limits } from "@tributary/core/model/Plan"
import { NewAccount, NewAccountWorkspace, Workspace, WorkspacePatch } from "@tributary/core/model/Workspace"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { OperatorAuthorization, RequiredOperatorScope, Validation } from "./Access.ts"
import * as ErrorBody from "./ErrorBody.ts"
import * as Parameters from "./Parameters.ts"

const workspaceId = { workspace_id: Schema.String }
const changes = [ErrorBody.NotFound, ...ErrorBody.bodyErrors] as const

/** A workspace for operators, with its effective limits. */
export const OperatedWorkspace = Schema.Struct({
  ...Workspace.fields,
  account_id: AccountId,
  grandfathered: Schema.Boolean,
  suspended: Schema.Boolean,
  limits: Limits
}).annotate({ identifier: "OperatedWorkspace" })

export class Operator extends HttpApiGroup.make("operator").add(
  HttpApiEndpoint.post("createAccount", "/accounts", {
    payload: NewAccount,
    success: Schema.Struct({ account_id: AccountId, personal_workspace: Workspace }).pipe(HttpApiSchema.status(201)),
    error: ErrorBody.bodyErrors
  }),
  HttpApiEndpoint.delete("deleteAccount", "/accounts/:account_id", {
    params: { account_id: Schema.String },
    success: Schema.Struct({ status: Schema.Literal("deleted"), account_id: AccountId }),
    error: ErrorBody.NotFound
  }),
  HttpApiEndpoint.post("setAccountOwner", "/accounts/:account_id/owner", {
    params: { account_id: Schema.String },
    payload: AccountOwner,
    success: Schema.Struct({ status: Schema.Literal("set"), user_id: UserId, email: Schema.NullOr(Schema.String) }),
    error: changes
  }),
  HttpApiEndpoint.post("addWorkspace", "/workspaces", {
    payload: NewAccountWorkspace,
    success: Workspace.pipe(HttpApiSchema.status(201)),
    error: changes
  }),
  HttpApiEndpoint.patch("updateWorkspace", "/workspaces/:workspace_id", {
    params: workspaceId,
    payload: WorkspacePatch,
    success: OperatedWorkspace,
    error: changes
  }),
  HttpApiEndpoint.delete("deleteWorkspace", "/workspaces/:workspace_id", {
    params: workspaceId,
    success: Schema.Struct({ status: Schema.Literal("deleted"), workspace_id: WorkspaceId }),
    error: ErrorBody.NotFound
  }),
  HttpApiEndpoint.post("createApiKey", "/workspaces/:workspace_id/api-keys", {
    params: workspaceId,
    payload: NewApiKey,
    success: IssuedApiKey.pipe(HttpApiSchema.status(201)),
    error: changes
  }),
  HttpApiEndpoint.delete("revokeApiKey", "/api-keys/:key_id", {
    params: { key_id: Schema.String },
    success: Schema.Struct({ status: Schema.Literal("revoked"), key_id: ApiKeyId }),
    error: ErrorBody.NotFound
  }),
  HttpApiEndpoint.post("createSignInLink", "/sign-in-links", {
    payload: NewSignInLink,
    success: UserSignInLink.pipe(HttpApiSchema.status(201)),
    error: [ErrorBody.Unprocessable, ...changes]
  }),
  HttpApiEndpoint.post("rewrapSecrets", "/secrets/rewrap", { success: Rewrapped })
).annotateEndpoints(RequiredOperatorScope, "operator:write").add(
  HttpApiEndpoint.get("listAllWorkspaces", "/workspaces", {
    query: Parameters.paging,
    success: Schema.Struct({ workspaces: Schema.Array(OperatedWorkspace), next_cursor: Schema.NullOr(Schema.String) })
  }).annotate(RequiredOperatorScope, "operator:read"),
  HttpApiEndpoint.get("listApiKeys", "/workspaces/:workspace_id/api-keys", {
    params: workspaceId,
    success: Schema.Struct({ api_keys: Schema.Array(ApiKey) }),
    error: ErrorBody.NotFound
  }).annotate(RequiredOperatorScope, "operator:read"),
  HttpApiEndpoint.post("createOperator", "/operators", {
    payload: NewOperator,
    success: IssuedOperator.pipe(HttpApiSchema.status(201)),
    error: [ErrorBody.Unprocessable, ...changes]
  }).annotate(RequiredOperatorScope, "operator:admin"),
  HttpApiEndpoint.get("listOperators", "/operators", {
    success: Schema.Struct({ operators: Schema.Array(NamedOperator) })
  }).annotate(RequiredOperatorScope, "operator:admin"),
  HttpApiEndpoint.delete("revokeOperator", "/operators/:operator_id", {
    params: { operator_id: Schema.String },
    success: Schema.Struct({ status: Schema.Literal("revoked"), operator_id: OperatorId }),
    error: ErrorBody.NotFound
  }).annotate(RequiredOperatorScope, "operator:admin"),
  HttpApiEndpoint.get("readOperatorLog", "/audit-log", {
    query: { ...Parameters.paging, after: Schema.optionalKey(Parameters.integer(0, Number.MAX_SAFE_INTEGER)) },
    success: Schema.Struct({ entries: Schema.Array(OperatorLogEntry), next_cursor: Schema.NullOr(Schema.String) })
  }).annotate(RequiredOperatorScope, "operator:read")
).prefix("/admin/v1").middleware(Validation).middleware(OperatorAuthorization) {}
