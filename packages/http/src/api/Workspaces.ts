/** Workspaces of an account, and the use of a plan. */
import { Usage } from "@tributary/core/model/Usage"
import { MAX_HISTORY_DAYS, UsageHistory } from "@tributary/core/model/UsageHistory"
import { CreatedWorkspace, NewWorkspace, Workspace } from "@tributary/core/model/Workspace"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Authorization, ForTokens, RequiredScope, Validation } from "./Access.ts"
import * as ErrorBody from "./ErrorBody.ts"
import * as Parameters from "./Parameters.ts"

export class Workspaces extends HttpApiGroup.make("workspaces").add(
  // Any valid key may see the use of its workspace.
  HttpApiEndpoint.get("getUsage", "/usage/current", { success: Usage }).annotate(ForTokens, "narrowed"),
  HttpApiEndpoint.get("getUsageHistory", "/usage/history", {
    query: { days: Schema.optionalKey(Parameters.integer(1, MAX_HISTORY_DAYS)) },
    success: UsageHistory
  }),
  HttpApiEndpoint.post("createWorkspace", "/workspaces", {
    payload: NewWorkspace,
    success: CreatedWorkspace.pipe(HttpApiSchema.status(201)),
    error: [ErrorBody.Unprocessable, ...ErrorBody.bodyErrors]
  }).annotate(RequiredScope, ["workspaces:write"]).annotate(ForTokens, "never"),
  HttpApiEndpoint.get("listWorkspaces", "/workspaces", {
    query: Parameters.paging,
    success: Schema.Struct({ workspaces: Schema.Array(Workspace), next_cursor: Schema.NullOr(Schema.String) })
  }).annotate(RequiredScope, ["workspaces:read"])
).prefix("/v1").middleware(Validation).middleware(Authorization) {}
