import { AuthenticationFailed } from "@tributary/core/model/Error"
import type { Workspaces } from "@tributary/core/Workspaces"
import { Effect } from "effect"

/** The workspace that a credential names. A credential for one that does not exist is invalid. */
export const openWorkspace = (workspaces: typeof Workspaces.Service, workspaceId: string) =>
  Effect.catchTag(
    workspaces.find(workspaceId),
    "not_found",
    () => Effect.fail(new AuthenticationFailed({ message: "There is no workspace with this id." }))
  )
