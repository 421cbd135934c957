// interface.md, "Authentication", "Events", "Limits" and "Versioning": a test for every rule and row.
import { assert } from "@effect/vitest"
import { Asks } from "@tributary/core/Asks"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { connected, type Json } from "../support/connected.ts"
import { section } from "../support/interface.ts"
import { PUBLIC } from "../support/operations.ts"
import { type Answer, code, field, wire } from "../support/wire.ts"

const USAGE = "/v1/usage/current"
const SEARCH = "/v1/knowledge/search"
const ASK = "/v1/knowledge/ask"
const REFRESH = "/v1/knowledge/refresh"

const statusAndCode = (answer: Answer) => [answer.status, code(answer)]

/** A key as an operator makes it, for rules about the keys themselves. */
const keys = Effect.gen(function*() {
  const service = yield* wire()
  const path = `/workspaces/${service.workspace.workspace_id}/api-keys`
  const made = (body: Json) => service.operate("POST", path, { body })
  return { ...service, made, list: service.operate("GET", path) }
})

section("Authentication", {
  1: ["every request carries a key as a bearer token", () =>
    Effect.gen(function*() {
      const { key, send } = yield* wire()
      for (const { method, path } of PUBLIC) {
        const answer = yield* send(method, path.replaceAll(/:[a-z_]+/g, "x"), { key: null })
        assert.deepStrictEqual(statusAndCode(answer), [401, "authentication_error"], path)
      }
      const basic = { key: null, headers: { authorization: `Basic ${key.secret}` } }
      assert.strictEqual((yield* send("GET", USAGE, basic)).status, 401)
      assert.strictEqual((yield* send("GET", USAGE)).status, 200)
    })],
  2: ["keys start with pk_live_", () =>
    Effect.gen(function*() {
      assert.match((yield* wire()).key.secret, /^pk_live_[0-9A-Za-z]{43}$/)
    })],
  3: ["one key is accepted on every public endpoint", () =>
    Effect.gen(function*() {
      const { path, send } = yield* connected()
      for (const read of [USAGE, "/v1/knowledge/status", "/v1/runtime/events", "/v1/workspaces", path]) {
        assert.strictEqual((yield* send("GET", read)).status, 200, read)
      }
      const body = { items: [{ data: 1 }] }
      assert.strictEqual((yield* send("POST", `${path}/ingest`, { body })).status, 200)
    })],
  4: ["a key has a name, and its secret is shown once", () =>
    Effect.gen(function*() {
      const { list, made } = yield* keys
      const created = yield* made({ name: "Nightly import", scopes: ["api:read"] })
      const secret = field<string>(created, "secret")
      const listed = yield* list
      assert.include(field<ReadonlyArray<Json>>(listed, "api_keys").map(({ name }) => name), "Nightly import")
      assert.notInclude(listed.text, secret)
    })],
  5: ["a missing scope is 403 insufficient_scopes, and is named", () =>
    Effect.gen(function*() {
      const { newKey, send } = yield* wire()
      const { secret: key } = yield* newKey(["knowledge:write"])
      const answer = yield* send("GET", "/v1/knowledge/settings", { key })
      assert.deepStrictEqual([...statusAndCode(answer), field(answer, "details")], [403, "insufficient_scopes", {
        missing_scopes: ["knowledge:read"]
      }])
    })],
  6: ["revocation is immediate, and what is in flight completes", () =>
    Effect.gen(function*() {
      const begun = yield* Deferred.make<void>()
      const gate = yield* Deferred.make<void>()
      const slow = Deferred.succeed(begun, undefined).pipe(
        Effect.andThen(Deferred.await(gate)),
        Effect.as({ items: [], next: null })
      )
      const { key, operate, send } = yield* wire({ instead: Layer.mock(Asks, { jobs: () => slow }) })
      const inFlight = yield* Effect.forkChild(send("GET", "/v1/knowledge/ask/jobs"), { startImmediately: true })
      yield* Deferred.await(begun)
      yield* operate("DELETE", `/api-keys/${key.key_id}`)
      assert.deepStrictEqual(statusAndCode(yield* send("GET", USAGE)), [401, "authentication_error"])
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual((yield* Fiber.join(inFlight)).status, 200)
    })],
  7: ["missing and invalid credentials are 401", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      for (const authorization of ["", "Bearer", "Bearer pk_live_x", `Bearer pk_live_${"x".repeat(43)}`]) {
        const answer = yield* send("GET", USAGE, { key: null, headers: { authorization } })
        assert.deepStrictEqual(statusAndCode(answer), [401, "authentication_error"], authorization)
      }
    })],
  8: ["who may not act at all is 403 permission_denied", () =>
    Effect.gen(function*() {
      const { operate, send, workspace } = yield* wire()
      yield* operate("PATCH", `/workspaces/${workspace.workspace_id}`, { body: { suspended: true } })
      assert.deepStrictEqual(statusAndCode(yield* send("GET", USAGE)), [403, "permission_denied"])
    })],
  9: [
    "a key is rotated without downtime: both work, the old one's traffic is seen to stop, and it is revoked",
    () =>
      Effect.gen(function*() {
        yield* TestClock.setTime(Date.parse("2026-05-05T10:00:00Z"))
        const { key, list, made, operate, send } = yield* keys
        const renewed = field<string>(yield* made({ name: "New", scopes: ["api:read"] }), "secret")
        const lastUsed = Effect.map(list, (answer) =>
          field<ReadonlyArray<Json>>(answer, "api_keys").find(({ key_id }) =>
            key_id === key.key_id
          )?.["last_used_at"])
        assert.strictEqual((yield* send("GET", USAGE)).status, 200)
        assert.strictEqual(yield* lastUsed, "2026-05-05T10:00:00.000Z")
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual((yield* send("GET", USAGE, { key: renewed })).status, 200)
        assert.strictEqual(yield* lastUsed, "2026-05-05T10:00:00.000Z")
        yield* operate("DELETE", `/api-keys/${key.key_id}`)
        assert.strictEqual((yield* send("GET", USAGE)).status, 401)
        assert.strictEqual((yield* send("GET", USAGE, { key: renewed })).status, 200)
      })
  ]
})

