/** Accounts and workspaces. */
import { Context, type Option } from "effect"
import type { AccountId, WorkspaceId } from "../model/Id.ts"
import type { User } from "../model/Person.ts"
import type { Tier } from "../model/Plan.ts"
import type { WorkspacePatch, WorkspaceRecord } from "../model/Workspace.ts"
import type { HashedKey } from "./ApiKeyStore.ts"
import type { NewJob } from "./JobStore.ts"
import type { Stored } from "./Storage.ts"

export interface AccountRecord {
  readonly account_id: AccountId
  readonly name: string
  readonly email: string | null
  readonly tier: Tier
  readonly created_at: Date
}

/** A new account with its personal workspace and its owner. */
export interface OwnedAccount {
  readonly account: AccountRecord
  readonly personal: WorkspaceRecord
  readonly owner: User
}

export class WorkspaceStore extends Context.Service<WorkspaceStore, {
  /** The account and its personal workspace, together, and its owner if one is given. */
  createAccount(account: AccountRecord, personal: WorkspaceRecord, owner?: User): Stored<void>
  findAccount(accountId: AccountId): Stored<Option.Option<AccountRecord>>
  /**
   * Adds a shared workspace unless the account already has `allowance` of them (null: no limit). Returns whether it
   * did: false, too, if the account is absent. Exact with concurrent calls. A workspace created by a key of the
   * workspace `parent` is suspended with that one. `first` is stored in the same act; false, without a workspace, if
   * the key that created it is not valid any more.
   */
  createShared(
    workspace: WorkspaceRecord,
    allowance: number | null,
    parent: WorkspaceId | null,
    first?: HashedKey
  ): Stored<boolean>
  /** The number of shared workspaces of the account, which `createShared` compares with the allowance. */
  countShared(accountId: AccountId): Stored<number>
  find(workspaceId: WorkspaceId): Stored<Option.Option<WorkspaceRecord>>
  /** By id, ascending (so by age: ids are UUIDv7), after the given one; of one account, or of all. */
  list(options: {
    readonly accountId: AccountId | null
    readonly after: WorkspaceId | null
    readonly limit: number
  }): Stored<ReadonlyArray<WorkspaceRecord>>
  /**
   * Changes the given fields. A given limit replaces that limit's exception; the others stay. Suspending a workspace
   * suspends recursively the workspaces that its keys created; lifting the suspension lifts it there, except for a
   * workspace that was suspended directly. Each can also be lifted separately.
   */
  update(
    workspaceId: WorkspaceId,
    change: WorkspacePatch & { readonly name?: string }
  ): Stored<Option.Option<WorkspaceRecord>>
  /**
   * Closes a workspace: it becomes absent for every other method, with its keys; the keys that those created elsewhere
   * are revoked, its jobs are cancelled, and the job that erases its rows is enqueued. Returns whether it existed.
   * Ignores an absent workspace.
   */
  close(workspaceId: WorkspaceId, erase: NewJob): Stored<boolean>
  /** Deletes the account; its workspaces are closed one by one before. Returns whether it existed. */
  removeAccount(accountId: AccountId): Stored<boolean>
  /**
   * Deletes every row of a closed workspace, including its jobs except running ones. Idempotent; an open workspace
   * stays.
   */
  erase(workspaceId: WorkspaceId): Stored<void>
}>()("@tributary/core/ports/WorkspaceStore") {}
