// The operator API and workspaces (decisions 3, 7 and 8).
import { assert, describe, it } from "@effect/vitest"
import { TestClock } from "effect/testing"
import { Effect } from "effect"
import { ADMIN_TOKEN, code, field, wire } from "../support/wire.ts"

type Json = Readonly<Record<string, unknown>>

describe("The operator API", () => {
  it.effect("accepts only its token", () =>
    Effect.gen(function*() {
      const { key, send } = yield* wire()
      for (const token of [null, key.secret, "", `${ADMIN_TOKEN}x`, ADMIN_TOKEN.slice(0, -1)]) {
        const answer = yield* send("GET", "/admin/v1/workspaces", { key: token })
        assert.deepStrictEqual([answer.status, code(answer)], [401, "authentication_error"])
        assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
      }
      assert.strictEqual((yield* send("GET", "/v1/usage/current", { key: ADMIN_TOKEN })).status, 401)
    }))

  it.effect("creates an account without e-mail on the free plan if they are null, as if they are absent", () =>
    Effect.gen(function*() {
      const { operate } = yield* wire()
      const account = yield* operate("POST", "/accounts", { body: { name: "Ada", email: null, tier: null } })
      assert.strictEqual(account.status, 201)
      assert.strictEqual(field<Json>(account, "personal_workspace")["tier"], "free")
    }))

  it.effect("creates an account with its personal workspace, and shared ones", () =>
    Effect.gen(function*() {
      const { operate } = yield* wire()
      const account = yield* operate("POST", "/accounts", { body: { name: "Ada", email: "ada@example.com" } })
      assert.deepStrictEqual([account.status, Object.keys(account.body as Json)], [201, [
        "account_id",
        "personal_workspace"
      ]])
      const unreachable = yield* operate("POST", "/accounts", { body: { name: "Ada", email: "ada" } })
      assert.deepStrictEqual([unreachable.status, unreachable.body], [422, {
        detail: [{
          type: "value_error",
          loc: ["body", "email"],
          msg: "Value error, not a valid e-mail address",
          input: "ada"
        }]
      }])
      const { workspace_id: _, ...personal } = field<Json>(account, "personal_workspace")
      assert.deepStrictEqual(personal, {
        name: "Personal",
        kind: "personal",
        tier: "free",
        created_at: "1970-01-01T00:00:00.000Z"
      })
      const account_id = field<string>(account, "account_id")
      for (const name of ["One", "Two", "Three"]) {
        const shared = yield* operate("POST", "/workspaces", { body: { account_id, name } })
        assert.deepStrictEqual([shared.status, field(shared, "kind"), field(shared, "name")], [201, "shared", name])
      }
      const nobody = yield* operate("POST", "/workspaces", { body: { account_id: crypto.randomUUID(), name: "x" } })
      assert.deepStrictEqual([nobody.status, code(nobody)], [404, "not_found"])
      const page = yield* operate("GET", "/workspaces?limit=2")
      assert.strictEqual(field<ReadonlyArray<unknown>>(page, "workspaces").length, 2)
      const rest = yield* operate("GET", `/workspaces?cursor=${field<string>(page, "next_cursor")}`)
      assert.deepStrictEqual([field<ReadonlyArray<unknown>>(rest, "workspaces").length, field(rest, "next_cursor")], [
        3,
        null
      ])
    }))

  it.effect("changes plan and single limits", () =>
    Effect.gen(function*() {
      const { operate, workspace } = yield* wire()
      const path = `/workspaces/${workspace.workspace_id}`
      const body = { limits: { documents: 7, ask: { limit: 1, window_seconds: 10 }, search: null } }
      const limits = field<Json>(yield* operate("PATCH", path, { body }), "limits")
      assert.deepInclude(limits, body.limits)
      assert.deepStrictEqual(limits["refresh"], { limit: 2, window_seconds: 3_600 })
      const pro = yield* operate("PATCH", path, { body: { tier: "pro" } })
      assert.deepStrictEqual([field(pro, "tier"), field<Json>(pro, "limits")["refresh"]], ["pro", null])
      const refused = yield* operate("PATCH", path, { body: { tier: "gold", x: 1, limits: { documents: -1 } } })
      const { detail } = refused.body as { readonly detail: ReadonlyArray<Json> }
      assert.deepStrictEqual(detail.map(({ loc, type }) => [type, loc]), [
        ["literal_error", ["body", "tier"]],
        ["greater_than_equal", ["body", "limits", "documents"]],
        ["extra_forbidden", ["body", "x"]]
      ])
      assert.strictEqual((yield* operate("PATCH", "/workspaces/x", { body: {} })).status, 404)
    }))

  it.effect("issues keys, lists them without their secret, and revokes them", () =>
    Effect.gen(function*() {
      const { key, operate, workspace } = yield* wire()
      const path = `/workspaces/${workspace.workspace_id}/api-keys`
      const made = yield* operate("POST", path, { body: { name: "Deploy", scopes: ["knowledge:read"] } })
      assert.strictEqual(made.status, 201)
      const { secret, ...rest } = made.body as { readonly secret: string }
      assert.match(secret, /^pk_live_[0-9A-Za-z]{43}$/)
      assert.deepInclude(rest, {
        name: "Deploy",
        hint: secret.slice(-4),
        scopes: ["knowledge:read"],
        created_by: { type: "user", id: "operator" },
        last_used_at: null,
        expires_at: null,
        revoked_at: null
      })
      const listed = yield* operate("GET", path)
      const keys = field<ReadonlyArray<Json>>(listed, "api_keys")
      assert.sameMembers(keys.map(({ key_id }) => key_id), [key.key_id, field(made, "key_id")])
      assert.notInclude(listed.text, "secret")
      const key_id = field<string>(made, "key_id")
      const revoked = yield* operate("DELETE", `/api-keys/${key_id}`)
      assert.deepStrictEqual([revoked.status, revoked.body], [200, { status: "revoked", key_id }])
      assert.strictEqual((yield* operate("DELETE", `/api-keys/${crypto.randomUUID()}`)).status, 404)
      const past = { name: "Late", scopes: ["knowledge:read"], expires_at: "1970-01-01T01:00:00.000+01:00" }
      const late = yield* operate("POST", path, { body: past })
      assert.deepStrictEqual([late.status, late.body], [422, {
        detail: [{
          type: "value_error",
          loc: ["body", "expires_at"],
          msg: "Value error, must be in the future"
        }]
      }])
      for (const scopes of [[], ["nonsense"], null]) {
        assert.strictEqual((yield* operate("POST", path, { body: { name: "x", scopes } })).status, 422)
      }
    }))

  it.effect("erases a workspace and an account; their keys stop at once", () =>
    Effect.gen(function*() {
      const { account, operate, send, workspace } = yield* wire()
      const { workspace_id } = workspace
      const gone = yield* operate("DELETE", `/workspaces/${workspace_id}`)
      assert.deepStrictEqual([gone.status, gone.body], [200, { status: "deleted", workspace_id }])
      assert.strictEqual((yield* send("GET", "/v1/usage/current")).status, 401)
      const { account_id } = account
      const all = yield* operate("DELETE", `/accounts/${account_id}`)
      assert.deepStrictEqual([all.status, all.body], [200, { status: "deleted", account_id }])
      assert.strictEqual((yield* operate("DELETE", `/accounts/${account_id}`)).status, 404)
    }))
})

