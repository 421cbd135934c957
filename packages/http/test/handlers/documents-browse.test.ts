// Everything that a workspace stores, looked through and deleted (decisions 13).
import { assert, describe, it } from "@effect/vitest"
import { PendingChunks } from "@tributary/core/Ingest"
import { Effect } from "effect"
import { connected, type Json } from "../support/connected.ts"
import { type Answer, code, field } from "../support/wire.ts"

const titles = (answer: Answer) =>
  field<ReadonlyArray<{ readonly title: string }>>(answer, "documents").map((d) => d.title)

const DAY = 86_400_000

/** Five documents: a to d days old, and one to come, outside of the context. */
const library = Effect.fnUntraced(function*() {
  const service = yield* connected()
  const at = (days: number) => new Date(days * DAY).toISOString()
  yield* service.ingest([
    { external_id: "a", title: "Alpha plan", text: "1", timestamp: at(-4) },
    { external_id: "b", title: "beta plan", text: "12345", timestamp: at(-3) },
    { external_id: "c", title: "Gamma", text: "123", timestamp: at(-2), metadata: { team: "core" } },
    { external_id: "d", title: "delta", text: "12", timestamp: at(-1) },
    { external_id: "far", title: "Far away", text: "1234", timestamp: at(4_000) }
  ])
  return {
    ...service,
    browse: (query = "") => service.send("GET", `/v1/documents${query}`),
    remove: (body: Json, key?: string) =>
      service.send("POST", "/v1/documents/delete", { body, ...key === undefined ? {} : { key } }),
    at
  }
})

