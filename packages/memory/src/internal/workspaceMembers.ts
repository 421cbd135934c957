/** Users as members of workspaces. */
import type { Member } from "@tributary/core/model/Person"
import type { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { Effect, Option } from "effect"
import { copied, found } from "./copied.ts"
import { byText } from "./Ordered.ts"
import type { State } from "./State.ts"

export const workspaceMembers = (
  { membership, people, workspaces }: State["Service"]
): Pick<PeopleStore["Service"], "personal" | "membership" | "memberships" | "members" | "setRole"> => ({
  personal: (userId) =>
    Effect.sync(() => {
      for (const [workspaceId, members] of people.members) {
        const workspace = workspaces.get(workspaceId)?.record
        if (members.get(userId)?.role === "owner" && workspace?.kind === "personal") return found(workspace)
      }
      return Option.none()
    }),

  membership: (userId, workspaceId) => Effect.sync(() => found(membership(userId, workspaceId))),

  memberships: (userId, { after, limit }) =>
    Effect.sync(() =>
      copied(
        [...people.members.keys()].filter((id) => after === null || id > after).sort(byText)
          .flatMap((id) => membership(userId, id) ?? []).slice(0, limit)
      )
    ),

  members: (workspaceId, { after, limit }) =>
    Effect.sync(() =>
      copied(
        [...people.members.get(workspaceId) ?? []].filter(([id]) => after === null || id > after)
          .sort(([left], [right]) => byText(left, right)).slice(0, limit)
          .map(([user_id, { joined_at, role }]): Member => {
            const { email, email_proof, name } = people.users.get(user_id)!
            return { user_id, email, email_proof, name, role, joined_at }
          })
      )
    ),

  setRole: (workspaceId, userId, role) =>
    Effect.sync(() => {
      const members = people.members.get(workspaceId)
      const part = members?.get(userId)
      if (members === undefined || part === undefined) return "absent"
      const owners = [...members.values()].filter(({ role }) => role === "owner").length
      if (part.role === "owner" && role !== "owner" && owners === 1) return "last_owner"
      if (role === null) people.leave(workspaceId, userId)
      else part.role = role
      return "changed"
    })
})
