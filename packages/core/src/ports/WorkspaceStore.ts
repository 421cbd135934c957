/** Accounts and workspaces. */
import { Context, type Option } from "effect"
import type { AccountId, WorkspaceId } from "../model/Id.ts"
import type { Tier } from "../model/Plan.ts"
import type { WorkspacePatch, WorkspaceRecord } from "../model/Workspace.ts"
import type { NewJob } from "./JobStore.ts"
import type { Stored } from "./Storage.ts"

export interface AccountRecord {
  readonly account_id: AccountId
  readonly name: string
  readonly email: string | null
  readonly tier: Tier
  readonly created_at: Date
}

export class WorkspaceStore extends Context.Service<WorkspaceStore, {
  /** The account and its personal workspace, together. */
  createAccount(account: AccountRecord, personal: WorkspaceRecord): Stored<void>
  findAccount(accountId: AccountId): Stored<Option.Option<AccountRecord>>
  /**
   * Adds a shared workspace unless the account already has `allowance` of them (null: no allowance applies);
   * says whether it did. Exact when called many times at once. Not called for an account that is absent. What a key of
   * the workspace `parent` makes is suspended with that one.
   */
  createShared(
    workspace: WorkspaceRecord,
    allowance: number | null,
    parent: WorkspaceId | null
  ): Stored<boolean>
  /** How many shared workspaces the account has: what `createShared` holds against the allowance. */
  countShared(accountId: AccountId): Stored<number>
  find(workspaceId: WorkspaceId): Stored<Option.Option<WorkspaceRecord>>
  /** By id, ascending (so by age: ids are UUIDv7), after the given one; of one account, or of all. */
  list(options: {
    readonly accountId: AccountId | null
    readonly after: WorkspaceId | null
    readonly limit: number
  }): Stored<ReadonlyArray<WorkspaceRecord>>
  /**
   * What is given changes. A limit that is given replaces that limit's exception; the others stay. Suspending a workspace
   * suspends those that its keys have made, and those that theirs have; lifting that lifts it there, too, but not where a
   * workspace was suspended by itself. Each may be lifted by itself as well.
   */
  update(
    workspaceId: WorkspaceId,
    change: WorkspacePatch & { readonly name?: string }
  ): Stored<Option.Option<WorkspaceRecord>>
  /**
   * Makes a workspace absent for every other method from now on, its keys with it, revokes what those have made
   * elsewhere, cancels its jobs, and enqueues the job that erases its rows. Says whether it was there; what is absent is left alone.
   */
  close(workspaceId: WorkspaceId, erase: NewJob): Stored<boolean>
  /** The account itself; its workspaces are closed one by one before. Says whether it was there. */
  removeAccount(accountId: AccountId): Stored<boolean>
  /**
   * Removes every row of a closed workspace, its jobs but for running ones included. Repeating it is harmless; an
   * open workspace stays.
   */
  erase(workspaceId: WorkspaceId): Stored<void>
}>()("@tributary/core/ports/WorkspaceStore") {}
