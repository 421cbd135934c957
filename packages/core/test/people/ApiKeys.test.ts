import { assert, describe, it } from "@effect/vitest"
import { ApiKeys } from "@tributary/core/ApiKeys"
import { OPERATOR } from "@tributary/core/model/Principal"
import { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import { AuditStore } from "@tributary/core/ports/AuditStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Workspaces } from "@tributary/core/Workspaces"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { services, workspaceWith } from "../support/services.ts"

const keyed = ApiKeys.layer.pipe(Layer.provideMerge(services))

const authenticate = (secret: string) => Effect.flatMap(ApiKeys, (keys) => keys.authenticate(secret))

const issued = Effect.fnUntraced(function*(expires_at: Date | null = null) {
  const workspace = yield* workspaceWith()
  const keys = yield* ApiKeys
  const key = yield* keys.create(workspace.workspace_id, {
    name: "CI",
    scopes: ["knowledge:read", "api:write", "knowledge:read"],
    expires_at
  }, OPERATOR)
  return { workspace, keys, key }
})

describe("an API key", () => {
  it.effect("shows its secret once, at creation", () =>
    Effect.gen(function*() {
      const { key: { secret, ...key }, keys, workspace } = yield* issued()
      assert.match(secret, /^pk_live_[0-9A-Za-z]{43}$/)
      assert.deepStrictEqual(key, {
        key_id: key.key_id,
        name: "CI",
        hint: secret.slice(-4),
        scopes: ["knowledge:read", "api:write"],
        created_at: new Date(0),
        created_by: OPERATOR,
        last_used_at: null,
        expires_at: null,
        revoked_at: null
      })
      const listed = yield* keys.list(workspace.workspace_id)
      assert.deepStrictEqual(listed, [key])
      assert.notInclude(JSON.stringify(listed), secret)
    }).pipe(Effect.provide(keyed)))

  it.effect("authenticates with the whole secret, even in a suspended workspace", () =>
    Effect.gen(function*() {
      const { key, workspace } = yield* issued()
      const found = yield* authenticate(key.secret)
      assert.strictEqual(found.key.key_id, key.key_id)
      assert.deepStrictEqual(found.workspace, workspace)
      yield* (yield* Workspaces).update(workspace.workspace_id, { suspended: true })
      assert.isTrue((yield* authenticate(key.secret)).workspace.suspended)
      const wrong = key.secret.slice(0, -1) + (key.secret.endsWith("a") ? "b" : "a")
      assert.strictEqual((yield* Effect.flip(authenticate(wrong)))._tag, "authentication_error")
    }).pipe(Effect.provide(keyed)))

  it.effect("is not looked up if its form is invalid", () => {
    const noStore = Layer.mergeAll(
      Layer.mock(ApiKeyStore, {}),
      Layer.mock(WorkspaceStore, {}),
      Layer.mock(AuditStore, {})
    )
    return Effect.gen(function*() {
      for (
        const secret of [
          "",
          "pk_live_",
          "Bearer x",
          `pk_test_${"a".repeat(43)}`,
          `pk_live_${"a".repeat(44)}`,
          `pk_live_${"a".repeat(42)}-`
        ]
      ) {
        assert.strictEqual((yield* Effect.flip(authenticate(secret)))._tag, "authentication_error")
      }
    }).pipe(Effect.provide(ApiKeys.layer.pipe(Layer.provide(noStore))))
  })

  it.effect("is refused from its revocation on, and keeps the time", () =>
    Effect.gen(function*() {
      const { key, keys } = yield* issued()
      yield* TestClock.adjust("1 minute")
      const revoked = yield* keys.revoke(key.key_id.toUpperCase(), null, OPERATOR)
      assert.deepStrictEqual(revoked.revoked_at, new Date(60_000))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual((yield* keys.revoke(key.key_id, null, OPERATOR)).revoked_at, new Date(60_000))
      assert.strictEqual((yield* Effect.flip(authenticate(key.secret)))._tag, "authentication_error")
      for (const id of ["x", "", "00000000-0000-7000-8000-000000000000"]) {
        const unknown = yield* Effect.flip(keys.revoke(id, null, OPERATOR))
        assert.deepInclude(unknown, { _tag: "not_found", message: "No such API key." })
      }
    }).pipe(Effect.provide(keyed)))

  it.effect("that has expired is refused like a revoked one", () =>
    Effect.gen(function*() {
      const { key, keys } = yield* issued(new Date(60_000))
      yield* TestClock.setTime(59_999)
      yield* authenticate(key.secret)
      yield* TestClock.setTime(60_000)
      const expired = yield* Effect.flip(authenticate(key.secret))
      yield* keys.revoke(key.key_id, null, OPERATOR)
      assert.deepStrictEqual(yield* Effect.flip(authenticate(key.secret)), expired)
    }).pipe(Effect.provide(keyed)))

  it.effect("records its last use, at most a minute late", () =>
    Effect.gen(function*() {
      const { key, keys, workspace } = yield* issued()
      const lastUse = Effect.map(
        keys.list(workspace.workspace_id),
        ([listed]) => listed?.last_used_at?.getTime() ?? null
      )
      yield* TestClock.setTime(10_000)
      yield* authenticate(key.secret)
      assert.strictEqual(yield* lastUse, 10_000)
      yield* TestClock.setTime(100_000)
      yield* authenticate(key.secret)
      assert.strictEqual(yield* lastUse, 100_000)
    }).pipe(Effect.provide(keyed)))

  it.effect("has its requests counted by UTC day, at most a minute late, for 30 days", () =>
    Effect.gen(function*() {
      const { key, keys, workspace: { workspace_id } } = yield* issued()
      const traffic = Effect.map(keys.traffic(workspace_id), (counts) =>
        counts.map(({ day, key_id, requests }) => {
          assert.strictEqual(key_id, key.key_id)
          return [day, requests]
        }))
      yield* TestClock.setTime(86_390_000)
      yield* authenticate(key.secret)
      yield* authenticate(key.secret)
      yield* TestClock.setTime(86_410_000)
      yield* authenticate(key.secret)
      yield* Effect.flip(authenticate("pk_live_x"))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* traffic, [["1970-01-01", 2], ["1970-01-02", 1]])
      yield* authenticate(key.secret)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* traffic, [["1970-01-01", 2], ["1970-01-02", 2]])
      yield* TestClock.setTime(30 * 86_400_000)
      assert.deepStrictEqual(yield* traffic, [["1970-01-02", 2]])
    }).pipe(Effect.provide(keyed)))

  it.effect("belongs to an existing workspace", () =>
    Effect.gen(function*() {
      const keys = yield* ApiKeys
      for (const id of ["x", "", "00000000-0000-7000-8000-000000000000"]) {
        assert.strictEqual(
          (yield* Effect.flip(keys.create(id, { name: "K", scopes: ["api:read"] }, OPERATOR)))._tag,
          "not_found"
        )
        assert.strictEqual((yield* Effect.flip(keys.list(id)))._tag, "not_found")
      }
      const { key, workspace } = yield* issued()
      yield* (yield* Workspaces).erase(workspace.workspace_id)
      assert.strictEqual((yield* Effect.flip(authenticate(key.secret)))._tag, "authentication_error")
    }).pipe(Effect.provide(keyed)))
})
