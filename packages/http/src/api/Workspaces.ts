/** Workspaces of an account, and the use of a plan. */
import { nextPage } from "@tributary/core/model/Page"
import { Usage } from "@tributary/core/model/Usage"
import { MAX_HISTORY_DAYS, UsageHistory } from "@tributary/core/model/UsageHistory"
import { CreatedWorkspace, NewWorkspace, Workspace } from "@tributary/core/model/Workspace"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Authorization, RequiredScope, TokenAccess, Validation } from "./Access.ts"
import * as ErrorBody from "./ErrorBody.ts"
import * as Parameters from "./Parameters.ts"

export class Workspaces extends HttpApiGroup.make("workspaces").add(
  // Any valid key may see the use of its workspace.
  /**
   * Read the usage. How much of its plan the workspace uses. An uncapped meter has no `limit`. Any valid key can read
   * it.
   */
  HttpApiEndpoint.get("getUsage", "/usage/current", { success: Usage }).annotate(TokenAccess, "filtered"),
  /**
   * Read the usage, day by day. The requests of each operation with refusals and durations, and the stored documents,
   * for up to 90 days. Days without any use are absent. Any valid key can read it.
   */
  HttpApiEndpoint.get("getUsageHistory", "/usage/history", {
    query: {
      /**
       * The number of days, including today.
       * @default 30
       */
      days: Schema.optionalKey(Parameters.integer(1, MAX_HISTORY_DAYS))
    },
    success: UsageHistory
  }),
  /**
   * Create a workspace. A shared workspace of the key's account, with its first key, whose secret is shown only here.
   * Beyond the limit of the plan this is refused with 422.
   */
  HttpApiEndpoint.post("createWorkspace", "/workspaces", {
    payload: NewWorkspace,
    success: CreatedWorkspace.pipe(HttpApiSchema.status(201)),
    error: [ErrorBody.Unprocessable, ...ErrorBody.bodyErrors]
  }).annotate(RequiredScope, ["workspaces:write"]).annotate(TokenAccess, "never"),
  /** List workspaces. Those of the key's account. */
  HttpApiEndpoint.get("listWorkspaces", "/workspaces", {
    query: Parameters.paging,
    success: Schema.Struct({
      /** The workspaces of the account. */
      workspaces: Schema.Array(Workspace),
      ...nextPage
    })
  }).annotate(RequiredScope, ["workspaces:read"])
).prefix("/v1").middleware(Validation).middleware(Authorization) {}
