/** A new account and its personal workspace. */
import { uuid7 } from "../../internal/uuid7.ts"
import type { AccountId, UserId, WorkspaceId } from "../../model/Id.ts"
import type { NewAccount, WorkspaceRecord } from "../../model/Workspace.ts"
import type { AccountRecord, OwnedAccount } from "../../ports/WorkspaceStore.ts"
import { ownerOf } from "./ownerOf.ts"

const PERSONAL_NAME = "Personal"

export const newWorkspace = (
  account: Pick<AccountRecord, "account_id" | "tier">,
  kind: WorkspaceRecord["kind"],
  name: string,
  now: number
): WorkspaceRecord => ({
  workspace_id: uuid7<WorkspaceId>(now),
  account_id: account.account_id,
  name,
  kind,
  tier: account.tier,
  created_at: new Date(now),
  grandfathered: false,
  suspended: false,
  overrides: {}
})

export const newAccount = ({ email, name, tier }: NewAccount, now: number) => {
  const account: AccountRecord = {
    account_id: uuid7<AccountId>(now),
    name,
    email: email ?? null,
    tier: tier ?? "free",
    created_at: new Date(now)
  }
  return { account, personal: newWorkspace(account, "personal", PERSONAL_NAME, now) }
}

/** The same with its owner, who has the e-mail. */
export const ownedAccount = (
  wanted: NewAccount & { readonly email: string },
  user_id: UserId,
  now: number
): OwnedAccount => {
  const { account, personal } = newAccount(wanted, now)
  return { account, personal, owner: { ...ownerOf(account, now), user_id } }
}