const events = (send: Effect.Success<ReturnType<typeof wire>>["send"]) =>
  Effect.map(send("GET", "/v1/runtime/events"), (answer) => field<ReadonlyArray<Json>>(answer, "events"))

const typed = (kind: string) => ({
  body: { items: [{ external_id: kind, timestamp: "2026-01-01T00:00:00Z", payload: { kind } }] }
})

section("Events", {
  1: ["carry the source custom:<source_name>", () =>
    Effect.gen(function*() {
      const { ingest, send } = yield* connected({ source_name: "notes" })
      yield* ingest([{ text: "x" }])
      assert.deepStrictEqual((yield* events(send)).map(({ source }) => source), ["custom:notes"])
    })],
  2: ["carry the connector's metadata, over which the item's wins", () =>
    Effect.gen(function*() {
      const { ingest, send } = yield* connected({ metadata: { a: "connector", b: "connector" } })
      yield* ingest([{ text: "x", metadata: { b: "item", c: "item" } }])
      const [event] = yield* events(send)
      assert.deepStrictEqual({ ...event?.["metadata"] as Json }, { a: "connector", b: "item", c: "item" })
    })],
  3: ["are of accepted kinds only; an empty list accepts all", () =>
    Effect.gen(function*() {
      const all = yield* connected()
      for (const kind of ["email", "page", "message", "calendar", "issue", "custom"]) {
        assert.strictEqual((yield* all.at("POST", "/ingest/typed", typed(kind))).status, 200, kind)
      }
      const one = yield* connected({ accepted_kinds: ["page"] })
      assert.strictEqual((yield* one.at("POST", "/ingest/typed", typed("page"))).status, 200)
      assert.deepStrictEqual(statusAndCode(yield* one.at("POST", "/ingest/typed", typed("email"))), [
        400,
        "bad_request"
      ])
      assert.lengthOf(yield* events(one.send), 1)
    })],
  4: ["come no more from a deactivated connector", () =>
    Effect.gen(function*() {
      const { at, ingest, send } = yield* connected()
      yield* at("DELETE", "")
      assert.strictEqual((yield* ingest([{ text: "x" }])).status, 400)
      assert.deepStrictEqual(yield* events(send), [])
    })],
  5: ["are counted: partial acceptance is 200 with the rest in rejected", () =>
    Effect.gen(function*() {
      const { ingest, limit, send } = yield* connected()
      yield* limit({ documents: 1 })
      const answer = yield* ingest([{ external_id: "a", text: "x" }, { external_id: "b", text: "x" }])
      assert.deepStrictEqual([answer.status, field(answer, "events")], [200, 1])
      assert.deepStrictEqual(field<ReadonlyArray<Json>>(answer, "rejected").map(({ external_id }) => external_id), [
        "b"
      ])
      assert.lengthOf(yield* events(send), 1)
    })]
})

