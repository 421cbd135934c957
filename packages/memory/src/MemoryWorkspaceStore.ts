/** Accounts and workspaces in memory. */
import type { AccountId } from "@tributary/core/model/Id"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect, Layer, Option } from "effect"
import { copied, found } from "./internal/copied.ts"
import { openAccount } from "./internal/openAccount.ts"
import { State } from "./internal/State.ts"

export const layer = Layer.effect(
  WorkspaceStore,
  Effect.gen(function*() {
    const state = yield* State
    const { accounts, addKey, close, jobs, mayBeMade, open, people, suspend, workspaces, workspacesOf } = state
    const opening = openAccount(state)

    const countShared = (accountId: AccountId): number =>
      workspacesOf(accountId).where(({ record }) => record.kind === "shared").length

    return WorkspaceStore.of({
      createAccount: (account, personal, owner) => Effect.sync(() => opening(account, personal, owner)),

      findAccount: (accountId) => Effect.sync(() => found(accounts.get(accountId))),

      createShared: (workspace, allowance, parent, first) =>
        Effect.sync(() => {
          if (!accounts.has(workspace.account_id)) return false
          if (allowance !== null && countShared(workspace.account_id) >= allowance) return false
          if (first !== undefined && !mayBeMade(first.key)) return false
          open(copied(workspace), parent)
          if (first !== undefined) {
            addKey({ ...copied(first), workspace: workspaces.get(workspace.workspace_id)!, traffic: new Map() })
          }
          return true
        }),

      countShared: (accountId) => Effect.sync(() => countShared(accountId)),

      find: (workspaceId) => Effect.sync(() => found(workspaces.get(workspaceId)?.record)),

      list: ({ accountId, after, limit }) =>
        Effect.sync(() =>
          workspacesOf(accountId)
            .ascending(limit, ({ record }) => after === null || record.workspace_id > after)
            .map(({ record }) => copied(record))
        ),

      update: (workspaceId, { limits, ...patch }) =>
        Effect.sync(() => {
          const row = workspaces.get(workspaceId)
          if (row === undefined) return Option.none()
          const overrides = limits === null ? {} : { ...row.record.overrides, ...copied(limits) }
          row.record = { ...row.record, ...patch, overrides }
          if (patch.suspended !== undefined) {
            row.suspendedWith = null
            suspend(workspaceId, workspaceId, patch.suspended)
          }
          return Option.some(copied(row.record))
        }),

      close: (workspaceId, erase) =>
        Effect.sync(() => {
          const row = workspaces.get(workspaceId)
          if (row === undefined) return false
          jobs.cancelAll(workspaceId, erase.created_at)
          // Before it is closed, as it takes no further job then.
          jobs.enqueue(erase, null)
          close(row, erase.created_at)
          return true
        }),

      removeAccount: (accountId) =>
        Effect.sync(() => {
          people.eraseAccount(accountId)
          return accounts.delete(accountId)
        }),

      // All but the jobs went when the workspace was closed.
      erase: (workspaceId) =>
        Effect.sync(() => {
          if (!workspaces.has(workspaceId)) jobs.erase(workspaceId)
        })
    })
  })
)