describe("All documents", () => {
  it.effect("are listed newest first, with their total, without text", () =>
    Effect.gen(function*() {
      const { browse } = yield* library()
      const all = yield* browse()
      assert.strictEqual(all.status, 200)
      assert.deepStrictEqual(titles(all), ["Far away", "delta", "Gamma", "beta plan", "Alpha plan"])
      assert.deepStrictEqual([field(all, "total"), field(all, "next_cursor")], [5, null])
      assert.notProperty(field<ReadonlyArray<Json>>(all, "documents")[0]!, "text")
    }))

  it.effect("that a misspelt source or kind selects are none, with a warning, unless it exists", () =>
    Effect.gen(function*() {
      const { browse, send } = yield* library()
      yield* send("POST", "/v1/custom-connectors", { body: { name: "Empty", source_name: "empty" } })
      const nothing = (field: string, value: string) => `${field}: nothing in this workspace matches "${value}"`
      const warningsOf = Effect.fnUntraced(function*(query: string) {
        const documents = field(yield* browse(`?${query}`), "warnings")
        const events = field(yield* send("GET", `/v1/runtime/events?${query}`), "warnings")
        return [documents, events]
      })
      const cases = [
        ["source=email", [nothing("source", "email")]],
        ["kind=emial&source=custom:nots", [nothing("source", "custom:nots"), nothing("kind", "emial")]],
        ["kind=email&source=custom:notes", [nothing("kind", "email")]],
        ["source=custom:empty", undefined],
        ["source=custom", undefined]
      ] as const
      for (const [query, expected] of cases) {
        assert.deepStrictEqual(yield* warningsOf(query), [expected, expected], query)
      }
      assert.isUndefined(field(yield* browse("?kind=custom&q=nowhere"), "warnings"))
      const [earlier, later] = ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"]
      const noMoment = ["from, to: nothing matches, because from is not before to"]
      assert.deepStrictEqual(field(yield* browse(`?from=${later}&to=${earlier}`), "warnings"), noMoment)
      assert.isUndefined(field(yield* browse(`?from=${earlier}&to=${later}`), "warnings"))
    }))

  it.effect("are counted up to 10,000; of more, it says only that they are more", () =>
    Effect.gen(function*() {
      const { ingest, limit, send } = yield* connected()
      yield* limit({ documents: null })
      const push = (from: number, count: number) =>
        ingest(Array.from({ length: count }, (_, at) => ({ external_id: `${from + at}`, text: "x" })))
      const counted = Effect.map(send("GET", "/v1/documents?limit=1"), ({ body }) => {
        const { documents: _, next_cursor: _next, ...count } = body as Json
        return count
      })
      for (let from = 0; from < 10_000; from += 1_000) assert.strictEqual((yield* push(from, 1_000)).status, 200)
      assert.deepStrictEqual(yield* counted, { total: 10_000 })
      yield* push(10_000, 1)
      assert.deepStrictEqual(yield* counted, { total_at_least: 10_000 })
      const unconfirmed = yield* send("POST", "/v1/documents/delete", { body: { filter: {}, confirm_total: 10_000 } })
      assert.deepStrictEqual([unconfirmed.status, field(unconfirmed, "details")], [409, { total: null }])
      // Otherwise an ingest may wait for a refresh, by a clock that does not advance.
    }).pipe(Effect.provideService(PendingChunks, null)))

  it.effect("are sorted, page by page", () =>
    Effect.gen(function*() {
      const { browse } = yield* library()
      assert.deepStrictEqual(titles(yield* browse("?sort=title")), [
        "Alpha plan",
        "beta plan",
        "delta",
        "Far away",
        "Gamma"
      ])
      assert.deepStrictEqual(titles(yield* browse("?sort=-size&limit=2")), ["beta plan", "Far away"])
      const seen: Array<string> = []
      let cursor: string | null = ""
      while (cursor !== null) {
        const page: Answer = yield* browse(`?sort=size&limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`)
        assert.strictEqual(field(page, "total"), 5)
        seen.push(...titles(page))
        cursor = field<string | null>(page, "next_cursor")
      }
      assert.deepStrictEqual(seen, ["Alpha plan", "delta", "Gamma", "Far away", "beta plan"])
      const ofSize = field<string>(yield* browse("?sort=size&limit=2"), "next_cursor")
      for (const sort of ["-size", "timestamp", "title"]) {
        assert.strictEqual((yield* browse(`?sort=${sort}&cursor=${ofSize}`)).status, 422, sort)
      }
    }))

  it.effect("are filtered by every filter", () =>
    Effect.gen(function*() {
      const { at, browse, created } = yield* library()
      const found = (query: string) => Effect.map(browse(`?sort=title&${query}`), titles)
      assert.deepStrictEqual(yield* found("q=PLAN"), ["Alpha plan", "beta plan"])
      assert.deepStrictEqual(yield* found("q=plan%20alp"), ["Alpha plan"])
      assert.deepStrictEqual(yield* found("in_context=false"), ["Far away"])
      assert.deepStrictEqual(yield* found("in_context=true&q=a"), ["Alpha plan", "beta plan", "delta", "Gamma"])
      assert.deepStrictEqual(yield* found(`from=${at(-2)}&to=${at(0)}`), ["delta", "Gamma"])
      assert.deepStrictEqual(yield* found("source=custom:notes&kind=custom&q=far"), ["Far away"])
      assert.deepStrictEqual(yield* found("source=files"), [])
      assert.deepStrictEqual(yield* found("kind=page"), [])
      const id = field<string>(created, "connector_id")
      assert.deepStrictEqual((yield* found(`connector_id=${id}`)).length, 5)
      for (const nobody of [`connection_id=${id}&connector_id=x`, "connector_id=nonsense"]) {
        const none = yield* browse(`?${nobody}`)
        assert.deepStrictEqual([none.status, field(none, "total")], [200, 0], nobody)
      }
    }))

  it.effect("are found by words in small letters or capitals, in every script, with or without accents", () =>
    Effect.gen(function*() {
      const { browse, ingest } = yield* library()
      const [whole, marked, greek, cafe] = ["Übersicht", "U\u0308bersicht", "ΣΊΣΥΦΟΣ", "Café"]
      yield* ingest([whole, marked, greek, cafe].map((title) => ({ title, text: "x" })))
      const found = (q: string) => Effect.map(browse(`?q=${encodeURIComponent(q)}`), titles)
      for (const q of [whole, "übersicht", "ÜBERSICHT", "u\u0308bersicht", "ubersicht"]) {
        assert.sameMembers([...yield* found(q)], [whole, marked], q)
      }
      for (const q of ["σίσυ", "σισυ"]) assert.deepStrictEqual(yield* found(q), [greek], q)
      for (const q of ["cafe", "CAFE", "càfe", "cafe \u0301"]) assert.deepStrictEqual(yield* found(q), [cafe], q)
    }))

  it.effect("are refused with a message if the query is invalid", () =>
    Effect.gen(function*() {
      const { browse } = yield* library()
      const queries = [
        "limit=201",
        "limit=0",
        "sort=colour",
        "from=yesterday",
        "in_context=maybe",
        "q=",
        "q=%20%09",
        "kind=%00"
      ]
      for (const query of queries) {
        assert.strictEqual((yield* browse(`?${query}`)).status, 422, query)
      }
      const other = yield* browse("?sort=title&limit=1")
      for (const cursor of ["nonsense", field<string>(other, "next_cursor")]) {
        assert.strictEqual((yield* browse(`?sort=size&cursor=${cursor}`)).status, 422, cursor)
      }
    }))

  it.effect("refuse a cursor whose key is not what the order compares", () =>
    Effect.gen(function*() {
      const { browse } = yield* library()
      const wrong: Record<string, ReadonlyArray<unknown>> = {
        timestamp: ["a", 0.5, 8.65e15, null],
        "-updated_at": ["2026-01-01", 8.65e15],
        title: [5, "a\u0000", "\ud800"],
        "-size": ["5", 1.5, 1e30]
      }
      for (const [sort, keys] of Object.entries(wrong)) {
        for (const key of keys) {
          const value = [`documents by ${sort}`, { key, document_id: "01a2266f-8c01-73a6-91bb-b97d60000000" }]
          const cursor = Buffer.from(JSON.stringify(value)).toString("base64url")
          assert.strictEqual((yield* browse(`?sort=${sort}&cursor=${cursor}`)).status, 422, JSON.stringify(value))
        }
      }
    }))

  it.effect("need the scope that reads knowledge", () =>
    Effect.gen(function*() {
      const { newKey, send } = yield* library()
      const [reader, pusher] = [
        (yield* newKey(["knowledge:read"])).secret,
        (yield* newKey(["custom_connectors:read"])).secret
      ]
      assert.strictEqual((yield* send("GET", "/v1/documents", { key: reader })).status, 200)
      assert.strictEqual((yield* send("GET", "/v1/documents", { key: pusher })).status, 403)
    }))
})