/** The number of requests per window of this many seconds, over all keys of the workspace. */
const window = (path: string, body: Json, limit: number, seconds: number) => () =>
  Effect.gen(function*() {
    const { newKey, send } = yield* wire()
    const { secret } = yield* newKey(["api:read", "api:write"])
    const statuses: Array<number> = []
    for (let time = 0; time <= limit; time++) {
      statuses.push((yield* send("POST", path, time % 2 === 0 ? { body } : { body, key: secret })).status)
    }
    assert.deepStrictEqual(statuses, [...Array<number>(limit).fill(200), 429])
    yield* TestClock.adjust(`${seconds - 1} seconds`)
    assert.strictEqual((yield* send("POST", path, { body })).status, 429)
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* send("POST", path, { body })).status, 200)
  })

const freeLimit = (name: string, value: number) => () =>
  Effect.gen(function*() {
    const { operate } = yield* wire()
    const [workspace] = field<ReadonlyArray<{ readonly limits: Json }>>(
      yield* operate("GET", "/workspaces"),
      "workspaces"
    )
    assert.strictEqual(workspace?.limits[name], value)
  })

section("Free plan", {
  ask: ["5 per minute and workspace", window(ASK, { query: "q" }, 5, 60)],
  search: ["20 per minute and workspace", window(SEARCH, { q: "q" }, 20, 60)],
  refresh: ["2 per hour and workspace", window(REFRESH, {}, 2, 3_600)],
  documents: ["10,000", freeLimit("documents", 10_000)],
  storage: ["500 MB", freeLimit("storage", 500_000_000)],
  doc_size: ["10 MB", freeLimit("doc_size", 10_000_000)],
  "shared workspaces": ["1 in addition to the personal one", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const create = send("POST", "/v1/workspaces", { body: { name: "n" } })
      assert.deepStrictEqual([(yield* create).status, (yield* create).status], [201, 422])
      const kinds = field<ReadonlyArray<Json>>(yield* send("GET", "/v1/workspaces"), "workspaces").map(({ kind }) =>
        kind
      )
      assert.deepStrictEqual(kinds, ["personal", "shared"])
    })],
  snapshots: ["1: only the latest rebuild is kept", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      for (let time = 0; time < 2; time++) {
        yield* send("PATCH", "/v1/knowledge/settings", { body: { temporal_settings: { start: null, end: null } } })
        yield* TestClock.adjust("10 seconds")
      }
      const refreshed = yield* send("POST", REFRESH, { body: { delete_old_snapshots: true } })
      assert.strictEqual(field(refreshed, "snapshots_deleted"), 0)
    })]
})

