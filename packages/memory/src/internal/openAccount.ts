/** Opens an account with its personal workspace, and its owner if one is given. */
import type { User } from "@tributary/core/model/Person"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import type { AccountRecord } from "@tributary/core/ports/WorkspaceStore"
import { copied } from "./copied.ts"
import type { State } from "./State.ts"

export const openAccount =
  ({ accounts, open, people }: State["Service"]) =>
  (account: AccountRecord, personal: WorkspaceRecord, owner?: User): void => {
    accounts.set(account.account_id, copied(account))
    open(copied(personal), null)
    if (owner === undefined) return
    const { created_at, user_id } = owner
    people.users.set(user_id, copied(owner))
    people.membersOf(personal.workspace_id).set(user_id, { role: "owner", joined_at: new Date(created_at) })
  }
