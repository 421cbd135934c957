/** The contract of `ApiKeyStore`. */
import { assert } from "@effect/vitest"
import type { ApiKey } from "@tributary/core/model/ApiKey"
import { DAY } from "@tributary/core/model/Day"
import { ApiKeyId, type WorkspaceId } from "@tributary/core/model/Id"
import { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect, Option } from "effect"
import { anyMoment, anyText } from "./internal/anyText.ts"
import { fiftyTimes, freshWorkspace, moment, newHash, newKey, newUuid } from "./internal/fixtures.ts"
import { type Kit, RUNS } from "./internal/Kit.ts"

const issue = Effect.fnUntraced(function*(workspaceId: WorkspaceId, fields?: Partial<ApiKey>) {
  const key = newKey(fields)
  const hash = newHash()
  yield* (yield* ApiKeyStore).insert(workspaceId, key, hash)
  return { key, hash }
})

/** The key, as it authenticates at that moment. */
const authenticated = Effect.fnUntraced(function*(hash: string, now: Date) {
  return Option.map(yield* (yield* ApiKeyStore).authenticate(hash, now), ({ key }) => key)
})

export const apiKeyStoreContract = (it: Kit): void => {
  it.effect.prop(
    "returns a key as it was stored",
    [anyText, anyText, anyMoment],
    ([name, id, expires_at]) =>
      Effect.gen(function*() {
        const home = yield* freshWorkspace
        const { key } = yield* issue(home, {
          name,
          hint: "😀b'\\",
          scopes: ["api:write", "custom_connectors:ingest"],
          created_by: { type: "api_key", id },
          created_at: moment(1),
          last_used_at: moment(2),
          expires_at
        })
        assert.deepStrictEqual(yield* (yield* ApiKeyStore).list(home), [key])
      }),
    RUNS
  )

  it.effect("authenticates a key with its workspace, even if that is suspended", () =>
    Effect.gen(function*() {
      const workspaces = yield* WorkspaceStore
      const home = yield* freshWorkspace
      const { hash, key } = yield* issue(home)
      yield* workspaces.update(home, { suspended: true, limits: { documents: 3 } })
      assert.deepStrictEqual(
        yield* (yield* ApiKeyStore).authenticate(hash, moment()),
        Option.some({
          key: { ...key, last_used_at: moment() },
          workspace: Option.getOrThrow(yield* workspaces.find(home))
        })
      )
    }))

  it.effect("finds no other secret and no other key", () =>
    Effect.gen(function*() {
      yield* issue(yield* freshWorkspace)
      assert.isTrue(Option.isNone(yield* authenticated(newHash(), moment())))
      const revoked = (yield* ApiKeyStore).revoke(ApiKeyId.make(newUuid()), null, moment())
      assert.isTrue(Option.isNone(yield* revoked))
    }))

  it.effect("refuses an expired key", () =>
    Effect.gen(function*() {
      const { hash } = yield* issue(yield* freshWorkspace, { expires_at: moment(1_000) })
      assert.isTrue(Option.isSome(yield* authenticated(hash, moment(999))))
      assert.isTrue(Option.isNone(yield* authenticated(hash, moment(1_000))))
      assert.isTrue(Option.isNone(yield* authenticated(hash, moment(1_001))))
    }))

  it.effect("refuses a revoked key at once, and keeps the first time if it is revoked again", () =>
    Effect.gen(function*() {
      const store = yield* ApiKeyStore
      const home = yield* freshWorkspace
      const { hash, key } = yield* issue(home)
      const { hash: otherHash } = yield* issue(home)
      const revoked = { ...key, revoked_at: moment(5) }
      const revoke = (millis: number) =>
        Effect.map(store.revoke(key.key_id, null, moment(millis)), Option.map(({ key }) => key))
      assert.deepStrictEqual(yield* revoke(5), Option.some(revoked))
      assert.isTrue(Option.isNone(yield* authenticated(hash, moment(4))))
      assert.deepStrictEqual(yield* revoke(9), Option.some(revoked))
      assert.isTrue(Option.isSome(yield* authenticated(otherHash, moment(6))))
      assert.deepStrictEqual((yield* store.list(home))[1], revoked)
    }))

  it.effect("updates the last use if it is older than a minute, and backwards only if the clock was set back", () =>
    Effect.gen(function*() {
      const store = yield* ApiKeyStore
      const home = yield* freshWorkspace
      const { hash, key } = yield* issue(home)
      const lastUseAfter = Effect.fnUntraced(function*(millis: number) {
        yield* store.authenticate(hash, moment(millis))
        return (yield* store.list(home))[0]?.last_used_at
      })
      assert.deepStrictEqual(yield* lastUseAfter(0), moment(0))
      assert.deepStrictEqual(yield* lastUseAfter(60_000), moment(0))
      assert.deepStrictEqual(yield* lastUseAfter(60_001), moment(60_001))
      assert.deepStrictEqual(yield* lastUseAfter(-600_000), moment(60_001))
      // The clock was set back.
      assert.deepStrictEqual(yield* lastUseAfter(-DAY), moment(-DAY))
      assert.deepStrictEqual(
        yield* authenticated(hash, moment(200_000)),
        Option.some({ ...key, last_used_at: moment(200_000) })
      )
    }))

  it.effect("finds a valid key by its id, with the hash of its secret, without counting a use", () =>
    Effect.gen(function*() {
      const store = yield* ApiKeyStore
      const home = yield* freshWorkspace
      const { hash, key } = yield* issue(home, { expires_at: moment(1_000) })
      yield* issue(home)
      const workspace = Option.getOrThrow(yield* (yield* WorkspaceStore).find(home))
      assert.deepStrictEqual(yield* store.findValid(key.key_id, moment(999)), Option.some({ key, workspace, hash }))
      assert.isTrue(Option.isNone(yield* store.findValid(key.key_id, moment(1_000))))
      assert.isTrue(Option.isNone(yield* store.findValid(ApiKeyId.make(newUuid()), moment())))
      yield* store.revoke(key.key_id, null, moment(5))
      assert.isTrue(Option.isNone(yield* store.findValid(key.key_id, moment(6))))
    }))

  it.effect("does not count a refused authentication as a use", () =>
    Effect.gen(function*() {
      const store = yield* ApiKeyStore
      const home = yield* freshWorkspace
      const { hash, key } = yield* issue(home, { expires_at: moment(1) })
      yield* store.authenticate(hash, moment(2))
      assert.deepStrictEqual(yield* store.list(home), [key])
    }))

  it.effect("lists the keys of one workspace, newest first", () =>
    Effect.gen(function*() {
      const store = yield* ApiKeyStore
      const [home, stranger] = [yield* freshWorkspace, yield* freshWorkspace]
      const { key: middle } = yield* issue(home, { created_at: moment(2) })
      const { key: newest } = yield* issue(home, { created_at: moment(3) })
      const { key: oldest } = yield* issue(home, { created_at: moment(1) })
      assert.deepStrictEqual(yield* store.list(home), [newest, middle, oldest])
      assert.deepStrictEqual(yield* store.list(stranger), [])
    }))

  it.effect("revokes a key once, even with fifty concurrent calls", () =>
    Effect.gen(function*() {
      const store = yield* ApiKeyStore
      const { key } = yield* issue(yield* freshWorkspace)
      const revoked = yield* fiftyTimes((index) => store.revoke(key.key_id, null, moment(index)))
      const moments = revoked.map((found) => Option.getOrThrow(found).key.revoked_at?.getTime())
      assert.strictEqual(new Set(moments).size, 1)
    }))
  it.effect("revokes a key in its own workspace, and returns the workspace", () =>
    Effect.gen(function*() {
      const store = yield* ApiKeyStore
      const [home, stranger] = [yield* freshWorkspace, yield* freshWorkspace]
      const { hash, key } = yield* issue(home)
      assert.isTrue(Option.isNone(yield* store.revoke(key.key_id, stranger, moment(1))))
      assert.isTrue(Option.isSome(yield* authenticated(hash, moment(1))))
      const { workspace } = Option.getOrThrow(yield* store.revoke(key.key_id, home, moment(2)))
      assert.deepStrictEqual(Option.some(workspace), yield* (yield* WorkspaceStore).find(home))
      assert.isTrue(Option.isNone(yield* authenticated(hash, moment(3))))
    }))

  it.effect("counts the requests of each key by day, even with fifty concurrent calls", () =>
    Effect.gen(function*() {
      const store = yield* ApiKeyStore
      const [home, stranger] = [yield* freshWorkspace, yield* freshWorkspace]
      const [{ key: one }, { key: two }] = [yield* issue(home), yield* issue(home)]
      const count = (key_id: ApiKeyId, day: string, requests: number) => ({ key_id, day, requests })
      yield* fiftyTimes(() =>
        store.countRequests([count(two.key_id, "2026-03-01", 2), count(one.key_id, "2026-03-01", 1)])
      )
      yield* store.countRequests([
        count(one.key_id, "2026-03-02", 7),
        count(ApiKeyId.make(newUuid()), "2026-03-02", 9)
      ])
      yield* store.countRequests([])
      assert.deepStrictEqual(yield* store.traffic(home, "2026-03-01"), [
        count(one.key_id, "2026-03-01", 50),
        count(one.key_id, "2026-03-02", 7),
        count(two.key_id, "2026-03-01", 100)
      ])
      assert.deepStrictEqual(yield* store.traffic(home, "2026-03-02"), [count(one.key_id, "2026-03-02", 7)])
      assert.deepStrictEqual(yield* store.traffic(stranger, "2026-03-01"), [])
      yield* store.pruneTraffic("2026-03-02")
      assert.deepStrictEqual(yield* store.traffic(home, "2026-03-01"), [count(one.key_id, "2026-03-02", 7)])
    }))
}