section("Rules", {
  1: ["rate limits are counted per workspace, and roll over with the window", () =>
    Effect.gen(function*() {
      const { newKey, operate, send } = yield* wire()
      const ask = send("POST", ASK, { body: { query: "q" } })
      for (let time = 0; time < 5; time++) yield* ask
      assert.strictEqual((yield* ask).status, 429)
      const other = yield* operate("POST", "/accounts", { body: { name: "Other" } })
      const { workspace_id } = field<{ readonly workspace_id: string }>(other, "personal_workspace")
      const { secret: key } = yield* newKey(["api:read"], workspace_id)
      assert.strictEqual((yield* send("POST", ASK, { key, body: { query: "q" } })).status, 200)
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual((yield* ask).status, 200)
    })],
  2: ["quotas are cumulative, and do not reset", () =>
    Effect.gen(function*() {
      const { ingest, limit } = yield* connected()
      yield* limit({ storage: 10 })
      const statuses: Array<number> = []
      for (const text of ["12345", "12345", "1"]) {
        statuses.push((yield* ingest([{ text }])).status)
        yield* TestClock.adjust("1 hour")
      }
      assert.deepStrictEqual(statuses, [200, 200, 402])
    })],
  3: ["some items over a cap: 200, and the rest is ingested", () =>
    Effect.gen(function*() {
      const { at, ingest, limit } = yield* connected()
      yield* limit({ doc_size: 3 })
      const answer = yield* ingest([{ external_id: "big", text: "1234" }, { external_id: "small", text: "123" }])
      assert.deepStrictEqual([answer.status, field(answer, "external_ids")], [200, ["small"]])
      assert.deepStrictEqual(
        [(yield* at("GET", "/documents/big")).status, (yield* at("GET", "/documents/small")).status],
        [404, 200]
      )
    })],
  4: ["nothing admissible: 402, and nothing is ingested", () =>
    Effect.gen(function*() {
      const { at, ingest, limit } = yield* connected()
      yield* limit({ doc_size: 3 })
      assert.strictEqual((yield* ingest([{ text: "1234" }])).status, 402)
      assert.deepStrictEqual(field(yield* at("GET", "/documents"), "documents"), [])
    })],
  5: ["the resource is named, under 200 as under 402", () =>
    Effect.gen(function*() {
      for (const resource of ["documents", "storage", "doc_size"]) {
        const { ingest, limit } = yield* connected()
        yield* ingest([{ external_id: "there", text: "1" }])
        yield* limit({ [resource]: 1 })
        const over = { external_id: "over", text: "12" }
        const rejected = [{ external_id: "over", resource, reason: "quota_exceeded" }]
        const none = yield* ingest([over])
        assert.deepStrictEqual([none.status, field(none, "details")], [402, { rejected }])
        const some = yield* ingest([over, { external_id: "there", text: "2" }])
        assert.deepStrictEqual([some.status, field(some, "rejected")], [200, rejected])
      }
    })],
  6: ["a shared workspace beyond the allowance is 422 unprocessable_entity", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const create = send("POST", "/v1/workspaces", { body: { name: "n" } })
      yield* create
      assert.deepStrictEqual(statusAndCode(yield* create), [422, "unprocessable_entity"])
    })],
  7: ["a meter is approaching from 80 % on, and exceeded over the cap", () =>
    Effect.gen(function*() {
      const { ingest, limit, send } = yield* connected()
      yield* ingest(["a", "b", "c", "d"].map((external_id) => ({ external_id, text: "x" })))
      const states: Array<unknown> = []
      for (const documents of [6, 5, 4, 3]) {
        yield* limit({ documents })
        const usage = field<Readonly<Record<string, Json>>>(yield* send("GET", USAGE), "entitlements")
        states.push(usage["documents"]?.["state"])
      }
      assert.deepStrictEqual(states, ["ok", "approaching", "approaching", "exceeded"])
    })],
  8: ["paid plans lift the caps, and workspaces from before the limits have none", () =>
    Effect.gen(function*() {
      for (const body of [{ tier: "pro" }, { grandfathered: true }]) {
        const { operate, send, workspace } = yield* wire()
        yield* operate("PATCH", `/workspaces/${workspace.workspace_id}`, { body })
        const answer = yield* send("POST", SEARCH, { body: { q: "x" } })
        assert.deepStrictEqual([answer.status, answer.headers.get("ratelimit-limit")], [200, null])
        const usage = field<Readonly<Record<string, Json>>>(yield* send("GET", USAGE), "entitlements")
        assert.notProperty(usage["documents"], "limit")
      }
    })],
  9: ["days are from 1 to 36500", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const statuses: Array<number> = []
      for (const days of [0, 1, 36_500, 36_501]) {
        const body = { temporal_settings: { start: { type: "relative", days }, end: null } }
        statuses.push((yield* send("PATCH", "/v1/knowledge/settings", { body })).status)
      }
      assert.deepStrictEqual(statuses, [422, 200, 200, 422])
    })]
})

section("Versioning", {
  1: ["all public paths begin with /v1", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      for (const { path } of PUBLIC) assert.match(path, /^\/v1\//)
      for (const path of ["/knowledge/settings", "/v2/knowledge/settings"]) {
        assert.strictEqual((yield* send("GET", path)).status, 404)
      }
    })],
  2: ["the description is at version 0.1.0", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      assert.strictEqual(field<Json>(yield* send("GET", "/openapi.json", { key: null }), "info")["version"], "0.1.0")
    })],
  3: ["the service is in beta: before 1.0", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const { version } = field<{ readonly version: string }>(
        yield* send("GET", "/openapi.json", { key: null }),
        "info"
      )
      assert.match(version, /^0\./)
    })]
})
