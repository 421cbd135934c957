/** The contract of `WorkspaceStore` for open workspaces. */
import { assert } from "@effect/vitest"
import { AccountId, WorkspaceId } from "@tributary/core/model/Id"
import { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect, Option } from "effect"
import { anyText } from "./internal/anyText.ts"
import { fiftyTimes, moment, newAccount, newHash, newKey, newUuid, newWorkspace } from "./internal/fixtures.ts"
import { type Kit, RUNS } from "./internal/Kit.ts"

const freshAccount = Effect.gen(function*() {
  const account = newAccount()
  const personal = newWorkspace(account)
  yield* (yield* WorkspaceStore).createAccount(account, personal)
  return { account, personal }
})

export const workspaceStoreContract = (it: Kit): void => {
  it.effect.prop(
    "returns an account and its personal workspace as they were stored",
    [anyText, anyText],
    ([name, email]) =>
      Effect.gen(function*() {
        const store = yield* WorkspaceStore
        const account = { ...newAccount(), name, email, created_at: moment(1) }
        const personal = newWorkspace(account, {
          name,
          grandfathered: true,
          overrides: { documents: 5, storage: null, search: { limit: 3, window_seconds: 60 } }
        })
        yield* store.createAccount(account, personal)
        assert.deepStrictEqual(yield* store.findAccount(account.account_id), Option.some(account))
        assert.deepStrictEqual(yield* store.find(personal.workspace_id), Option.some(personal))
      }),
    RUNS
  )

  it.effect("creates a workspace together with its first key, or neither if the key's creator was revoked", () =>
    Effect.gen(function*() {
      const [keys, workspaces] = [yield* ApiKeyStore, yield* WorkspaceStore]
      const { account, personal } = yield* freshAccount
      const maker = newKey()
      yield* keys.insert(personal.workspace_id, maker, newHash())
      const created_by = { type: "api_key", id: maker.key_id } as const
      const create = Effect.fnUntraced(function*() {
        const [workspace, first] = [newWorkspace(account, { kind: "shared" }), {
          key: newKey({ created_by }),
          hash: newHash()
        }]
        const added = yield* workspaces.createShared(workspace, null, null, first)
        return [added, yield* keys.list(workspace.workspace_id), [first.key]] as const
      })
      const [added, stored, issued] = yield* create()
      assert.deepStrictEqual([added, stored], [true, issued])
      yield* keys.revoke(maker.key_id, null, moment())
      const count = yield* workspaces.countShared(account.account_id)
      assert.deepStrictEqual((yield* create()).slice(0, 2), [false, []])
      assert.strictEqual(yield* workspaces.countShared(account.account_id), count)
    }))

  it.effect("finds nothing unknown", () =>
    Effect.gen(function*() {
      const store = yield* WorkspaceStore
      const accountId = AccountId.make(newUuid())
      assert.isTrue(Option.isNone(yield* store.findAccount(accountId)))
      assert.isTrue(Option.isNone(yield* store.find(WorkspaceId.make(newUuid()))))
      assert.isTrue(Option.isNone(yield* store.update(WorkspaceId.make(newUuid()), { suspended: true })))
      assert.deepStrictEqual(yield* store.list({ accountId, after: null, limit: 10 }), [])
      assert.isFalse(yield* store.removeAccount(accountId))
    }))

  it.effect("creates shared workspaces up to the allowance, not counting the personal one", () =>
    Effect.gen(function*() {
      const store = yield* WorkspaceStore
      const { account } = yield* freshAccount
      const shared = () => newWorkspace(account, { kind: "shared" })
      const [first, second] = [shared(), shared()]
      assert.isTrue(yield* store.createShared(first, 1, null))
      assert.isFalse(yield* store.createShared(second, 1, null))
      assert.deepStrictEqual(yield* store.find(first.workspace_id), Option.some(first))
      assert.isTrue(Option.isNone(yield* store.find(second.workspace_id)))
      assert.isTrue(yield* store.createShared(second, 2, null))
      assert.isTrue(yield* store.createShared(shared(), null, null))
      const absent = newWorkspace(newAccount(), { kind: "shared" })
      assert.isFalse(yield* store.createShared(absent, null, null))
      assert.isTrue(Option.isNone(yield* store.find(absent.workspace_id)))
    }))

  it.effect("fills the allowance exactly with fifty concurrent calls", () =>
    Effect.gen(function*() {
      const store = yield* WorkspaceStore
      const { account } = yield* freshAccount
      const added = yield* fiftyTimes(() => store.createShared(newWorkspace(account, { kind: "shared" }), 7, null))
      assert.strictEqual(added.filter((was) => was).length, 7)
      const all = yield* store.list({ accountId: account.account_id, after: null, limit: 100 })
      assert.strictEqual(all.filter(({ kind }) => kind === "shared").length, 7)
    }))

  it.effect("counts the shared workspaces of each account separately", () =>
    Effect.gen(function*() {
      const store = yield* WorkspaceStore
      const [{ account: one }, { account: other }] = [yield* freshAccount, yield* freshAccount]
      assert.isTrue(yield* store.createShared(newWorkspace(one, { kind: "shared" }), 1, null))
      assert.strictEqual(yield* store.countShared(other.account_id), 0)
      assert.isTrue(yield* store.createShared(newWorkspace(other, { kind: "shared" }), 1, null))
      yield* store.createShared(newWorkspace(one, { kind: "shared" }), null, null)
      assert.strictEqual(yield* store.countShared(one.account_id), 2)
      assert.strictEqual(yield* store.countShared(other.account_id), 1)
    }))

  it.effect("pages through an account's workspaces by id, stably while others are created", () =>
    Effect.gen(function*() {
      const store = yield* WorkspaceStore
      const { account, personal } = yield* freshAccount
      const { personal: foreign } = yield* freshAccount
      const shared = [1, 2, 3, 4].map(() => newWorkspace(account, { kind: "shared" }))
      const [a, b, c, d] = shared as [typeof personal, typeof personal, typeof personal, typeof personal]
      // Not in the order of their ids.
      for (const workspace of [c, a, b]) yield* store.createShared(workspace, null, null)
      const page = (after: WorkspaceId | null) => store.list({ accountId: account.account_id, after, limit: 2 })
      assert.deepStrictEqual(yield* page(null), [personal, a])
      yield* store.createShared(d, null, null)
      assert.deepStrictEqual(yield* page(a.workspace_id), [b, c])
      assert.deepStrictEqual(yield* page(c.workspace_id), [d])
      assert.deepStrictEqual(yield* page(d.workspace_id), [])
      const everyone = yield* store.list({ accountId: null, after: personal.workspace_id, limit: 3 })
      assert.deepStrictEqual(everyone, [foreign, a, b])
    }))

  it.effect("changes the given fields only, limit by limit", () =>
    Effect.gen(function*() {
      const store = yield* WorkspaceStore
      const { personal } = yield* freshAccount
      const { personal: bystander } = yield* freshAccount
      const { workspace_id } = personal
      yield* store.update(workspace_id, { limits: { documents: 5, ask: { limit: 1, window_seconds: 2 } } })
      yield* store.update(workspace_id, { tier: "pro", limits: { documents: null } })
      const updated = yield* store.update(workspace_id, { suspended: true, grandfathered: true })
      const expected = {
        ...personal,
        tier: "pro" as const,
        suspended: true,
        grandfathered: true,
        overrides: { documents: null, ask: { limit: 1, window_seconds: 2 } }
      }
      assert.deepStrictEqual(updated, Option.some(expected))
      assert.deepStrictEqual(yield* store.find(workspace_id), Option.some(expected))
      assert.deepStrictEqual(yield* store.find(bystander.workspace_id), Option.some(bystander))
      const following = { ...expected, overrides: {} }
      assert.deepStrictEqual(yield* store.update(workspace_id, { limits: null }), Option.some(following))
      assert.deepStrictEqual(yield* store.find(workspace_id), Option.some(following))
    }))

  it.effect("keeps every limit when fifty others are set concurrently", () =>
    Effect.gen(function*() {
      const store = yield* WorkspaceStore
      const { personal } = yield* freshAccount
      const names = ["documents", "storage", "doc_size", "shared_workspaces", "snapshots"] as const
      yield* fiftyTimes((index) => store.update(personal.workspace_id, { limits: { [names[index % 5]!]: index % 5 } }))
      const found = yield* store.find(personal.workspace_id)
      assert.deepStrictEqual(Option.getOrThrow(found).overrides, {
        documents: 0,
        storage: 1,
        doc_size: 2,
        shared_workspaces: 3,
        snapshots: 4
      })
    }))

  it.effect("deletes an account once", () =>
    Effect.gen(function*() {
      const store = yield* WorkspaceStore
      const [{ account }, { account: bystander }] = [yield* freshAccount, yield* freshAccount]
      assert.isTrue(yield* store.removeAccount(account.account_id))
      assert.isTrue(Option.isNone(yield* store.findAccount(account.account_id)))
      assert.isFalse(yield* store.removeAccount(account.account_id))
      assert.deepStrictEqual(yield* store.findAccount(bystander.account_id), Option.some(bystander))
    }))
}
