/** What a workspace uses of its plan, and the workspaces of its account. */
import { ApiKeys } from "@tributary/core/ApiKeys"
import { Meters } from "@tributary/core/Meters"
import * as Core from "@tributary/core/Workspaces"
import { Effect } from "effect"
import { toPageRequest } from "../api/Parameters.ts"
import type { Workspaces } from "../api/Workspaces.ts"
import type { Handlers } from "../Routes.ts"

export const workspaces = Effect.gen(function*() {
  const workspaces = yield* Core.Workspaces
  const keys = yield* ApiKeys
  const meters = yield* Meters

  const handlers: Handlers<typeof Workspaces> = {
    getUsage: ({ caller }) => meters.current(caller.workspace),
    createWorkspace: Effect.fnUntraced(function*({ caller, payload }) {
      const workspace = yield* workspaces.createShared(caller.workspace, payload.name, caller.principal)
      // The new key can do what the caller's can, and no more.
      const api_key = yield* keys.create(
        workspace.workspace_id,
        { name: payload.name, scopes: caller.scopes },
        caller.principal
      ).pipe(Effect.catchTag("not_found", Effect.die))
      return { ...workspace, api_key }
    }),
    listWorkspaces: ({ caller, query }) =>
      Effect.map(
        workspaces.list(caller.workspace.account_id, toPageRequest(query)),
        ({ items, next }) => ({ workspaces: items, next_cursor: next })
      )
  }
  return handlers
})
