// Ingest and what it counts against (interface.md "Ingest result", "Quota errors", "Usage entitlements"; decisions 4).
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { connected, type Json } from "../support/connected.ts"
import { code, field, UUID, wire } from "../support/wire.ts"

describe("Ingest result", () => {
  it.effect("all three forms; items without an id get one", () =>
    Effect.gen(function*() {
      const { at } = yield* connected()
      const json = yield* at("POST", "/ingest", {
        body: { items: [{ external_id: "a", data: { x: [1, null] } }, { data: 5 }] }
      })
      assert.strictEqual(json.status, 200)
      const { external_ids, items, ...rest } = json.body as { external_ids: Array<string>; items: Array<Json> }
      assert.deepStrictEqual(rest, { status: "accepted", events: 2, rejected: [] })
      assert.strictEqual(external_ids[0], "a")
      assert.match(external_ids[1]!, UUID)
      assert.deepStrictEqual(items.map(({ external_id, status }) => [external_id, status]), [
        ["a", "created"],
        [external_ids[1], "created"]
      ])
      const text = yield* at("POST", "/ingest/text", { body: { items: [{ external_id: "t", text: "" }] } })
      assert.deepStrictEqual([text.status, field(text, "external_ids")], [200, ["t"]])
      const item = {
        external_id: "e",
        timestamp: "2025-01-01T12:00:00+02:00",
        payload: { kind: "email", subject: "S", extra: 1 }
      }
      const typed = yield* at("POST", "/ingest/typed", { body: { items: [item] } })
      assert.deepStrictEqual([typed.status, field(typed, "events")], [200, 1])
      const document = yield* at("GET", "/documents/e")
      assert.deepInclude(document.body as Json, {
        kind: "email",
        title: "S",
        timestamp: "2025-01-01T10:00:00.000Z",
        payload: item.payload
      })
    }))

  it.effect("a kind that is not accepted is 400 with its details, and nothing is ingested", () =>
    Effect.gen(function*() {
      const { at } = yield* connected({ accepted_kinds: ["email"] })
      const of = (kind: string) => ({ external_id: kind, timestamp: "2025-01-01T00:00:00Z", payload: { kind } })
      const answer = yield* at("POST", "/ingest/typed", { body: { items: [of("email"), of("page")] } })
      assert.deepStrictEqual([answer.status, code(answer), field(answer, "details")], [400, "bad_request", {
        kind: "page",
        accepted_kinds: ["email"],
        index: 1
      }])
      assert.deepStrictEqual(field(yield* at("GET", "/documents"), "documents"), [])
    }))

  it.effect("an invalid item is reported at its location, and nothing is ingested", () =>
    Effect.gen(function*() {
      const { at } = yield* connected()
      const answer = yield* at("POST", "/ingest/text", { body: { items: [{ text: "ok" }, { text: 5 }, { x: 1 }] } })
      assert.deepStrictEqual([answer.status, answer.body], [422, {
        detail: [
          { type: "string_type", loc: ["body", "items", 1, "text"], msg: "Input should be a valid string", input: 5 },
          { type: "missing", loc: ["body", "items", 2, "text"], msg: "Field required", input: { x: 1 } },
          { type: "extra_forbidden", loc: ["body", "items", 2, "x"], msg: "Extra inputs are not permitted", input: 1 }
        ]
      }])
      assert.deepStrictEqual(field(yield* at("GET", "/documents"), "documents"), [])
    }))

  it.effect("an integer that would lose digits is refused at its location, and others are kept", () =>
    Effect.gen(function*() {
      const { at } = yield* connected()
      const send = (path: string, item: string) =>
        at("POST", path, {
          raw: `{"items":[${item}]}`,
          headers: { "content-type": "application/json" }
        })
      const refusal = (...place: ReadonlyArray<string | number>) => ({
        detail: [{
          type: "value_error",
          loc: ["body", "items", 0, ...place],
          msg: "Value error, an integer of this size would lose digits: send it as a string"
        }]
      })
      const json = yield* send("/ingest", `{"external_id":"a","data":{"ids":[1,9007199254740993]}}`)
      assert.deepStrictEqual([json.status, json.body], [422, refusal("data", "ids", 1)])
      const payload = `{"kind":"page","rev":12345678901234567890}`
      const typed = yield* send(
        "/ingest/typed",
        `{"external_id":"a","timestamp":"2025-01-01T00:00:00Z","payload":${payload}}`
      )
      assert.deepStrictEqual([typed.status, typed.body], [422, refusal("payload", "rev")])
      assert.deepStrictEqual(field(yield* at("GET", "/documents"), "documents"), [])
      const data = `{"n":[9007199254740991,-9007199254740992,100000000000000000000],"id":"9007199254740993"}`
      assert.strictEqual((yield* send("/ingest", `{"external_id":"a","data":${data}}`)).status, 200)
      assert.include((yield* at("GET", "/documents/a")).text, `"payload":${data}`)
    }))
})

