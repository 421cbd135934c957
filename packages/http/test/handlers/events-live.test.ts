// decisions.md §3 "GET /v1/runtime/events" with `Accept: text/event-stream`, interface.md "Authentication" 6.
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Logger, Ref } from "effect"
import { TestClock } from "effect/testing"
import { connected, type Json } from "../support/connected.ts"
import { type Heard, settle } from "../support/heard.ts"
import { BASE_URL, field, wire } from "../support/wire.ts"

const EVENTS = "/v1/runtime/events"

const ids = (events: ReadonlyArray<Heard>) => events.map(({ data }) => (data as Json)["external_id"])

describe("A live stream of events", () => {
  it.effect("has new events, as in the list, each with its number", () =>
    Effect.gen(function*() {
      const { at, ingest, listen, send } = yield* connected()
      yield* ingest([{ external_id: "before", text: "x" }])
      const stream = yield* listen("GET", EVENTS)
      assert.strictEqual(stream.status, 200)
      assert.deepStrictEqual(
        ["content-type", "cache-control", "x-accel-buffering"].map((name) => stream.headers.get(name)),
        ["text/event-stream", "no-store", "no"]
      )
      assert.match(stream.headers.get("x-request-id") ?? "", /./)
      // The head is on its way before anything has happened.
      assert.strictEqual(yield* stream.text, ": open\n\n")
      yield* ingest([{ external_id: "a", text: "x" }, { external_id: "b", text: "y" }])
      yield* at("DELETE", "/documents/a")
      yield* TestClock.adjust("1 second")
      const events = yield* stream.events
      assert.deepStrictEqual(events.map(({ id, name }) => [id, name]), [
        ["2", "document.created"],
        ["3", "document.created"],
        ["4", "document.deleted"]
      ])
      const listed = field<ReadonlyArray<Json>>(yield* send("GET", EVENTS), "events")
      assert.deepStrictEqual(events.map(({ data }) => data), listed.slice(1))
      assert.isFalse(yield* stream.ended)
    }))

  it.effect("resumes after Last-Event-ID; an id that is too old starts at the oldest, an unused one at now", () =>
    Effect.gen(function*() {
      const { ingest, listen } = yield* connected()
      for (const external_id of ["a", "b", "c"]) yield* ingest([{ external_id, text: "x" }])
      const from = (id: string) => listen("GET", EVENTS, { headers: { "last-event-id": id } })
      const streams = yield* Effect.forEach(["1", "0", "3", "9007199254740991", ""], from)
      assert.deepStrictEqual(yield* Effect.forEach(streams, ({ events }) => Effect.map(events, ids)), [
        ["b", "c"],
        ["a", "b", "c"],
        [],
        [],
        []
      ])
      yield* ingest([{ external_id: "d", text: "x" }])
      yield* TestClock.adjust("1 second")
      for (const { events } of streams) assert.strictEqual(ids(yield* events).at(-1), "d")
    }))

  it.effect("is one of at most 32 per key and 128 per workspace, and frees its place when it ends", () =>
    Effect.gen(function*() {
      const { listen, newKey, send } = yield* connected()
      const opening = (count: number, key?: string) =>
        Effect.forEach(
          Array(count).fill(key),
          (key?: string) => listen("GET", EVENTS, key === undefined ? {} : { key })
        )
      const refusal = (key?: string) =>
        send("GET", EVENTS, { headers: { accept: "text/event-stream" }, ...(key === undefined ? {} : { key }) })
      const [first] = yield* opening(32)
      const answer = yield* refusal()
      assert.deepStrictEqual([answer.status, answer.headers.get("retry-after")], [429, "15"])
      assert.include(field<string>(answer, "detail"), "32 event streams are open already.")
      assert.strictEqual((yield* send("GET", EVENTS)).status, 200)
      yield* settle
      yield* first!.close
      yield* settle
      assert.strictEqual((yield* listen("GET", EVENTS)).status, 200)
      for (let count = 0; count < 3; count++) yield* opening(32, (yield* newKey(["runtime:read"])).secret)
      const more = yield* refusal((yield* newKey(["runtime:read"])).secret)
      assert.include(field<string>(more, "detail"), "128 event streams are open already.")
    }))

  it.effect("refuses an invalid id before it starts", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const eventId = "0199b7d2-0f6e-7a5c-8f5d-0242ac120002"
      for (const id of ["x", eventId, "-1", "1.5", "1e3", "9007199254740993", "1 x"]) {
        const headers = { accept: "text/event-stream", "last-event-id": id }
        const answer = yield* send("GET", EVENTS, { headers })
        assert.deepStrictEqual([answer.status, answer.body], [422, {
          detail: [{
            type: "value_error",
            loc: ["header", "last-event-id"],
            msg: "Value error, must be the number in an `id` line of the stream",
            input: id
          }]
        }])
        assert.strictEqual((yield* send("GET", EVENTS, { headers: { "last-event-id": id } })).status, 200)
      }
      const limit = yield* send("GET", `${EVENTS}?limit=0`, { headers: { accept: "text/event-stream" } })
      assert.strictEqual(limit.status, 422)
    }))

  it.effect("lists an invalid id beside the problems of the query", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const headers = { accept: "text/event-stream", "last-event-id": "x" }
      const answer = yield* send("GET", `${EVENTS}?limit=0`, { headers })
      const problems = field<ReadonlyArray<{ readonly loc: ReadonlyArray<string> }>>(answer, "detail")
      assert.deepStrictEqual(problems.map(({ loc }) => loc), [["query", "limit"], ["header", "last-event-id"]])
    }))

  it.effect("can be filtered by a source, a provider and a kind", () =>
    Effect.gen(function*() {
      const { at, created, ingest, listen, send } = yield* connected()
      const other = yield* send("POST", "/v1/custom-connectors", { body: { name: "O", source_name: "other" } })
      const bySource = yield* listen("GET", `${EVENTS}?source=custom:other`)
      const byProvider = yield* listen("GET", `${EVENTS}?source=imap`)
      const byKind = yield* listen("GET", `${EVENTS}?source=custom&kind=email`)
      assert.strictEqual(created.status, 201)
      yield* ingest(Array.from({ length: 250 }, (_, index) => ({ external_id: `n${index}`, text: "x" })))
      yield* send("POST", `/v1/custom-connectors/${field<string>(other, "connector_id")}/ingest/text`, {
        body: { items: [{ external_id: "other", text: "x" }] }
      })
      yield* at("POST", "/ingest/typed", {
        body: {
          items: [{ external_id: "mail", timestamp: "2026-01-01T00:00:00Z", payload: { kind: "email" } }]
        }
      })
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(ids(yield* bySource.events), ["other"])
      assert.deepStrictEqual(ids(yield* byProvider.events), [])
      assert.deepStrictEqual(ids(yield* byKind.events), ["mail"])
    }))

  it.effect("is kept alive by comments", () =>
    Effect.gen(function*() {
      const { listen } = yield* wire()
      const stream = yield* listen("GET", EVENTS)
      for (let count = 0; count < 4; count++) {
        assert.strictEqual(yield* stream.text, `: open\n\n${": keep-alive\n\n".repeat(count)}`)
        yield* TestClock.adjust("15 seconds")
      }
    }))

  it.effect("ends within a minute, with a last event, after its caller loses access", () =>
    Effect.gen(function*() {
      const { key, listen, newKey, operate, workspace } = yield* wire()
      const expiring = yield* newKey(["runtime:read"])
      const ended = Effect.fnUntraced(function*(end: Effect.Effect<unknown>, secret: string, expected: unknown) {
        const stream = yield* listen("GET", EVENTS, { key: secret })
        yield* TestClock.adjust("30 seconds")
        assert.isFalse(yield* stream.ended)
        yield* end
        yield* TestClock.adjust("59 seconds")
        assert.isTrue(yield* stream.ended)
        assert.deepStrictEqual(yield* stream.events, [{ name: "error", id: undefined, data: expected }])
      })
      const refused = { error_code: "authentication_error", message: "Invalid or missing credentials.", details: null }
      yield* ended(operate("DELETE", `/api-keys/${expiring.key_id}`), expiring.secret, refused)
      yield* ended(
        operate("PATCH", `/workspaces/${workspace.workspace_id}`, { body: { suspended: true } }),
        key.secret,
        {
          error_code: "permission_denied",
          message:
            "The workspace is suspended: nothing is answered, pulled or sent until its operator lifts the suspension.",
          details: null
        }
      )
      yield* operate("PATCH", `/workspaces/${workspace.workspace_id}`, { body: { suspended: false } })
      yield* ended(operate("DELETE", `/workspaces/${workspace.workspace_id}`), key.secret, refused)
    }))

  it.effect("ends with the key's expiry", () =>
    Effect.gen(function*() {
      const { listen, operate, workspace } = yield* wire()
      const created = yield* operate("POST", `/workspaces/${workspace.workspace_id}/api-keys`, {
        body: { name: "K", scopes: ["runtime:read"], expires_at: "1970-01-01T00:01:00Z" }
      })
      const stream = yield* listen("GET", EVENTS, { key: field<string>(created, "secret") })
      yield* TestClock.adjust("59 seconds")
      assert.isFalse(yield* stream.ended)
      yield* TestClock.adjust("16 seconds")
      assert.isTrue(yield* stream.ended)
    }))

  it.effect("ends when the server stops", () =>
    Effect.gen(function*() {
      const shutdown = yield* Deferred.make<void>()
      const { listen } = yield* wire({ shutdown: Deferred.await(shutdown) })
      const stream = yield* listen("GET", EVENTS)
      assert.isFalse(yield* stream.ended)
      yield* Deferred.succeed(shutdown, undefined)
      assert.isTrue(yield* stream.ended)
      assert.deepStrictEqual(yield* stream.events, [{
        name: "error",
        id: undefined,
        data: {
          error_code: "service_unavailable",
          message: "The server is stopping. Connect again.",
          details: null
        }
      }])
    }))

  it.effect("reveals nothing of an internal error, and logs it with the request's id", () => {
    const lines: Array<string> = []
    return Effect.gen(function*() {
      const { listen, reads } = yield* wire()
      const stream = yield* listen("GET", EVENTS, { headers: { "x-request-id": "the-id" } })
      yield* Ref.set(reads.broken, true)
      yield* TestClock.adjust("1 second")
      assert.isTrue(yield* stream.ended)
      assert.deepStrictEqual(yield* stream.events, [{
        name: "error",
        id: undefined,
        data: {
          error_code: "internal_server_error",
          message: "An unexpected error occurred.",
          details: { request_id: "the-id" }
        }
      }])
      assert.notInclude(yield* stream.text, "secret")
      assert.isTrue(lines.some((line) => line.includes("secret") && line.includes("the-id")))
    }).pipe(Effect.provide(Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])))
  })

  it.effect("reads the store no faster than its client reads", () =>
    Effect.gen(function*() {
      const { at, key, open, reads } = yield* connected()
      const items = Array.from({ length: 1_000 }, (_, index) => ({ external_id: `n${index}`, data: index }))
      for (let data = 0; data < 6; data++) {
        yield* at("POST", "/ingest", { body: { items: items.map((item) => ({ ...item, data })) } })
      }
      const headers = { accept: "text/event-stream", "last-event-id": "0", authorization: `Bearer ${key.secret}` }
      const response = yield* open(new Request(`${BASE_URL}${EVENTS}`, { headers }))
      const reader = response.body!.getReader()
      yield* Effect.promise(() => reader.read())
      yield* TestClock.adjust("10 seconds")
      yield* settle
      // Out of the 60 reads for all 6,000 events.
      assert.isBelow(yield* Ref.get(reads.count), 20)
      yield* Effect.promise(() => reader.cancel())
    }))
})

