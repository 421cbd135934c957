/** Nothing is pulled in or sent out for a suspended workspace. */
import { Effect, Option } from "effect"
import type { WorkspaceId } from "../model/Id.ts"
import { WorkspaceStore } from "../ports/WorkspaceStore.ts"

export const isSuspended = Effect.fnUntraced(function*(workspaceId: WorkspaceId) {
  const workspace = yield* (yield* WorkspaceStore).find(workspaceId)
  return Option.exists(workspace, ({ suspended }) => suspended)
})