describe("Quota errors", () => {
  it.effect("some items over a cap: 200, and they are in rejected", () =>
    Effect.gen(function*() {
      const { ingest, limit } = yield* connected()
      yield* limit({ documents: 2, doc_size: 5 })
      const answer = yield* ingest([
        { external_id: "big", text: "123456" },
        { external_id: "a", text: "1" },
        { external_id: "b", text: "1" },
        { external_id: "c", text: "1" }
      ])
      assert.strictEqual(answer.status, 200)
      assert.deepInclude(answer.body as Json, {
        status: "accepted",
        events: 2,
        external_ids: ["a", "b"],
        rejected: [
          { external_id: "big", resource: "doc_size", reason: "quota_exceeded" },
          { external_id: "c", resource: "documents", reason: "quota_exceeded" }
        ]
      })
    }))

  it.effect("all items over a cap: 402 with exactly {rejected}, and nothing is ingested", () =>
    Effect.gen(function*() {
      const { at, ingest, limit } = yield* connected()
      yield* limit({ storage: 3 })
      const answer = yield* ingest([{ external_id: "a", text: "1234" }])
      assert.deepStrictEqual([answer.status, answer.body], [402, {
        error_code: "quota_exceeded",
        message: "Ingest rejected: this workspace is over its plan quota. Upgrade or free space to continue.",
        details: { rejected: [{ external_id: "a", resource: "storage", reason: "quota_exceeded" }] }
      }])
      assert.deepStrictEqual(field(yield* at("GET", "/documents"), "documents"), [])
    }))

  it.effect("deleting frees quota at once", () =>
    Effect.gen(function*() {
      const { at, ingest, limit } = yield* connected()
      yield* limit({ documents: 1 })
      yield* ingest([{ external_id: "a", text: "1" }])
      assert.strictEqual((yield* ingest([{ external_id: "b", text: "1" }])).status, 402)
      assert.strictEqual((yield* at("DELETE", "/documents/a")).status, 200)
      assert.strictEqual((yield* ingest([{ external_id: "b", text: "1" }])).status, 200)
    }))
})

describe("Usage entitlements", () => {
  it.effect("meters of a capped workspace", () =>
    Effect.gen(function*() {
      const { ingest, limit, send, workspace } = yield* connected()
      yield* limit({ documents: 5 })
      yield* ingest([1, 2, 3, 4].map((n) => ({ external_id: `${n}`, text: "12345" })))
      yield* send("POST", "/v1/knowledge/search", { body: { q: "x" } })
      const answer = yield* send("GET", "/v1/usage/current")
      assert.deepStrictEqual([answer.status, answer.body], [200, {
        workspace_id: workspace.workspace_id,
        entitlements: {
          tier: "free",
          documents: { used: 4, limit: 5, fraction_used: 0.8, state: "approaching" },
          storage: { used: 20, limit: 500_000_000, fraction_used: 20 / 500_000_000, state: "ok" }
        },
        rate_limits: {
          ask: { limit: 5, window_seconds: 60, remaining: 5, reset: 60 },
          search: { limit: 20, window_seconds: 60, remaining: 19, reset: 60 },
          refresh: { limit: 2, window_seconds: 3_600, remaining: 2, reset: 3_600 }
        },
        scopes: ["api:read", "api:write", "audit:read"]
      }])
      yield* limit({ documents: 3 })
      const over = field<{ readonly documents: Json }>(yield* send("GET", "/v1/usage/current"), "entitlements")
      assert.strictEqual(over.documents["state"], "exceeded")
    }))

  it.effect("an uncapped workspace has no limits", () =>
    Effect.gen(function*() {
      const { send } = yield* wire({ tier: "pro" })
      const answer = yield* send("GET", "/v1/usage/current")
      const meter = { used: 0, fraction_used: 0, state: "ok" }
      assert.deepStrictEqual(field(answer, "entitlements"), { tier: "pro", documents: meter, storage: meter })
      assert.deepStrictEqual(field(answer, "rate_limits"), {})
    }))
})
