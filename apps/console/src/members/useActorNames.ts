/** Names of those who act in a workspace, for its owners. */
import type { AuditLogEntry } from "../api/consoleApi.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { useKeys } from "../keys/useKeys.ts"
import { useMembers } from "./useMembers.ts"

/** Former members and deleted keys have only their id. */
export const useActorNames = () => {
  const { me } = useWorkspace()
  const { data: keys = [] } = useKeys()
  const { members = [] } = useMembers()
  const names = new Map([
    ...members.map(({ name, user_id }) => [user_id, name] as const),
    ...keys.map(({ key_id, name }) => [key_id, `the key “${name}”`] as const),
    [me.user.user_id, "you"],
    ["operator", "the operator"]
  ])
  return ({ id }: AuditLogEntry["actor"]): string => names.get(id) ?? id
}
