/** The workspace of a command: the given one, or the only one. */
import type { Operator } from "@tributary/client/operator"
import * as Effect from "effect/Effect"
import { calledWrongly, failed, type UsageError } from "../UsageError.ts"

interface Listed {
  readonly workspace_id: string
  readonly name: string
}

/** The number of workspaces that the error lists. */
const NAMED = 10

/** Requests no more than are listed. */
export const firstWorkspaces = async ({ workspaces }: Operator): Promise<ReadonlyArray<Listed>> => {
  const page = await workspaces.list({ limit: NAMED }).pages().next()
  return page.done === true ? [] : page.value.items
}

export const chooseWorkspace = Effect.fnUntraced(function*(
  wanted: string | undefined,
  /** The first ones, oldest first. */
  list: Effect.Effect<ReadonlyArray<Listed>, UsageError>
) {
  if (wanted !== undefined) {
    // The service checks whether it exists.
    if (/^[0-9a-f-]{36}$/i.test(wanted)) return wanted
    return yield* calledWrongly(`"${wanted}" is no workspace's id. "tributary workspaces list" has them.`)
  }
  const workspaces = yield* list
  const [only, another] = workspaces
  if (only === undefined) {
    return yield* failed("There is no workspace yet. \"tributary workspaces create NAME\" makes one.")
  }
  if (another === undefined) return only.workspace_id
  const known = workspaces.map(({ name, workspace_id }) => `  ${workspace_id}  ${name}`)
  return yield* calledWrongly(`There are several workspaces; choose one with --workspace ID:\n${known.join("\n")}`)
})
