// Operators with their own tokens, and the operator log.
import { assert, describe, it } from "@effect/vitest"
import { chainProblem } from "@tributary/core/operatorChain"
import { OperatorLogEntry } from "@tributary/core/model/OperatorLogEntry"
import { StorageUnavailable } from "@tributary/core/model/Error"
import { OperatorLog } from "@tributary/core/OperatorLog"
import { Workspaces } from "@tributary/core/Workspaces"
import { Context, Effect, Layer, Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { TestClock } from "effect/testing"
import { RequiredOperatorScope } from "../../src/api/Access.ts"
import { OperatorApi } from "../../src/api/OperatorApi.ts"
import { code, field, UUID, wire } from "../support/wire.ts"

type Wire = Effect.Success<ReturnType<typeof wire>>

const made = Effect.fnUntraced(function*({ operate }: Wire, fields: object = {}) {
  const body = { name: "Ada", scopes: ["operator:read", "operator:write"], ...fields }
  const answer = yield* operate("POST", "/operators", { body })
  assert.strictEqual(answer.status, 201)
  return answer.body as { readonly operator_id: string; readonly token: string; readonly hint: string }
})

const decode = Schema.decodeUnknownSync(Schema.Array(OperatorLogEntry))

const logOf = Effect.fnUntraced(function*({ operate }: Wire, query = "limit=100") {
  const answer = yield* operate("GET", `/audit-log?${query}`)
  assert.strictEqual(answer.status, 200)
  return decode(field(answer, "entries"))
})

const statusesOf = ({ operate }: Wire, key: string, calls: ReadonlyArray<readonly [string, string, object?]>) =>
  Effect.forEach(
    calls,
    ([method, path, body]) => Effect.map(operate(method, path, { key, ...(body && { body }) }), ({ status }) => status)
  )

describe("An operator", () => {
  it.effect("is authenticated by a token that is shown once and not listed", () =>
    Effect.gen(function*() {
      const service = yield* wire()
      const { hint, operator_id, token } = yield* made(service, { expires_at: "1970-01-02T00:00:00Z" })
      assert.match(operator_id, UUID)
      assert.match(token, /^op_live_[0-9A-Za-z]{43}$/)
      assert.strictEqual(token.slice(-4), hint)
      const listed = yield* service.operate("GET", "/operators")
      assert.deepStrictEqual(field(listed, "operators"), [{
        operator_id,
        name: "Ada",
        hint,
        scopes: ["operator:read", "operator:write"],
        created_at: "1970-01-01T00:00:00.000Z",
        expires_at: "1970-01-02T00:00:00.000Z"
      }])
      assert.notInclude(listed.text, token)
      assert.strictEqual((yield* service.operate("GET", "/workspaces", { key: token })).status, 200)
      assert.strictEqual((yield* service.send("GET", "/v1/usage/current", { key: token })).status, 401)
    }))

  it.effect("is refused once its token is revoked or expired", () =>
    Effect.gen(function*() {
      const service = yield* wire()
      const [one, two] = [yield* made(service), yield* made(service, { expires_at: "1970-01-01T01:00:00Z" })]
      const statuses = () =>
        Effect.forEach([one, two], ({ token }) =>
          Effect.map(service.operate("GET", "/workspaces", { key: token }), ({ status }) => status))
      assert.deepStrictEqual(yield* statuses(), [200, 200])
      const revoked = yield* service.operate("DELETE", `/operators/${one.operator_id.toUpperCase()}`)
      assert.deepStrictEqual(revoked.body, { status: "revoked", operator_id: one.operator_id })
      assert.strictEqual((yield* service.operate("DELETE", `/operators/${one.operator_id}`)).status, 404)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* statuses(), [401, 401])
      const past = { name: "Ada", scopes: ["operator:read"], expires_at: "1970-01-01T01:00:00Z" }
      assert.strictEqual((yield* service.operate("POST", "/operators", { body: past })).status, 422)
    }))

  it.effect("can do only what its scopes allow", () =>
    Effect.gen(function*() {
      const service = yield* wire()
      const calls = [
        ["GET", "/workspaces"],
        ["GET", "/audit-log"],
        ["POST", "/accounts", { name: "New" }],
        ["GET", "/operators"],
        ["POST", "/operators", { name: "Eve", scopes: ["operator:admin"] }]
      ] as const
      const expected = {
        "operator:read": [200, 200, 403, 403, 403],
        "operator:write": [403, 403, 201, 403, 403],
        "operator:admin": [403, 403, 403, 200, 201]
      }
      for (const [scope, statuses] of Object.entries(expected)) {
        const { token } = yield* made(service, { scopes: [scope] })
        assert.deepStrictEqual(yield* statusesOf(service, token, calls), statuses, scope)
      }
    }))

  it("needs a scope for every operation, and more than to read for a change", () => {
    HttpApi.reflect(OperatorApi, {
      onGroup: () => {},
      onEndpoint: ({ endpoint: { annotations, identifier, method } }) => {
        const scope = Context.get(annotations, RequiredOperatorScope)
        assert.isNotNull(scope, identifier)
        if (method !== "GET") assert.notStrictEqual(scope, "operator:read", identifier)
      }
    })
  })

  it.effect("cannot be guessed for long, and is still accepted from an address of many guesses", () =>
    Effect.gen(function*() {
      const { handle, ...service } = yield* wire()
      const { token } = yield* made({ handle, ...service })
      const from = (address: string, key: string) =>
        handle(
          new Request("https://tributary.test/admin/v1/workspaces", { headers: { authorization: `Bearer ${key}` } }),
          address
        )
      const wrong = `op_live_${"x".repeat(43)}`
      for (let n = 0; n < 20; n++) assert.strictEqual((yield* from("192.0.2.1", n % 2 ? wrong : "x")).status, 401)
      const limited = yield* from("192.0.2.1", wrong)
      assert.deepStrictEqual([limited.status, code(limited)], [429, "rate_limit_exceeded"])
      assert.strictEqual(limited.headers.get("retry-after"), "900")
      assert.strictEqual((yield* from("192.0.2.2", wrong)).status, 401)
      assert.strictEqual((yield* from("192.0.2.1", token)).status, 200)
      // One client has all addresses of an IPv6 network.
      for (let n = 0; n < 20; n++) assert.strictEqual((yield* from(`2001:db8::${n}:1`, wrong)).status, 401)
      assert.strictEqual((yield* from("2001:db8::ffff:1", wrong)).status, 429)
      assert.strictEqual((yield* from("2001:db8:0:1::1", wrong)).status, 401)
      yield* TestClock.adjust("15 minutes")
      assert.strictEqual((yield* from("192.0.2.1", wrong)).status, 401)
    }))
})

