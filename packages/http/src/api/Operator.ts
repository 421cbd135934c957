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
  /** Made before limits were introduced: uncapped. */
  grandfathered: Schema.Boolean,
  /** Whether its keys are refused with 403. */
  suspended: Schema.Boolean,
  /** The limits in force. */
  limits: Limits
}).annotate({ identifier: "OperatedWorkspace" })

export class Operator extends HttpApiGroup.make("operator").add(
  /** Create an account. With its personal workspace. */
  HttpApiEndpoint.post("createAccount", "/accounts", {
    payload: NewAccount,
    success: Schema.Struct({
      account_id: AccountId,
      /** The workspace that belongs to the account alone. */
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
   * Restore or replace the owner of an account. With an e-mail: the user who has proven it, or a new one, owns the
   * account from then on, and the one before leaves its personal workspace. Without: who owns it is an owner of all of
   * its workspaces again.
   */
  HttpApiEndpoint.post("setAccountOwner", "/accounts/:account_id/owner", {
    params: { account_id: Schema.String },
    payload: AccountOwner,
    success: Schema.Struct({
      ...outcome("set"),
      /** The id of the owner. */
      user_id: UserId,
      /** The e-mail of the owner. Null: none is known. */
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
   * Change a workspace. Its plan, whether it is suspended, and exceptions from the plan's limits: a number, or null for
   * uncapped.
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
  /** Create an API key. The secret is shown here once. */
  HttpApiEndpoint.post("createApiKey", "/workspaces/:workspace_id/api-keys", {
    params: workspaceId,
    payload: NewApiKey,
    success: IssuedApiKey.pipe(HttpApiSchema.status(201)),
    error: changes
  }),
  /** Revoke an API key. At once and for ever; requests that are running end as they would. */
  HttpApiEndpoint.delete("revokeApiKey", "/api-keys/:key_id", {
    params: { key_id: Schema.String },
    success: Schema.Struct({ ...outcome("revoked"), key_id: ApiKeyId }),
    error: ErrorBody.NotFound
  }),
  /**
   * Create a sign-in link. It opens the console once, within 15 minutes, as the user with the e-mail, or else as the
   * owner of the account. An owner without an e-mail takes on the one that is given. The account may be left out while
   * it is clear which is meant.
   */
  HttpApiEndpoint.post("createSignInLink", "/sign-in-links", {
    payload: NewSignInLink,
    success: UserSignInLink.pipe(HttpApiSchema.status(201)),
    error: [ErrorBody.Unprocessable, ...changes]
  }),
  /**
   * Encrypt secrets with the first key. The secrets of all connections that an older key encrypted. Where none is
   * unreadable, and every server has the new key in front, the older keys can be taken away.
   */
  HttpApiEndpoint.post("rewrapSecrets", "/secrets/rewrap", { success: Rewrapped })
).annotateEndpoints(RequiredOperatorScope, "operator:write").add(
  /** List workspaces. Those of every account. */
  HttpApiEndpoint.get("listAllWorkspaces", "/workspaces", {
    query: Parameters.paging,
    success: Schema.Struct({
      /** Those of every account. */
      workspaces: Schema.Array(OperatedWorkspace),
      ...nextPage
    })
  }).annotate(RequiredOperatorScope, "operator:read"),
  /** List API keys. Of one workspace, without their secrets. */
  HttpApiEndpoint.get("listApiKeys", "/workspaces/:workspace_id/api-keys", {
    params: workspaceId,
    success: Schema.Struct({
      /** Without their secrets. */
      api_keys: Schema.Array(ApiKey)
    }),
    error: ErrorBody.NotFound
  }).annotate(RequiredOperatorScope, "operator:read"),
  /**
   * Create an operator. With a token of their own, which is shown here once. `operator:read` reads, `operator:write`
   * changes accounts, workspaces and keys, `operator:admin` makes and revokes operators.
   */
  HttpApiEndpoint.post("createOperator", "/operators", {
    payload: NewOperator,
    success: IssuedOperator.pipe(HttpApiSchema.status(201)),
    error: [ErrorBody.Unprocessable, ...changes]
  }).annotate(RequiredOperatorScope, "operator:admin"),
  /** List operators. Without their tokens. The one whom the server's settings let in is not among them. */
  HttpApiEndpoint.get("listOperators", "/operators", {
    success: Schema.Struct({
      /** Newest first, without their tokens. */
      operators: Schema.Array(NamedOperator)
    })
  }).annotate(RequiredOperatorScope, "operator:admin"),
  /** Revoke an operator. At once and for ever; requests that are running end as they would. */
  HttpApiEndpoint.delete("revokeOperator", "/operators/:operator_id", {
    params: { operator_id: Schema.String },
    success: Schema.Struct({ ...outcome("revoked"), operator_id: OperatorId }),
    error: ErrorBody.NotFound
  }).annotate(RequiredOperatorScope, "operator:admin"),
  /**
   * Read what operators did. Every call that changes something, oldest first: an entry before it is carried out, and
   * one with its outcome. `after` is the `sequence` of an entry that is known already. Each entry names the hash of the
   * one before.
   */
  HttpApiEndpoint.get("readOperatorLog", "/audit-log", {
    query: {
      ...Parameters.paging,
      /** Only entries after the one with this `sequence`. */
      after: Schema.optionalKey(Parameters.integer(0, Number.MAX_SAFE_INTEGER))
    },
    success: Schema.Struct({
      /** Oldest first. */
      entries: Schema.Array(OperatorLogEntry),
      ...nextPage
    })
  }).annotate(RequiredOperatorScope, "operator:read")
).prefix("/admin/v1").middleware(Validation).middleware(OperatorAuthorization) {}
