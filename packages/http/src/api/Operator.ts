/** The operator API: accounts, workspaces, plans, keys and operators, for the operators of the service. */
import { ApiKey, IssuedApiKey, NewApiKey } from "@tributary/core/model/ApiKey"
import { Rewrapped } from "@tributary/core/model/Connection"
import { AccountId, ApiKeyId, OperatorId, UserId, WorkspaceId } from "@tributary/core/model/Id"
import { IssuedOperator, NewOperator, Operator as NamedOperator } from "@tributary/core/model/Operator"
import { OperatorLogEntry } from "@tributary/core/model/OperatorLogEntry"
import { nextPage } from "@tributary/core/model/Page"
import { AccountOwner, NewSignInLink, UserSignInLink } from "@tributary/core/model/Session"
import { Limits } from "@tributary/core/model/Plan"
import { NewAccount, NewAccountWorkspace, Workspace, WorkspacePatch } from "@tributary/core/model/Workspace"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { OperatorAuthorization, RequiredOperatorScope, Validation } from "./Access.ts"
import * as ErrorBody from "./ErrorBody.ts"
import { outcome } from "./Outcome.ts"
import * as Parameters from "./Parameters.ts"

const workspaceId = { workspace_id: Schema.String }
const changes = [ErrorBody.NotFound, ...ErrorBody.bodyErrors] as const

/** A workspace for operators, with its effective limits. */
export const OperatedWorkspace = Schema.Struct({
  ...Workspace.fields,
  account_id: AccountId,
  /** Whether it was created before limits were introduced, and is uncapped. */
  grandfathered: Schema.Boolean,
  /** Whether its keys are refused with 403. */
  suspended: Schema.Boolean,
  /** The effective limits. */
  limits: Limits
}).annotate({ identifier: "OperatedWorkspace" })
export type OperatedWorkspace = typeof OperatedWorkspace.Type

