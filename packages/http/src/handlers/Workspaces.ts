/** Workspaces of an account, and the use of a plan. */
import { accountWorkspaces } from "@tributary/core/accountWorkspaces"
import { Meters } from "@tributary/core/Meters"
import { UsageLog } from "@tributary/core/UsageLog"
import { Effect } from "effect"
import type { Workspaces } from "../api/Workspaces.ts"
import type { Handlers } from "./Handlers.ts"
import { page, toPageRequest } from "./paging.ts"

/** The default number of days of the usage history. */
const DEFAULT_DAYS = 30

export const workspaces = Effect.gen(function*() {
  const meters = yield* Meters
  const usage = yield* UsageLog
  const workspaces = yield* accountWorkspaces

  const handlers: Handlers<typeof Workspaces> = {
    getUsage: ({ caller: { scopes, workspace } }) =>
      Effect.map(meters.current(workspace), (usage) => ({ ...usage, scopes })),
    getUsageHistory: ({ caller: { workspace }, query }) =>
      usage.history(workspace.workspace_id, query.days ?? DEFAULT_DAYS),
    createWorkspace: ({ caller, payload }) => workspaces.create(caller, payload.name),
    listWorkspaces: ({ caller, query }) => Effect.map(workspaces.list(caller, toPageRequest(query)), page("workspaces"))
  }
  return handlers
})
