/** What a workspace uses of its plan, and the workspaces of its account. */
import { ApiKeys } from "@tributary/core/ApiKeys"
import { Meters } from "@tributary/core/Meters"
import { parseId, UserId } from "@tributary/core/model/Id"
import type { User } from "@tributary/core/model/Person"
import { People } from "@tributary/core/People"
import * as Core from "@tributary/core/Workspaces"
import { Effect, Option } from "effect"
import { toPageRequest } from "../api/Parameters.ts"
import type { Workspaces } from "../api/Workspaces.ts"
import type { Caller } from "../middleware/Authorization.ts"
import type { Handlers } from "../Routes.ts"

/** Who is signed in; null for a key, and for the operator. */
const userOf = ({ principal }: Caller): Pick<User, "user_id"> | null =>
  principal.type === "user"
    ? Option.getOrNull(Option.map(parseId(UserId)(principal.id), (user_id) => ({ user_id })))
    : null

export const workspaces = Effect.gen(function*() {
  const workspaces = yield* Core.Workspaces
  const keys = yield* ApiKeys
  const meters = yield* Meters
  const people = yield* People

  const handlers: Handlers<typeof Workspaces> = {
    getUsage: ({ caller: { scopes, workspace } }) =>
      Effect.map(meters.current(workspace), (usage) => ({ ...usage, scopes })),
    createWorkspace: Effect.fnUntraced(function*({ caller, payload }) {
      const user = userOf(caller)
      // As in the console: who owns a workspace of the account does not speak for the account.
      if (user !== null) yield* people.permittedAccount(user)
      const workspace = yield* workspaces.createShared(caller.workspace, payload.name, caller.principal)
      // The new key can do what the caller's can, for as long, and no more.
      const api_key = yield* keys.create(
        workspace.workspace_id,
        { name: payload.name, scopes: caller.scopes, expires_at: caller.expires_at ?? null },
        caller.principal
      ).pipe(Effect.catchTag("not_found", Effect.die))
      return { ...workspace, api_key }
    }),
    listWorkspaces: ({ caller, query }) => {
      const user = userOf(caller)
      const listed = user === null
        ? workspaces.list(caller.workspace.account_id, toPageRequest(query))
        : Effect.map(
          people.workspaces(user, toPageRequest(query)),
          ({ items, next }) => ({ items: items.map(({ workspace }) => workspace), next })
        )
      return Effect.map(listed, ({ items, next }) => ({ workspaces: items, next_cursor: next }))
    }
  }
  return handlers
})
