/**
 * The first start on an empty store: creates an account with its workspace and a key, so that users can try the
 * service at once.
 */
import { ApiKeys } from "@tributary/core/ApiKeys"
import { Invitations } from "@tributary/core/Invitations"
import type { IssuedApiKey } from "@tributary/core/model/ApiKey"
import { OPERATOR } from "@tributary/core/model/Principal"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import { People } from "@tributary/core/People"
import { Workspaces } from "@tributary/core/Workspaces"
import { linkAt } from "@tributary/http/SignInLink"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Demo from "./Demo.ts"
import { failed } from "../UsageError.ts"

export interface FirstStart {
  readonly workspace: WorkspaceRecord
  readonly key: IssuedApiKey
  /** The question of the demo, and its answer. */
  readonly demo: Option.Option<Demo.DemoAnswer>
  /** Signs in to the console; only where no command can create such a link later. */
  readonly signInLink: Option.Option<string>
}

interface Options {
  readonly demo: boolean
  readonly baseUrl: string
  /** Whether commands on this machine can reach the data. */
  readonly commands: boolean
}

/** Does nothing if the store has a workspace. */
export const prepare = Effect.fnUntraced(
  function*({ baseUrl, commands, demo: isDemo }: Options) {
    const workspaces = yield* Workspaces
    const present = yield* workspaces.list(null, { limit: 1, cursor: null })
    if (present.items.length > 0) return Option.none<FirstStart>()

    const { account_id, personal_workspace: workspace } = yield* workspaces.createAccount({ name: "First account" })
    yield* (yield* People).ownerOf(account_id)
    const demo = isDemo ? Option.some(yield* Demo.run(workspace)) : Option.none()
    const key = yield* (yield* ApiKeys).create(
      workspace.workspace_id,
      { name: "First start", scopes: ["api:read", "api:write"] },
      OPERATOR
    )
    const signInLink = commands
      ? Option.none()
      : Option.some(linkAt(baseUrl, yield* (yield* Invitations).signInLink({ account_id })).url)
    return Option.some<FirstStart>({ workspace, key, demo, signInLink })
  },
  Effect.catch((error) =>
    error._tag === "StorageUnavailable"
      ? Effect.fail(
        failed("The storage stopped answering during the first start. Try again.")
      )
      : Effect.die(error)
  )
)
