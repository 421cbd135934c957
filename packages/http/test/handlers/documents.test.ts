// Documents and events on the wire (decisions 3 and 4).
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { connected, type Json } from "../support/connected.ts"
import { type Answer, code, field } from "../support/wire.ts"

describe("Documents", () => {
  it.effect("are read by either id, with any characters in the client's", () =>
    Effect.gen(function*() {
      const { at, ingest, send } = yield* connected()
      const ids = ["a/b", "delete", "ä ö", "%2F", "a;b?c#d", "😀".repeat(512), "a+b", "x".repeat(512), "..a", "\\"]
      for (const external_id of ids) {
        assert.strictEqual((yield* ingest([{ external_id, text: "text" }])).status, 200, external_id)
        const answer = yield* at("GET", `/documents/${encodeURIComponent(external_id)}`)
        assert.deepStrictEqual([answer.status, field(answer, "external_id")], [200, external_id], external_id)
        const byId = yield* send("GET", `/v1/documents/${field<string>(answer, "document_id")}`)
        assert.deepStrictEqual(byId.body, answer.body)
        const found = yield* at("GET", `/documents?external_id=${encodeURIComponent(external_id)}`)
        assert.strictEqual(field<ReadonlyArray<unknown>>(found, "documents").length, 1, external_id)
      }
    }))

  it.effect("have the published fields; lists omit text and payload", () =>
    Effect.gen(function*() {
      const { at, ingest } = yield* connected()
      yield* ingest([{ external_id: "a", text: "text", url: "https://example.com/a" }])
      const fields = [
        "document_id",
        "external_id",
        "source",
        "kind",
        "title",
        "url",
        "size",
        "timestamp",
        "ends_at",
        "metadata",
        "created_at",
        "updated_at",
        "in_context"
      ]
      const full = yield* at("GET", "/documents/a")
      assert.sameMembers(Object.keys(full.body as Json), [...fields, "text", "payload"])
      assert.deepInclude(full.body as Json, { text: "text", payload: null, url: "https://example.com/a", size: 4 })
      const listed = yield* at("GET", "/documents")
      assert.sameMembers(Object.keys(listed.body as Json), ["documents", "next_cursor"])
      assert.sameMembers(Object.keys(field<ReadonlyArray<Json>>(listed, "documents")[0]!), fields)
    }))

  it.effect("are not confused by a path with a semicolon or a fragment", () =>
    Effect.gen(function*() {
      const { at, ingest } = yield* connected()
      yield* ingest([{ external_id: "a", text: "x" }, { external_id: "a;b", text: "y" }])
      for (const method of ["GET", "DELETE", "PUT"]) {
        const answer = yield* at(method, "/documents/a;b")
        assert.deepStrictEqual([answer.status, code(answer)], [404, "not_found"], method)
      }
      assert.strictEqual((yield* at("DELETE", "/documents/a%3Bb")).status, 200)
      assert.strictEqual((yield* at("GET", "/documents/a?x=;y")).status, 200)
    }))

  it.effect("are paged, and a foreign cursor shows nothing foreign", () =>
    Effect.gen(function*() {
      const { at, ingest } = yield* connected()
      yield* ingest(Array.from({ length: 45 }, (_, index) => ({ external_id: `d${index}`, text: "x" })))
      const seen = new Set<unknown>()
      let cursor: string | null = ""
      let pages = 0
      while (cursor !== null) {
        const page: Answer = yield* at(
          "GET",
          `/documents${cursor === "" ? "" : `?cursor=${encodeURIComponent(cursor)}`}`
        )
        for (const { external_id } of field<ReadonlyArray<Json>>(page, "documents")) seen.add(external_id)
        cursor = field<string | null>(page, "next_cursor")
        pages++
      }
      assert.deepStrictEqual([seen.size, pages], [45, 3])
      assert.strictEqual((yield* at("GET", "/documents?cursor=x")).status, 422)
    }))

  it.effect("are deleted by either id, and many at once", () =>
    Effect.gen(function*() {
      const { at, ingest, send } = yield* connected()
      yield* ingest(["a", "b", "c", "d"].map((external_id) => ({ external_id, text: "x" })))
      const one = yield* at("DELETE", "/documents/a")
      assert.deepStrictEqual([one.status, one.body], [200, { status: "deleted", external_id: "a" }])
      const document_id = field<string>(yield* at("GET", "/documents/b"), "document_id")
      const byId = yield* send("DELETE", `/v1/documents/${document_id}`)
      assert.deepStrictEqual([byId.status, byId.body], [200, { status: "deleted", document_id, external_id: "b" }])
      const many = yield* at("POST", "/documents/delete", { body: { external_ids: ["d", "nope", "c"] } })
      assert.deepStrictEqual([many.status, many.body], [200, { status: "deleted", external_ids: ["d", "c"] }])
      for (const answer of [yield* at("GET", "/documents/a"), yield* send("GET", `/v1/documents/${document_id}`)]) {
        assert.deepStrictEqual([answer.status, answer.body], [404, {
          error_code: "document_not_found",
          message: "No such document in this workspace.",
          details: null
        }])
      }
      assert.strictEqual((yield* at("POST", "/documents/delete", { body: { external_ids: [] } })).status, 422)
    }))

  it.effect("need the scope of their source", () =>
    Effect.gen(function*() {
      const { at, ingest, newKey, send } = yield* connected()
      yield* ingest([{ external_id: "a", text: "x" }])
      const path = `/v1/documents/${field<string>(yield* at("GET", "/documents/a"), "document_id")}`
      const { secret: key } = yield* newKey(["connections:read", "connections:write"])
      for (
        const [method, scope] of [["GET", "custom_connectors:read"], ["DELETE", "custom_connectors:ingest"]] as const
      ) {
        const answer = yield* send(method, path, { key })
        assert.deepStrictEqual([answer.status, field(answer, "details")], [403, { missing_scopes: [scope] }])
      }
      assert.strictEqual((yield* send("GET", path)).status, 200)
    }))
})