describe("Many documents", () => {
  it.effect("are deleted by their ids, and unknown ones are ignored", () =>
    Effect.gen(function*() {
      const { browse, remove } = yield* library()
      const [first, second] = field<ReadonlyArray<{ readonly document_id: string }>>(
        yield* browse("?sort=title"),
        "documents"
      )
      const ids = [first!.document_id, second!.document_id, first!.document_id, "nonsense"]
      const answer = yield* remove({ document_ids: ids })
      assert.strictEqual(answer.status, 200)
      assert.deepInclude(answer.body as Json, { status: "deleted", deleted: 2 })
      assert.sameMembers([...field<ReadonlyArray<string>>(answer, "document_ids")], ids.slice(0, 2))
      assert.deepStrictEqual(titles(yield* browse("?sort=title")), ["delta", "Far away", "Gamma"])
      assert.strictEqual(field(yield* remove({ document_ids: ids }), "deleted"), 0)
    }))

  it.effect("are deleted by a filter, if the confirmed number matches", () =>
    Effect.gen(function*() {
      const { browse, remove } = yield* library()
      const refused = yield* remove({ filter: { q: "plan" }, confirm_total: 3 })
      assert.deepStrictEqual([refused.status, code(refused)], [409, "conflict"])
      assert.deepStrictEqual(field(refused, "details"), { total: 2 })
      assert.strictEqual(field(yield* browse(), "total"), 5)
      assert.strictEqual(field(yield* remove({ filter: { q: "plan" }, confirm_total: 2 }), "deleted"), 2)
      assert.strictEqual(field(yield* browse(), "total"), 3)
      assert.strictEqual(field(yield* remove({ filter: {}, confirm_total: 3 }), "deleted"), 3)
    }))

  it.effect("are not deleted if none was confirmed", () =>
    Effect.gen(function*() {
      const { browse, remove } = yield* library()
      const refused = yield* remove({ filter: { q: "plan" }, confirm_total: 0 })
      assert.deepStrictEqual([refused.status, field(refused, "details")], [409, { total: 2 }])
      const nothing = yield* remove({ filter: { q: "nowhere" }, confirm_total: 0 })
      assert.deepStrictEqual(nothing.body, { status: "deleted", deleted: 0, document_ids: [] })
      assert.strictEqual(field(yield* browse(), "total"), 5)
    }))

  it.effect("are not deleted by an incomplete request", () =>
    Effect.gen(function*() {
      const { browse, remove } = yield* library()
      const bodies: ReadonlyArray<Json> = [
        {},
        { filter: {} },
        { confirm_total: 5 },
        { document_ids: [] },
        { document_ids: ["a"], filter: {}, confirm_total: 1 },
        { filter: { from: "yesterday" }, confirm_total: 1 },
        { filter: {}, confirm_total: -1 },
        { filter: [], confirm_total: 5 }
      ]
      for (const body of bodies) assert.strictEqual((yield* remove(body)).status, 422, JSON.stringify(body))
      assert.strictEqual(field(yield* browse(), "total"), 5)
    }))

  it.effect("need the scope of their source", () =>
    Effect.gen(function*() {
      const { browse, newKey, remove } = yield* library()
      const body = { filter: { q: "plan" }, confirm_total: 2 }
      const puller = (yield* newKey(["connections:write", "knowledge:read"])).secret
      const refused = yield* remove(body, puller)
      assert.deepStrictEqual([refused.status, code(refused)], [403, "insufficient_scopes"])
      assert.strictEqual((yield* remove(body, (yield* newKey(["knowledge:write"])).secret)).status, 403)
      assert.strictEqual(field(yield* browse(), "total"), 5)
      const pusher = (yield* newKey(["custom_connectors:ingest", "knowledge:read"])).secret
      assert.strictEqual((yield* remove(body, pusher)).status, 200)
    }))

  it.effect("show a key that cannot read nothing of what a filter matches", () =>
    Effect.gen(function*() {
      const { browse, newKey, remove } = yield* library()
      const [{ document_id }] = field<[{ readonly document_id: string }]>(yield* browse("?q=gamma"), "documents")
      const pusher = (yield* newKey(["custom_connectors:ingest"])).secret
      for (const q of ["plan", "nowhere"]) {
        for (const confirm_total of [0, 1, 2]) {
          const refused = yield* remove({ filter: { q }, confirm_total }, pusher)
          assert.strictEqual(code(refused), "insufficient_scopes")
          assert.deepStrictEqual(field(refused, "details"), { missing_scopes: ["knowledge:read"] })
        }
      }
      assert.strictEqual(field(yield* browse(), "total"), 5)
      assert.strictEqual((yield* remove({ document_ids: [document_id] }, pusher)).status, 200)
    }))
})
