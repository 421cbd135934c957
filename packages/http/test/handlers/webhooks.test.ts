// The scopes for what webhooks send.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { connected } from "../support/connected.ts"
import { type Answer, code, field } from "../support/wire.ts"

const URL = "https://example.com/hook"

const missing = (answer: Answer) => {
  assert.deepStrictEqual([answer.status, code(answer)], [403, "insufficient_scopes"])
  return field<{ readonly missing_scopes: ReadonlyArray<string> }>(answer, "details").missing_scopes
}

/** A workspace with a webhook for documents, and a key that only manages webhooks. */
const watched = Effect.gen(function*() {
  const service = yield* connected()
  const { newKey, send } = service
  const manager = (yield* newKey(["workspaces:read", "workspaces:write"])).secret
  const created = yield* send("POST", "/v1/webhooks", { body: { url: URL, event_types: ["document.created"] } })
  assert.strictEqual(created.status, 201)
  const path = `/v1/webhooks/${field<string>(created, "webhook_id")}`
  const manage = (method: string, at: string, body?: object) =>
    send(method, at, { key: manager, ...body === undefined ? {} : { body } })
  return { ...service, manage, path }
})

describe("A key that may not read what a webhook sends", () => {
  it.effect("cannot create one", () =>
    Effect.gen(function*() {
      const { manage, newKey, send } = yield* watched
      const needed = {
        "document.deleted": "runtime:read",
        "sync.failed": "connections:read",
        "context.rebuilt": "knowledge:read",
        "ask.succeeded": "knowledge:read"
      }
      for (const [type, scope] of Object.entries(needed)) {
        const body = { url: URL, event_types: ["usage.exceeded", type] }
        assert.deepStrictEqual(missing(yield* manage("POST", "/v1/webhooks", body)), [scope])
        const key = (yield* newKey(["workspaces:write", scope as "runtime:read"])).secret
        assert.strictEqual((yield* send("POST", "/v1/webhooks", { key, body })).status, 201, type)
      }
      const body = { url: URL, event_types: ["usage.exceeded", "api_key.expiring"] }
      assert.strictEqual((yield* manage("POST", "/v1/webhooks", body)).status, 201)
    }))

  it.effect("cannot send it elsewhere or have it send more, but may switch it off and on", () =>
    Effect.gen(function*() {
      const { manage, path } = yield* watched
      for (const body of [{ url: "https://example.com/mine" }, { event_types: ["document.deleted"] }]) {
        assert.deepStrictEqual(missing(yield* manage("PATCH", path, body)), ["runtime:read"])
      }
      for (const status of ["disabled", "active"]) {
        assert.strictEqual((yield* manage("PATCH", path, { status, url: null })).status, 200)
      }
      assert.strictEqual((yield* manage("PATCH", path, { event_types: ["usage.exceeded"] })).status, 200)
    }))

  it.effect("cannot read what was sent", () =>
    Effect.gen(function*() {
      const { ingest, manage, path, send } = yield* watched
      const tested = yield* manage("POST", `${path}/test`)
      assert.strictEqual((yield* manage("GET", `${path}/deliveries`)).status, 200)
      assert.strictEqual(
        (yield* manage("GET", `${path}/deliveries/${field<string>(tested, "event_id")}`)).status,
        200
      )
      yield* ingest([{ external_id: "a", text: "x", metadata: { team: "herons" } }])
      yield* TestClock.adjust("5 seconds")
      const [sent] = field<ReadonlyArray<{ readonly body: string; readonly event_id: string }>>(
        yield* send("GET", `${path}/deliveries`),
        "deliveries"
      )
      assert.include(sent!.body, "herons")
      for (const below of ["", `/${sent!.event_id}`]) {
        assert.deepStrictEqual(missing(yield* manage("GET", `${path}/deliveries${below}`)), ["runtime:read"])
      }
      assert.deepStrictEqual(missing(yield* manage("POST", `${path}/deliveries/${sent!.event_id}/send`)), [
        "runtime:read"
      ])
    }))
})