describe("POST /v1/workspaces", () => {
  it.effect("a shared workspace within the allowance, with a key for it; beyond it 422 with the count", () =>
    Effect.gen(function*() {
      const { newKey, send } = yield* wire()
      const { secret } = yield* newKey(["workspaces:write", "knowledge:read"])
      const made = yield* send("POST", "/v1/workspaces", { key: secret, body: { name: "Team" } })
      assert.deepStrictEqual([made.status, field(made, "kind")], [201, "shared"])
      const key = field<{ readonly secret: string; readonly scopes: ReadonlyArray<string> }>(made, "api_key")
      assert.sameMembers([...key.scopes], ["workspaces:write", "knowledge:read"])
      assert.strictEqual((yield* send("GET", "/v1/knowledge/status", { key: key.secret })).status, 200)
      const over = yield* send("POST", "/v1/workspaces", { body: { name: "More" } })
      assert.deepStrictEqual([over.status, code(over), field(over, "details")], [422, "unprocessable_entity", null])
      assert.include(field(over, "message"), "1")
      const listed = yield* send("GET", "/v1/workspaces")
      assert.deepStrictEqual(field<ReadonlyArray<Json>>(listed, "workspaces").map(({ name }) => name), [
        "Personal",
        "Team"
      ])
      assert.deepStrictEqual(Object.keys(listed.body as Json), ["workspaces", "next_cursor"])
    }))

  it.effect("whose key expires with the key that created it", () =>
    Effect.gen(function*() {
      const { operate, send, workspace } = yield* wire()
      const short = yield* operate("POST", `/workspaces/${workspace.workspace_id}/api-keys`, {
        body: { name: "Short", scopes: ["api:read", "api:write"], expires_at: "1970-01-01T00:01:00Z" }
      })
      const made = yield* send("POST", "/v1/workspaces", { key: field<string>(short, "secret"), body: { name: "N" } })
      const key = field<{ readonly secret: string; readonly expires_at: string }>(made, "api_key")
      assert.strictEqual(key.expires_at, "1970-01-01T00:01:00.000Z")
      assert.strictEqual((yield* send("GET", "/v1/usage/current", { key: key.secret })).status, 200)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* send("GET", "/v1/usage/current", { key: key.secret })).status, 401)
    }))
})