describe("GET /v1/runtime/events", () => {
  it.effect("are listed oldest first, by source and kind", () =>
    Effect.gen(function*() {
      const { at, ingest, send } = yield* connected()
      yield* ingest([{ external_id: "a", text: "1" }])
      yield* ingest([{ external_id: "a", text: "2" }])
      yield* ingest([{ external_id: "a", text: "2" }])
      yield* at("DELETE", "/documents/a")
      const answer = yield* send("GET", "/v1/runtime/events")
      const events = field<ReadonlyArray<Json>>(answer, "events")
      assert.deepStrictEqual(events.map(({ type }) => type), [
        "document.created",
        "document.updated",
        "document.deleted"
      ])
      assert.sameMembers(Object.keys(events[0]!), [
        "event_id",
        "type",
        "source",
        "kind",
        "external_id",
        "document_id",
        "timestamp",
        "created_at",
        "metadata"
      ])
      assert.strictEqual(events[0]!["source"], "custom:notes")
      const first = yield* send("GET", "/v1/runtime/events?limit=1")
      const second = yield* send("GET", `/v1/runtime/events?limit=5&cursor=${field<string>(first, "next_cursor")}`)
      assert.deepStrictEqual(field(second, "events"), events.slice(1))
      assert.deepStrictEqual(field(yield* send("GET", "/v1/runtime/events?kind=email"), "events"), [])
      const sourced = yield* send("GET", "/v1/runtime/events?source=custom:notes&kind=custom")
      assert.deepStrictEqual(field(sourced, "events"), events)
    }))

  it.effect("list the versions of one document", () =>
    Effect.gen(function*() {
      const { at, ingest, send } = yield* connected()
      yield* ingest([{ external_id: "a", text: "1" }, { external_id: "b", text: "1" }])
      yield* ingest([{ external_id: "a", text: "2" }])
      const id = field<string>(yield* at("GET", "/documents/a"), "document_id")
      yield* at("DELETE", "/documents/a")
      const listed = (query: string) =>
        Effect.map(
          send("GET", `/v1/runtime/events?${query}`),
          (answer) => field<ReadonlyArray<Json>>(answer, "events").map(({ type }) => type)
        )
      const all = ["document.created", "document.updated", "document.deleted"]
      assert.deepStrictEqual(yield* listed(`document_id=${id}`), all)
      assert.deepStrictEqual(yield* listed(`document_id=${id.toUpperCase()}&kind=custom`), all)
      assert.deepStrictEqual(yield* listed(`document_id=${id}&kind=email`), [])
      assert.deepStrictEqual(yield* listed("document_id=none"), [])
    }))
})
