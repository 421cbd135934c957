/** Which workspace a command is about: the one that was named, or the only one. */
import * as Effect from "effect/Effect"
import type { UsageError } from "../UsageError.ts"
import { calledWrongly, failed } from "./failures.ts"

interface Listed {
  readonly workspace_id: string
  readonly name: string
}

export const choose = Effect.fnUntraced(function*(
  wanted: string | undefined,
  list: Effect.Effect<{ readonly workspaces: ReadonlyArray<Listed> }, UsageError>
) {
  if (wanted !== undefined) {
    // Whether it exists is for the service to say.
    if (/^[0-9a-f-]{36}$/i.test(wanted)) return wanted
    return yield* calledWrongly(`"${wanted}" is no workspace's id. "tributary workspaces list" has them.`)
  }
  const { workspaces } = yield* list
  const [only, another] = workspaces
  if (only === undefined) return yield* failed("There is no workspace yet. \"tributary workspaces create NAME\" makes one.")
  if (another === undefined) return only.workspace_id
  const known = workspaces.slice(0, 10).map(({ name, workspace_id }) => `  ${workspace_id}  ${name}`)
  return yield* calledWrongly(`There are several workspaces; choose one with --workspace ID:\n${known.join("\n")}`)
})
