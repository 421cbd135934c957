/** The owner of an account: the first owner of its personal workspace, who owns all its workspaces. */
import type { User } from "@tributary/core/model/Person"
import type { PeopleStore } from "@tributary/core/ports/PeopleStore"
import type { WorkspaceId } from "@tributary/core/model/Id"
import { Effect, Option } from "effect"
import { copied } from "./copied.ts"
import { byText } from "./Ordered.ts"
import type { State } from "./State.ts"

export const accountOwners = (
  { people, workspacesOf }: State["Service"]
): Pick<PeopleStore["Service"], "owner" | "setOwner"> => {
  const workspacesOfAccount = (accountId: User["account_id"]) => {
    const open = workspacesOf(accountId).where().map(({ record }) => record)
    return { open, personal: open.find(({ kind }) => kind === "personal") }
  }

  const firstOwner = (workspaceId: WorkspaceId): User | undefined => {
    const owners = [...people.membersOf(workspaceId)].filter(([, { role }]) => role === "owner").map(([id]) => id)
    const [first] = owners.sort(byText)
    return first && people.users.get(first)
  }

  return {
    owner: (candidate) =>
      Effect.sync(() => {
        const { open, personal } = workspacesOfAccount(candidate.account_id)
        if (personal === undefined) return Option.none()
        const present = firstOwner(personal.workspace_id)
        if (present !== undefined) return Option.some(copied(present))
        const taken = candidate.email !== null && people.hasProven(candidate.account_id, candidate.email) !== undefined
        const user: User = taken ? { ...candidate, email: null, email_proof: "none" } : candidate
        people.users.set(user.user_id, copied(user))
        for (const { workspace_id } of open) {
          people.membersOf(workspace_id).set(user.user_id, { role: "owner", joined_at: new Date(user.created_at) })
        }
        return Option.some(copied(user))
      }),

    setOwner: (wanted, at) =>
      Effect.sync(() => {
        const { account_id, email } = wanted
        const { open, personal } = workspacesOfAccount(account_id)
        if (account_id === null || personal === undefined) return Option.none()
        const proven = email === null ? undefined : people.hasProven(account_id, email)
        const user = people.users.get(wanted.user_id) ?? proven ?? copied(wanted)
        const { user_id } = user
        people.users.set(user_id, user)
        for (const { workspace_id } of open) {
          const members = people.membersOf(workspace_id)
          const joined_at = members.get(user_id)?.joined_at ?? new Date(at)
          members.set(user_id, { role: "owner", joined_at })
        }
        for (const other of people.membersOf(personal.workspace_id).keys()) {
          if (other !== user_id) people.leave(personal.workspace_id, other)
        }
        return Option.some(copied(user))
      })
  }
}