describe("The log of operators", () => {
  it.effect("records actors before an operation and its outcome after it, in a chain", () =>
    Effect.gen(function*() {
      const service = yield* wire()
      const { operator_id, token } = yield* made(service)
      const { account } = service
      const headers = { "x-request-id": "request-7" }
      const address = "192.0.2.7"
      yield* service.operate("DELETE", `/accounts/${account.account_id}`, { key: token, headers, address })
      yield* service.operate("DELETE", `/accounts/${account.account_id}`, { key: token })
      const entries = yield* logOf(service)
      assert.deepStrictEqual(
        entries.map(({ action, outcome, operator }) => [operator.name, action, outcome]),
        [
          ["admin", "createOperator", "begun"],
          ["admin", "createOperator", "done"],
          ["Ada", "deleteAccount", "begun"],
          ["Ada", "deleteAccount", "done"],
          ["Ada", "deleteAccount", "begun"],
          ["Ada", "deleteAccount", "not_found"]
        ]
      )
      const [, created, , deleted] = entries
      assert.deepStrictEqual(created?.subject, { operator_id })
      assert.deepInclude(deleted, {
        subject: { account_id: account.account_id },
        request_id: "request-7",
        address
      })
      assert.strictEqual(deleted?.operator.operator_id, operator_id)
      assert.deepStrictEqual(entries[0]?.request, { name: "Ada", scopes: ["operator:read", "operator:write"] })
      assert.notInclude(JSON.stringify(entries), token)
      entries.forEach((entry, index) => assert.isNull(chainProblem(entries[index - 1], entry)))
    }))

  it.effect("refuses an operation that it cannot record before", () =>
    Effect.gen(function*() {
      const instead = Layer.mock(OperatorLog, {
        append: () => Effect.fail(new StorageUnavailable({ cause: "the disk is full" }))
      })
      const service = yield* wire({ instead })
      const before = (yield* service.operate("GET", "/workspaces")).text
      const refused = yield* service.operate("POST", "/accounts", { body: { name: "New" } })
      assert.deepStrictEqual([refused.status, code(refused)], [503, "service_unavailable"])
      assert.strictEqual((yield* service.operate("GET", "/workspaces")).text, before)
    }))

  it.effect("records that an operation ended in an internal error", () =>
    Effect.gen(function*() {
      const instead = Layer.effect(
        Workspaces,
        Effect.map(Workspaces, (workspaces) => Workspaces.of({ ...workspaces, erase: () => Effect.die("broken") }))
      )
      const service = yield* wire({ instead })
      const { workspace_id } = service.workspace
      assert.strictEqual((yield* service.operate("DELETE", `/workspaces/${workspace_id}`)).status, 500)
      const entries = yield* logOf(service)
      assert.deepStrictEqual(
        entries.map(({ outcome, subject }) => [outcome, subject]),
        [["begun", { workspace_id }], ["internal_error", { workspace_id }]]
      )
    }))

  it.effect("detects changes, truncation and recomputation", () =>
    Effect.gen(function*() {
      const service = yield* wire()
      for (const name of ["One", "Two"]) yield* made(service, { name })
      const [one, two, three] = yield* logOf(service)
      assert.isDefined(three)
      assert.match(String(chainProblem(one, { ...two!, outcome: "failed" })), /Entry 2 was changed/)
      assert.match(String(chainProblem(one, three!)), /Entry 2 is missing/)
      assert.match(String(chainProblem({ ...one!, hash: "0".repeat(64) }, two!)), /Entry 2 does not follow entry 1/)
    }))

  it.effect("is read page by page, and from a known entry on", () =>
    Effect.gen(function*() {
      const service = yield* wire()
      for (const name of ["One", "Two"]) yield* made(service, { name })
      const page = yield* service.operate("GET", "/audit-log?limit=3")
      const rest = yield* service.operate("GET", `/audit-log?cursor=${field<string>(page, "next_cursor")}`)
      const numbers = [page, rest].map((answer) => decode(field(answer, "entries")).map(({ sequence }) => sequence))
      assert.deepStrictEqual([numbers, field(rest, "next_cursor")], [[[1, 2, 3], [4]], null])
      assert.deepStrictEqual((yield* logOf(service, "after=3")).map(({ sequence }) => sequence), [4])
    }))

  it.effect("has exactly the operations that change something", () =>
    Effect.gen(function*() {
      const service = yield* wire()
      const changes: Array<string> = []
      const calls: Array<readonly [string, string]> = []
      HttpApi.reflect(OperatorApi, {
        onGroup: () => {},
        onEndpoint: ({ endpoint: { identifier, method, path } }) => {
          if (method !== "GET") changes.push(identifier)
          calls.push([method, path.replaceAll(/:[a-z_]+/g, crypto.randomUUID()).slice("/admin/v1".length)])
        }
      })
      const body = { name: "x", account_id: crypto.randomUUID(), scopes: ["api:read"] }
      for (const [method, path] of calls) {
        const sent = path.endsWith("sign-in-links")
          ? { account_id: body.account_id }
          : path.endsWith("/operators")
          ? { name: "x", scopes: ["operator:read"] }
          : path.endsWith("/owner")
          ? {}
          : path === "/accounts"
          ? { name: "x" }
          : path === "/workspaces"
          ? { name: "x", account_id: body.account_id }
          : method === "PATCH"
          ? { tier: "pro" }
          : { name: "x", scopes: ["api:read"] }
        yield* service.operate(method, path, method === "POST" || method === "PATCH" ? { body: sent } : {})
      }
      const entries = yield* logOf(service)
      const begun = entries.filter(({ outcome }) => outcome === "begun").map(({ action }) => action)
      assert.deepStrictEqual(begun, changes)
      assert.lengthOf(entries, 2 * changes.length)
    }))
})
