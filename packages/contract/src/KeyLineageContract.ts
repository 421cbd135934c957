/** The contract for keys that keys created, and workspaces that keys created: revocation, suspension and expiry. */
import { assert } from "@effect/vitest"
import type { ApiKey } from "@tributary/core/model/ApiKey"
import type { WorkspaceId } from "@tributary/core/model/Id"
import { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect, Option } from "effect"
import { fiftyTimes, moment, newAccount, newHash, newJob, newKey, newQueue, newWorkspace } from "./internal/fixtures.ts"
import type { Kit } from "./internal/Kit.ts"

/** A workspace that a key of another made, and so on: the first is personal. */
const lineage = Effect.gen(function*() {
  const workspaces = yield* WorkspaceStore
  const account = newAccount()
  const first = newWorkspace(account)
  yield* workspaces.createAccount(account, first)
  const [second, third] = [newWorkspace(account, { kind: "shared" }), newWorkspace(account, { kind: "shared" })]
  yield* workspaces.createShared(second, null, first.workspace_id)
  yield* workspaces.createShared(third, null, second.workspace_id)
  return { account, ids: [first.workspace_id, second.workspace_id, third.workspace_id] as const }
})

const by = ({ key_id }: ApiKey) => ({ created_by: { type: "api_key" as const, id: key_id } })

const insert = Effect.fnUntraced(function*(workspaceId: WorkspaceId, fields?: Partial<ApiKey>) {
  const [key, hash] = [newKey(fields), newHash()]
  const inserted = yield* (yield* ApiKeyStore).insert(workspaceId, key, hash)
  return { key, hash, inserted }
})

/** Three keys, each made by the one before, in three workspaces. */
const family = Effect.gen(function*() {
  const { ids } = yield* lineage
  const root = yield* insert(ids[0])
  const child = yield* insert(ids[1], by(root.key))
  const grandchild = yield* insert(ids[2], by(child.key))
  return { ids, root, child, grandchild }
})

const isValid = Effect.fnUntraced(function*(hash: string) {
  return Option.isSome(yield* (yield* ApiKeyStore).authenticate(hash, moment()))
})

const suspended = Effect.fnUntraced(function*(ids: ReadonlyArray<WorkspaceId>) {
  const { find } = yield* WorkspaceStore
  return yield* Effect.forEach(ids, (id) => Effect.map(find(id), (found) => Option.getOrThrow(found).suspended))
})

export const keyLineageContract = (it: Kit): void => {
  it.effect("revokes the keys that a revoked key created, in every workspace, and no others", () =>
    Effect.gen(function*() {
      const keys = yield* ApiKeyStore
      const { child, grandchild, ids, root } = yield* family
      const [beside, later] = [yield* insert(ids[1]), yield* insert(ids[1], by(root.key))]
      yield* keys.revoke(later.key.key_id, null, moment(-5))
      assert.isTrue(Option.isSome(yield* keys.revoke(root.key.key_id, ids[0], moment())))
      for (const { hash } of [root, child, grandchild]) assert.isFalse(yield* isValid(hash))
      for (const { key } of [child, grandchild]) {
        assert.isTrue(Option.isNone(yield* keys.findValid(key.key_id, moment())))
      }
      assert.isTrue(yield* isValid(beside.hash))
      const revoked = (yield* keys.list(ids[1])).find(({ key_id }) => key_id === later.key.key_id)
      assert.deepStrictEqual(revoked?.revoked_at, moment(-5))
    }))

  it.effect("never revokes the creator of a key", () =>
    Effect.gen(function*() {
      const { child, root } = yield* family
      yield* (yield* ApiKeyStore).revoke(child.key.key_id, null, moment())
      assert.isTrue(yield* isValid(root.hash))
    }))

  it.effect("creates no key by one that is revoked, expired or unknown", () =>
    Effect.gen(function*() {
      const { ids, root } = yield* family
      const short = yield* insert(ids[0], { expires_at: moment(4) })
      assert.isTrue((yield* insert(ids[1], { ...by(short.key), created_at: moment(3) })).inserted)
      assert.isFalse((yield* insert(ids[1], { ...by(short.key), created_at: moment(4) })).inserted)
      assert.isFalse((yield* insert(ids[1], by(newKey()))).inserted)
      yield* (yield* ApiKeyStore).revoke(root.key.key_id, null, moment())
      assert.isFalse((yield* insert(ids[1], by(root.key))).inserted)
      assert.isTrue((yield* insert(ids[1])).inserted)
      assert.isFalse((yield* insert(newWorkspace(newAccount()).workspace_id)).inserted)
    }))

  it.effect("leaves no valid key if the creator is revoked while it creates fifty", () =>
    Effect.gen(function*() {
      const { ids, root } = yield* family
      const { revoke } = yield* ApiKeyStore
      const [made] = yield* Effect.all([
        fiftyTimes(() => insert(ids[1], by(root.key))),
        revoke(root.key.key_id, null, moment())
      ], { concurrency: "unbounded" })
      for (const { hash } of made) assert.isFalse(yield* isValid(hash))
    }))

  it.effect("revokes keys elsewhere that the keys of a closed workspace created", () =>
    Effect.gen(function*() {
      const { child, grandchild, ids } = yield* family
      yield* (yield* WorkspaceStore).close(ids[0], newJob(ids[0], newQueue()))
      for (const { hash } of [child, grandchild]) assert.isFalse(yield* isValid(hash))
    }))

  it.effect("suspends with a workspace those that its keys created, and lifts both", () =>
    Effect.gen(function*() {
      const { update } = yield* WorkspaceStore
      const { ids: [first, second, third] } = yield* lineage
      const ids = [first, second, third]
      yield* update(first, { suspended: true })
      assert.deepStrictEqual(yield* suspended(ids), [true, true, true])
      yield* update(first, { suspended: false })
      assert.deepStrictEqual(yield* suspended(ids), [false, false, false])
      // A suspension of its own remains when the inherited one is lifted.
      yield* update(third, { suspended: true })
      yield* update(first, { suspended: true })
      yield* update(first, { suspended: false })
      assert.deepStrictEqual(yield* suspended(ids), [false, false, true])
      yield* update(third, { suspended: false })
      yield* update(first, { suspended: true })
      yield* update(second, { suspended: false })
      assert.deepStrictEqual(yield* suspended(ids), [true, false, true])
      yield* update(first, { suspended: false })
      assert.deepStrictEqual(yield* suspended(ids), [false, false, false])
    }))

  it.effect("suspends a workspace that is created from a suspended one, until that is lifted", () =>
    Effect.gen(function*() {
      const { createShared, update } = yield* WorkspaceStore
      const { account, ids: [first, second] } = yield* lineage
      yield* update(first, { suspended: true })
      const [late, free] = [newWorkspace(account, { kind: "shared" }), newWorkspace(account, { kind: "shared" })]
      yield* createShared(late, null, second)
      yield* createShared(free, null, null)
      assert.deepStrictEqual(yield* suspended([late.workspace_id, free.workspace_id]), [true, false])
      yield* update(first, { suspended: false })
      assert.deepStrictEqual(yield* suspended([late.workspace_id]), [false])
    }))
}
