// Custom connectors on the wire (interface.md "Custom connector"; decisions 4).
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { connected, type Json } from "../support/connected.ts"
import { type Answer, code, field, UUID } from "../support/wire.ts"

const NO_CONNECTOR = {
  error_code: "client_not_found",
  message: "No such custom connector in this workspace.",
  details: null
}

describe("Custom connector", () => {
  it.effect("POST creates, 201, with the published fields", () =>
    Effect.gen(function*() {
      const { created, key } = yield* connected({ accepted_kinds: ["page", "page"], metadata: { a: "1" } })
      const { connector_id, ...rest } = created.body as Json
      assert.match(connector_id as string, UUID)
      assert.deepStrictEqual(rest, {
        name: "Notes",
        source_name: "notes",
        created_at: "1970-01-01T00:00:00.000Z",
        created_by: { type: "api_key", id: key.key_id },
        is_active: true,
        accepted_kinds: ["page"],
        metadata: { a: "1" }
      })
    }))

  it.effect("a source name is unique forever: 422 unprocessable_entity", () =>
    Effect.gen(function*() {
      const { at, send } = yield* connected()
      const again = { body: { name: "Again", source_name: "notes" } }
      assert.deepStrictEqual(code(yield* send("POST", "/v1/custom-connectors", again)), "unprocessable_entity")
      yield* at("DELETE", "")
      const answer = yield* send("POST", "/v1/custom-connectors", again)
      assert.deepStrictEqual([answer.status, code(answer)], [422, "unprocessable_entity"])
    }))

  it.effect("the list is a bare array, newest first, of active ones by default", () =>
    Effect.gen(function*() {
      const { at, send } = yield* connected()
      yield* TestClock.adjust("1 second")
      yield* send("POST", "/v1/custom-connectors", { body: { name: "Later", source_name: "later", x: 1 } })
      const names = (answer: Answer) => (answer.body as ReadonlyArray<Json>).map(({ name }) => name)
      assert.deepStrictEqual(names(yield* send("GET", "/v1/custom-connectors")), ["Later", "Notes"])
      yield* at("DELETE", "")
      assert.deepStrictEqual(names(yield* send("GET", "/v1/custom-connectors")), ["Later"])
      const all = yield* send("GET", "/v1/custom-connectors?include_inactive=true")
      assert.deepStrictEqual(names(all), ["Later", "Notes"])
    }))

  it.effect("PATCH replaces the given fields, ignores unknown ones, and {} changes nothing", () =>
    Effect.gen(function*() {
      const { at, created } = yield* connected({ metadata: { a: "1" } })
      const nothing = [{}, { name: null, metadata: null }, { x: 1, connector_id: "y" }, { source_name: "notes" }]
      for (const body of nothing) {
        const answer = yield* at("PATCH", "", { body })
        assert.deepStrictEqual([answer.status, answer.body], [200, created.body])
      }
      const metadata = JSON.parse("{\"__proto__\":\"kept\",\"b\":\"2\"}") as Json
      const body = { name: " New ", accepted_kinds: ["email"], metadata, is_active: false }
      const answer = yield* at("PATCH", "", { body })
      assert.deepStrictEqual(answer.body, { ...created.body as Json, ...body })
      assert.include(answer.text, "\"__proto__\":\"kept\"")
      assert.deepStrictEqual((yield* at("GET", "")).body, answer.body)
      assert.strictEqual(field(yield* at("PATCH", "", { body: { is_active: true } }), "is_active"), true)
    }))

  it.effect("source_name is frozen: 422 with its location", () =>
    Effect.gen(function*() {
      const { at } = yield* connected()
      const answer = yield* at("PATCH", "", { body: { source_name: "other", name: "Other" } })
      assert.deepStrictEqual([answer.status, answer.body], [422, {
        detail: [{ type: "frozen_field", loc: ["body", "source_name"], msg: "Field is frozen", input: "other" }]
      }])
      assert.strictEqual(field(yield* at("GET", ""), "name"), "Notes")
    }))

  it.effect("DELETE deactivates, and answers the same twice", () =>
    Effect.gen(function*() {
      const { at, created, ingest } = yield* connected()
      for (let time = 0; time < 2; time++) {
        const answer = yield* at("DELETE", "")
        const connector_id = field(created, "connector_id")
        assert.deepStrictEqual([answer.status, answer.body], [200, { status: "deactivated", connector_id }])
      }
      const refused = yield* ingest([{ text: "x" }])
      assert.deepStrictEqual([refused.status, code(refused)], [400, "bad_request"])
    }))

  it.effect("an id that is unknown, invalid or of another workspace is 404 client_not_found", () =>
    Effect.gen(function*() {
      const { newKey, operate, path, send } = yield* connected()
      const account = yield* operate("POST", "/accounts", { body: { name: "Other" } })
      const { workspace_id } = field<{ readonly workspace_id: string }>(account, "personal_workspace")
      const { secret } = yield* newKey(["api:read", "api:write"], workspace_id)
      const ids = [crypto.randomUUID(), "x", "%00", "%2F", "a%2Fb", "..%2F", "%F0%9F%98%80", "x".repeat(5_000), "%25"]
      const paths = [...ids.map((id) => [`/v1/custom-connectors/${id}`, undefined] as const), [path, secret] as const]
      for (const [at, key] of paths) {
        const as = key === undefined ? {} : { key }
        for (
          const [method, below, sent] of [
            ["GET", "", {}],
            ["PATCH", "", { body: {} }],
            ["DELETE", "", {}],
            ["GET", "/documents", {}],
            ["GET", "/documents/doc", {}],
            ["DELETE", "/documents/doc", {}],
            ["POST", "/documents/delete", { body: { external_ids: ["a"] } }],
            ["POST", "/ingest", { body: { items: [{ data: 1 }] } }]
          ] as const
        ) {
          const answer = yield* send(method, at + below, { ...sent, ...as })
          assert.deepStrictEqual([answer.status, answer.body], [404, NO_CONNECTOR], `${method} ${at}${below}`)
        }
      }
      assert.strictEqual(
        (yield* send("GET", path.toUpperCase().replace("/V1/CUSTOM-CONNECTORS", "/v1/custom-connectors"))).status,
        200
      )
    }))
})