describe("An Accept header", () => {
  it.effect("decides between a list and a stream, and is ignored elsewhere", () =>
    Effect.gen(function*() {
      const { listen, send } = yield* wire()
      const cases = [
        ["text/event-stream", true],
        ["text/event-stream, */*;q=0.1", true],
        ["TEXT/EVENT-STREAM; charset=utf-8", true],
        ["application/json;q=0.5, text/event-stream", true],
        ["application/json, text/event-stream", false],
        ["text/event-stream;q=0", false],
        ["text/event-stream;q=x, application/json", true],
        ["*/*", false],
        ["text/html, image/png", false],
        ["", false]
      ] as const
      for (const [accept, streams] of cases) {
        const type = streams
          ? (yield* listen("GET", EVENTS, { headers: { accept } })).headers.get("content-type")
          : (yield* send("GET", EVENTS, { headers: { accept } })).headers.get("content-type")
        assert.strictEqual(type, streams ? "text/event-stream" : "application/json", accept)
      }
      for (const accept of ["text/event-stream", "text/html", "image/png", "x"]) {
        const answer = yield* send("GET", "/v1/usage/current", { headers: { accept } })
        assert.deepStrictEqual([answer.status, answer.headers.get("content-type")], [200, "application/json"])
      }
    }))
})