export class Operator extends HttpApiGroup.make("operator").add(
  /** Create an account. With its personal workspace. */
  HttpApiEndpoint.post("createAccount", "/accounts", {
    payload: NewAccount,
    success: Schema.Struct({
      account_id: AccountId,
      /** The personal workspace of the account. */
      personal_workspace: Workspace
    }).pipe(HttpApiSchema.status(201)),
    error: ErrorBody.bodyErrors
  }),
  /** Erase an account. With all of its workspaces. Their keys stop working at once. */
  HttpApiEndpoint.delete("deleteAccount", "/accounts/:account_id", {
    params: { account_id: Schema.String },
    success: Schema.Struct({ ...outcome("deleted"), account_id: AccountId }),
    error: ErrorBody.NotFound
  }),
  /**
   * Restore or replace the owner of an account. With an e-mail: the user with that proven e-mail, or a new one, becomes
   * the owner of the account, and the previous owner leaves its personal workspace. Without: the current owner becomes
   * an owner of all of its workspaces again.
   */
  HttpApiEndpoint.post("setAccountOwner", "/accounts/:account_id/owner", {
    params: { account_id: Schema.String },
    payload: AccountOwner,
    success: Schema.Struct({
      ...outcome("set"),
      /** The id of the owner. */
      user_id: UserId,
      /** The e-mail of the owner. Null: unknown. */
      email: Schema.NullOr(Schema.String)
    }),
    error: changes
  }),
  /** Create a workspace. A shared workspace of any account, whatever its plan allows. */
  HttpApiEndpoint.post("addWorkspace", "/workspaces", {
    payload: NewAccountWorkspace,
    success: Workspace.pipe(HttpApiSchema.status(201)),
    error: changes
  }),
  /**
   * Change a workspace. The plan, the suspension, and exceptions from the limits of the plan: a number, or null for
   * uncapped. Without exceptions (`limits` is null) it follows the plan again.
   */
  HttpApiEndpoint.patch("updateWorkspace", "/workspaces/:workspace_id", {
    params: workspaceId,
    payload: WorkspacePatch,
    success: OperatedWorkspace,
    error: changes
  }),
  /** Erase a workspace. Everything in it. Its keys stop working at once. */
  HttpApiEndpoint.delete("deleteWorkspace", "/workspaces/:workspace_id", {
    params: workspaceId,
    success: Schema.Struct({ ...outcome("deleted"), workspace_id: WorkspaceId }),
    error: ErrorBody.NotFound
  }),
  /** Create an API key. The secret is shown only here. */
  HttpApiEndpoint.post("createApiKey", "/workspaces/:workspace_id/api-keys", {
    params: workspaceId,
    payload: NewApiKey,
    success: IssuedApiKey.pipe(HttpApiSchema.status(201)),
    error: changes
  }),
  /** Revoke an API key. At once and permanently. Running requests are completed. */
  HttpApiEndpoint.delete("revokeApiKey", "/api-keys/:key_id", {
    params: { key_id: Schema.String },
    success: Schema.Struct({ ...outcome("revoked"), key_id: ApiKeyId }),
    error: ErrorBody.NotFound
  }),
  /**
   * Create a sign-in link. It opens the console once, within 15 minutes, as the user with the e-mail, or else as the
   * owner of the account. An owner without an e-mail gets the one that is given. The account can be omitted if it is
   * unambiguous.
   */
  HttpApiEndpoint.post("createSignInLink", "/sign-in-links", {
    payload: NewSignInLink,
    success: UserSignInLink.pipe(HttpApiSchema.status(201)),
    error: [ErrorBody.Unprocessable, ...changes]
  }),
  /**
   * Encrypt secrets with the first key. Encrypts the secrets of all connections that an older key encrypted. If none is
   * unreadable, and every server has the new key first, the older keys can be removed.
   */
  HttpApiEndpoint.post("rewrapSecrets", "/secrets/rewrap", { success: Rewrapped })
).annotateEndpoints(RequiredOperatorScope, "operator:write").add(
  /** List workspaces. The workspaces of all accounts. */
  HttpApiEndpoint.get("listAllWorkspaces", "/workspaces", {
    query: Parameters.paging,
    success: Schema.Struct({
      /** The workspaces of all accounts. */
      workspaces: Schema.Array(OperatedWorkspace),
      ...nextPage
    })
  }).annotate(RequiredOperatorScope, "operator:read"),
  /** List API keys. Of one workspace, without their secrets. */
  HttpApiEndpoint.get("listApiKeys", "/workspaces/:workspace_id/api-keys", {
    params: workspaceId,
    success: Schema.Struct({
      /** The keys, without their secrets. */
      api_keys: Schema.Array(ApiKey)
    }),
    error: ErrorBody.NotFound
  }).annotate(RequiredOperatorScope, "operator:read"),
  /**
   * Create an operator. An operator with a token, which is shown only here. `operator:read` reads, `operator:write`
   * changes accounts, workspaces and keys, `operator:admin` creates and revokes operators.
   */
  HttpApiEndpoint.post("createOperator", "/operators", {
    payload: NewOperator,
    success: IssuedOperator.pipe(HttpApiSchema.status(201)),
    error: [ErrorBody.Unprocessable, ...changes]
  }).annotate(RequiredOperatorScope, "operator:admin"),
  /** List operators. Without their tokens. The operator of the token in the settings of the server is not listed. */
  HttpApiEndpoint.get("listOperators", "/operators", {
    success: Schema.Struct({
      /** The operators, newest first, without their tokens. */
      operators: Schema.Array(NamedOperator)
    })
  }).annotate(RequiredOperatorScope, "operator:admin"),
  /** Revoke an operator. At once and permanently. Running requests are completed. */
  HttpApiEndpoint.delete("revokeOperator", "/operators/:operator_id", {
    params: { operator_id: Schema.String },
    success: Schema.Struct({ ...outcome("revoked"), operator_id: OperatorId }),
    error: ErrorBody.NotFound
  }).annotate(RequiredOperatorScope, "operator:admin"),
  /**
   * Read what operators did. Every call that changes something, oldest first: an entry before the operation, and one
   * with its outcome. `after` is the `sequence` of a known entry. Each entry contains the hash of the previous one.
   */
  HttpApiEndpoint.get("readOperatorLog", "/audit-log", {
    query: {
      ...Parameters.paging,
      /** Only entries after the one with this `sequence`. */
      after: Schema.optionalKey(Parameters.integer(0, Number.MAX_SAFE_INTEGER))
    },
    success: Schema.Struct({
      /** The entries, oldest first. */
      entries: Schema.Array(OperatorLogEntry),
      ...nextPage
    })
  }).annotate(RequiredOperatorScope, "operator:read")
).prefix("/admin/v1").middleware(Validation).middleware(OperatorAuthorization) {}
