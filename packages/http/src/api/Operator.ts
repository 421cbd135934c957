/** The operator API: accounts, workspaces, plans and keys, for whoever runs the service. */
import { ApiKey, IssuedApiKey, NewApiKey } from "@tributary/core/model/ApiKey"
import { AccountId, ApiKeyId, WorkspaceId } from "@tributary/core/model/Id"
import { NewSignInLink, UserSignInLink } from "@tributary/core/model/Session"
import { Limits } from "@tributary/core/model/Plan"
import { NewAccount, NewAccountWorkspace, Workspace, WorkspacePatch } from "@tributary/core/model/Workspace"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { OperatorAuthorization, Validation } from "./Access.ts"
import { described } from "./Described.ts"
import * as ErrorBody from "./ErrorBody.ts"
import * as Parameters from "./Parameters.ts"

const workspaceId = { workspace_id: Schema.String }
const changes = [ErrorBody.NotFound, ...ErrorBody.bodyErrors] as const

/** A workspace as an operator sees it: with the limits in force. */
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
  })
    .annotateMerge(described(
      "Create an account",
      "With its personal workspace."
    )),
  HttpApiEndpoint.delete("deleteAccount", "/accounts/:account_id", {
    params: { account_id: Schema.String },
    success: Schema.Struct({ status: Schema.Literal("deleted"), account_id: AccountId }),
    error: ErrorBody.NotFound
  })
    .annotateMerge(described(
      "Erase an account",
      "With all of its workspaces. Their keys stop working at once."
    )),
  HttpApiEndpoint.post("addWorkspace", "/workspaces", {
    payload: NewAccountWorkspace,
    success: Workspace.pipe(HttpApiSchema.status(201)),
    error: changes
  })
    .annotateMerge(described(
      "Create a workspace",
      "A shared workspace of any account, whatever its plan allows."
    )),
  HttpApiEndpoint.get("listAllWorkspaces", "/workspaces", {
    query: Parameters.paging,
    success: Schema.Struct({ workspaces: Schema.Array(OperatedWorkspace), next_cursor: Schema.NullOr(Schema.String) })
  })
    .annotateMerge(described(
      "List workspaces",
      "Those of every account."
    )),
  HttpApiEndpoint.patch("updateWorkspace", "/workspaces/:workspace_id", {
    params: workspaceId,
    payload: WorkspacePatch,
    success: OperatedWorkspace,
    error: changes
  })
    .annotateMerge(described(
      "Change a workspace",
      "Its plan, whether it is suspended, and exceptions from the plan's limits: a number, or null for uncapped."
    )),
  HttpApiEndpoint.delete("deleteWorkspace", "/workspaces/:workspace_id", {
    params: workspaceId,
    success: Schema.Struct({ status: Schema.Literal("deleted"), workspace_id: WorkspaceId }),
    error: ErrorBody.NotFound
  })
    .annotateMerge(described(
      "Erase a workspace",
      "Everything in it. Its keys stop working at once."
    )),
  HttpApiEndpoint.post("createApiKey", "/workspaces/:workspace_id/api-keys", {
    params: workspaceId,
    payload: NewApiKey,
    success: IssuedApiKey.pipe(HttpApiSchema.status(201)),
    error: changes
  })
    .annotateMerge(described(
      "Create an API key",
      "The secret is shown here once."
    )),
  HttpApiEndpoint.get("listApiKeys", "/workspaces/:workspace_id/api-keys", {
    params: workspaceId,
    success: Schema.Struct({ api_keys: Schema.Array(ApiKey) }),
    error: ErrorBody.NotFound
  })
    .annotateMerge(described(
      "List API keys",
      "Of one workspace, without their secrets."
    )),
  HttpApiEndpoint.delete("revokeApiKey", "/api-keys/:key_id", {
    params: { key_id: Schema.String },
    success: Schema.Struct({ status: Schema.Literal("revoked"), key_id: ApiKeyId }),
    error: ErrorBody.NotFound
  })
    .annotateMerge(described(
      "Revoke an API key",
      "At once and for ever; requests that are running end as they would."
    )),
  HttpApiEndpoint.post("createSignInLink", "/sign-in-links", {
    payload: NewSignInLink,
    success: UserSignInLink.pipe(HttpApiSchema.status(201)),
    error: [ErrorBody.Unprocessable, ...changes]
  })
    .annotateMerge(described(
      "Create a sign-in link",
      "It opens the console once, within 15 minutes, as the user with the e-mail, or else as the owner of the account. An owner without an e-mail takes on the one that is given. The account may be left out while it is clear which is meant."
    ))
).prefix("/admin/v1").middleware(Validation).middleware(OperatorAuthorization) {}
