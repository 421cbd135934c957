import { assert, describe, it } from "@effect/vitest"
import { Connectors } from "@tributary/core/Connectors"
import { Documents } from "@tributary/core/Documents"
import { Ingest, PendingChunks } from "@tributary/core/Ingest"
import { OPERATOR } from "@tributary/core/model/Principal"
import type { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import type { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { JobStore } from "@tributary/core/ports/JobStore"
import { TextExtractor, Unreadable } from "@tributary/core/ports/TextExtractor"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { connected, services } from "../support/services.ts"

const NOW = Date.parse("2026-05-05T10:00:00.000Z")
const page = { limit: 100, cursor: null }

const stored = Effect.fnUntraced(
  function*(
    { id, source }: { readonly id: Parameters<Documents["Service"]["find"]>[0]; readonly source: string },
    externalId: string
  ) {
    return yield* (yield* Documents).findByExternalId(id, source, externalId)
  }
)

/** Refuses HTML that takes too much to parse. */
const refusalOfHtml = Effect.fnUntraced(
  function*(
    { source, workspace }: Effect.Success<ReturnType<typeof connected>>,
    read: Effect.Effect<never, Unreadable>
  ) {
    const extractor = Layer.mock(TextExtractor, { fromMarkup: () => read })
    const context = yield* Effect.context<ConnectorStore | DocumentStore>()
    const ingest = Layer.fresh(Ingest.layer).pipe(Layer.provide(Layer.merge(Layer.succeedContext(context), extractor)))
    const sent = Effect.flatMap(
      Ingest,
      (service) => service.text(workspace, source, [{ text: "<p>long", content_type: "text/html" }])
    )
    return yield* Effect.flip(Effect.provide(sent, ingest))
  }
)

describe("ingest", () => {
  it.effect("of JSON keeps the data and makes its text searchable", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const place = yield* connected({ metadata: { team: "ops", lang: "en" } })
      const data = { z: 1, name: "Größe", list: ["a", null], nested: { deep: ["b"] } }
      const ingest = yield* Ingest
      const result = yield* ingest.json(place.workspace, place.source, [
        { external_id: "a", data, metadata: { lang: "de", ["__proto__"]: "x" } }
      ])
      const document = yield* stored(place, "a")
      assert.deepStrictEqual(result, {
        status: "accepted",
        events: 1,
        external_ids: ["a"],
        rejected: [],
        items: [{ external_id: "a", document_id: document.document_id, status: "created" }]
      })
      assert.deepStrictEqual(document.payload, data)
      assert.strictEqual(JSON.stringify(document.payload), JSON.stringify(data))
      assert.strictEqual(document.text, "name: Größe\nlist: a\ndeep: b")
      assert.deepInclude(document, {
        external_id: "a",
        source: "custom:notes",
        kind: "custom",
        title: null,
        url: null,
        size: new TextEncoder().encode(JSON.stringify(data)).length,
        timestamp: new Date(NOW),
        ends_at: null,
        created_at: new Date(NOW)
      })
      assert.deepInclude(document.metadata, { team: "ops", lang: "de" })
    }).pipe(Effect.provide(services)))

  it.effect("lets an item's metadata win, under any key", () =>
    Effect.gen(function*() {
      const metadata = JSON.parse("{\"__proto__\":\"connector\",\"constructor\":\"kept\",\"plain\":\"kept\"}")
      const place = yield* connected({ metadata })
      yield* (yield* Ingest).json(place.workspace, place.source, [
        { external_id: "a", data: 1, metadata: JSON.parse("{\"__proto__\":\"item\"}") }
      ])
      assert.strictEqual(
        JSON.stringify((yield* stored(place, "a")).metadata),
        "{\"__proto__\":\"item\",\"constructor\":\"kept\",\"plain\":\"kept\"}"
      )
    }).pipe(Effect.provide(services)))

  it.effect("of text keeps plain text and Markdown verbatim, and parses HTML", () =>
    Effect.gen(function*() {
      const place = yield* connected()
      yield* (yield* Ingest).text(place.workspace, place.source, [
        { external_id: "plain", text: "  # One\r\n\ttwo 😀 ", url: "https://example.org/a" },
        { external_id: "md", text: "# Title\n\n*text*", content_type: "text/markdown" },
        { external_id: "named", text: "# Title", content_type: "text/markdown", title: "Given" },
        { external_id: "html", text: "<title>T</title><p>Text", content_type: "text/html" },
        { external_id: "empty", text: "" }
      ])
      const seen = yield* Effect.forEach(["plain", "md", "named", "html", "empty"], (externalId) =>
        stored(place, externalId))
      assert.deepStrictEqual(seen.map(({ title, text, url, size, payload }) => [title, text, url, size, payload]), [
        [null, "  # One\r\n\ttwo 😀 ", "https://example.org/a", 19, null],
        ["Title", "# Title\n\n*text*", null, 15, null],
        ["Given", "# Title", null, 7, null],
        ["T", "TText", null, 23, null],
        [null, "", null, 0, null]
      ])
    }).pipe(Effect.provide(services)))

  it.effect("of a page stores its authors, as text, as a payload and as a file", () =>
    Effect.gen(function*() {
      const place = yield* connected()
      const ingest = yield* Ingest
      const html = "<meta name=\"author\" content=\"Ada\"><meta name=\"author\" content=\"Bob\"><p>Planned by: Bob"
      const timestamp = new Date(NOW)
      yield* ingest.text(place.workspace, place.source, [
        { external_id: "text", text: html, content_type: "text/html" },
        { external_id: "markdown", text: html, content_type: "text/markdown" },
        { external_id: "given", text: html, content_type: "text/html", metadata: { author: "The board" } }
      ])
      yield* ingest.typed(place.workspace, place.source, [
        { external_id: "page", timestamp, payload: { kind: "page", content: html, content_type: "text/html" } },
        { external_id: "mail", timestamp, payload: { kind: "email", from: "Cyd", body_html: html } }
      ])
      const bytes = new TextEncoder().encode(html)
      const file = { bytes, name: "budget.html", contentType: "text/html" }
      yield* ingest.file(place.workspace, place.source, { external_id: "file", file })
      const seen = (externalId: string) =>
        Effect.map(stored(place, externalId), ({ metadata, text }) => [text, metadata["author"]])
      for (const externalId of ["text", "page", "file"]) {
        assert.deepStrictEqual(yield* seen(externalId), ["Author: Ada\n\nPlanned by: Bob", "Ada, Bob"], externalId)
      }
      assert.deepStrictEqual(yield* seen("markdown"), [html, "Ada, Bob"])
      assert.deepStrictEqual(yield* seen("given"), ["Author: Ada\n\nPlanned by: Bob", "The board"])
      assert.deepStrictEqual(yield* seen("mail"), ["From: Cyd\n\nPlanned by: Bob", undefined])
    }).pipe(Effect.provide(services)))

  it.effect("of typed items reads the fields of the kind", () =>
    Effect.gen(function*() {
      const place = yield* connected()
      const timestamp = new Date("2026-01-01T00:00:00Z")
      yield* (yield* Ingest).typed(place.workspace, place.source, [
        {
          external_id: "mail",
          timestamp,
          payload: { kind: "email", subject: "Offer", from: "a@b.c", body_html: "<b>Hi</b> Bob", x: "y" }
        },
        {
          external_id: "page",
          timestamp,
          payload: { kind: "page", content: "# Head\ntext", content_type: "text/markdown" }
        },
        { external_id: "long", timestamp, payload: { kind: "issue", title: "😀".repeat(3_000) } }
      ])
      const mail = yield* stored(place, "mail")
      assert.deepStrictEqual([mail.kind, mail.title, mail.text], ["email", "Offer", "From: a@b.c\n\nHi Bob\n\nx: y"])
      const markdown = yield* stored(place, "page")
      assert.deepStrictEqual([markdown.kind, markdown.title, markdown.text], ["page", "Head", "# Head\ntext"])
      assert.strictEqual((yield* stored(place, "long")).title, "😀".repeat(2_000))
    }).pipe(Effect.provide(services)))

  it.effect("dates a calendar event by its start, and anything else by its timestamp", () =>
    Effect.gen(function*() {
      const place = yield* connected()
      const timestamp = new Date("2026-01-01T00:00:00Z")
      yield* (yield* Ingest).typed(place.workspace, place.source, [
        {
          external_id: "both",
          timestamp,
          payload: { kind: "calendar", start: "2026-03-01T12:00:00+01:00", end: "2026-03-01T13:00:00+01:00" }
        },
        { external_id: "start", timestamp, payload: { kind: "calendar", start: "2026-03-01T12:00:00Z" } },
        {
          external_id: "reversed",
          timestamp,
          payload: { kind: "calendar", start: "2026-03-01T12:00:00Z", end: "2025-03-01T13:00:00Z" }
        },
        { external_id: "none", timestamp, payload: { kind: "calendar", title: "Some day" } },
        { external_id: "other", timestamp, payload: { kind: "page", start: "2026-03-01T12:00:00Z" } }
      ])
      const seen = yield* Effect.forEach(["both", "start", "reversed", "none", "other"], (externalId) =>
        stored(place, externalId))
      assert.deepStrictEqual(
        seen.map(({ timestamp, ends_at }) => [timestamp.toISOString(), ends_at?.toISOString() ?? null]),
        [
          ["2026-03-01T11:00:00.000Z", "2026-03-01T12:00:00.000Z"],
          ["2026-03-01T12:00:00.000Z", null],
          ["2026-03-01T12:00:00.000Z", null],
          ["2026-01-01T00:00:00.000Z", null],
          ["2026-01-01T00:00:00.000Z", null]
        ]
      )
    }).pipe(Effect.provide(services)))

  it.effect("replaces characters that cannot be stored in derived text", () =>
    Effect.gen(function*() {
      const place = yield* connected()
      const data = { note: "a\u0000b\ud800c" }
      yield* (yield* Ingest).json(place.workspace, place.source, [{ external_id: "a", data }])
      const document = yield* stored(place, "a")
      assert.strictEqual(document.text, "note: a\ufffdb\ufffdc")
      assert.deepStrictEqual(document.payload, data)
    }).pipe(Effect.provide(services)))

  it.effect("creates an id for an item without one", () =>
    Effect.gen(function*() {
      const place = yield* connected()
      const { external_ids } = yield* (yield* Ingest).json(place.workspace, place.source, [{ data: 1 }, {
        external_id: null,
        data: 1
      }])
      assert.strictEqual(new Set(external_ids).size, 2)
      for (const id of external_ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    }).pipe(Effect.provide(services)))

  it.effect("recognizes an equal item, with its keys in any order", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const place = yield* connected()
      const ingest = yield* Ingest
      const send = (
        item: { readonly data: object; readonly metadata?: Record<string, string>; readonly timestamp?: Date }
      ) =>
        Effect.map(
          ingest.json(place.workspace, place.source, [{ external_id: "a", ...item } as never]),
          ({ events, items }) => [events, items[0]?.status]
        )
      const first = { data: { a: 1, b: { c: [1, 2], d: 2 } }, metadata: { k: "v", l: "w" } }
      assert.deepStrictEqual(yield* send(first), [1, "created"])
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* send({ metadata: { l: "w", k: "v" }, data: { b: { d: 2, c: [1, 2] }, a: 1 } }), [
        1,
        "unchanged"
      ])
      assert.deepInclude(yield* stored(place, "a"), { updated_at: new Date(NOW), timestamp: new Date(NOW) })
      assert.deepStrictEqual(yield* send({ ...first, data: { a: 1, b: { c: [2, 1], d: 2 } } }), [1, "updated"])
      assert.deepStrictEqual(yield* send({ ...first, metadata: { k: "v" } }), [1, "updated"])
      const { items } = yield* (yield* Documents).events(place.id, { source: null, kind: null }, page)
      assert.deepStrictEqual(items.map(({ type }) => type), [
        "document.created",
        "document.updated",
        "document.updated"
      ])
    }).pipe(Effect.provide(services)))

  it.effect("accepts the same id twice in one request: both count, the later stays", () =>
    Effect.gen(function*() {
      const place = yield* connected()
      const result = yield* (yield* Ingest).text(place.workspace, place.source, [
        { external_id: "a", text: "one" },
        { external_id: "b", text: "two" },
        { external_id: "a", text: "three" }
      ])
      assert.deepStrictEqual([result.events, result.external_ids], [3, ["a", "b", "a"]])
      assert.deepStrictEqual(result.items.map(({ status }) => status), ["created", "created", "updated"])
      assert.strictEqual((yield* stored(place, "a")).text, "three")
    }).pipe(Effect.provide(services)))

  it.effect("queues one refresh of the context for a burst, and none without a change", () =>
    Effect.gen(function*() {
      const place = yield* connected()
      const ingest = yield* Ingest
      const jobs = Effect.map(
        Effect.flatMap(JobStore, (store) => store.list(place.id, "context", { status: null, after: null, limit: 10 })),
        (list) => list.length
      )
      yield* ingest.text(place.workspace, place.source, [{ external_id: "a", text: "one" }])
      assert.strictEqual(yield* jobs, 1)
      yield* ingest.text(place.workspace, place.source, [{ external_id: "a", text: "one" }, {
        external_id: "b",
        text: "b"
      }])
      assert.strictEqual(yield* jobs, 1)
    }).pipe(Effect.provide(services)))
})

describe("under the plan's caps, ingest", () => {
  it.effect("accepts what fits, lists the rest with the exceeded caps, and counts UTF-8 bytes", () =>
    Effect.gen(function*() {
      const place = yield* connected({ limits: { doc_size: 6, documents: 2, storage: 8 } })
      const result = yield* (yield* Ingest).text(place.workspace, place.source, [
        { external_id: "big", text: "ééé!" },
        { external_id: "a", text: "ééé" },
        { external_id: "b", text: "123" },
        { external_id: "c", text: "12" },
        { external_id: "d", text: "" }
      ])
      assert.deepStrictEqual(result.external_ids, ["a", "c"])
      assert.strictEqual(result.events, 2)
      assert.deepStrictEqual(result.rejected, [
        { external_id: "big", resource: "doc_size", reason: "quota_exceeded" },
        { external_id: "b", resource: "storage", reason: "quota_exceeded" },
        { external_id: "d", resource: "documents", reason: "quota_exceeded" }
      ])
      assert.deepStrictEqual(result.items.map(({ external_id, status }) => [external_id, status]), [
        ["big", "rejected"],
        ["a", "created"],
        ["b", "rejected"],
        ["c", "created"],
        ["d", "rejected"]
      ])
    }).pipe(Effect.provide(services)))

  it.effect("fails if nothing fits, with the rejected items, and stores nothing", () =>
    Effect.gen(function*() {
      const place = yield* connected({ limits: { doc_size: 2 } })
      const error = yield* Effect.flip(
        (yield* Ingest).json(place.workspace, place.source, [{ external_id: "a", data: "long" }])
      )
      assert.deepInclude(error, {
        _tag: "quota_exceeded",
        details: { rejected: [{ external_id: "a", resource: "doc_size", reason: "quota_exceeded" }] }
      })
      assert.deepStrictEqual((yield* (yield* Documents).list(place.id, place.source, null, page)).items, [])
    }).pipe(Effect.provide(services)))

  it.effect("fails at once if nothing fits, also while much waits to be indexed", () =>
    Effect.gen(function*() {
      const place = yield* connected({ limits: { doc_size: 3 } })
      const push = (data: string) =>
        Effect.flatMap(Ingest, (ingest) => ingest.json(place.workspace, place.source, [{ external_id: data, data }]))
      yield* push("a")
      const waiting = yield* Effect.forkChild(push("b"), { startImmediately: true })
      assert.strictEqual((yield* Effect.flip(push("long")))._tag, "quota_exceeded")
      assert.isUndefined(waiting.pollUnsafe())
    }).pipe(Effect.provide(services.pipe(Layer.provide(Layer.succeed(PendingChunks, 1))))))

  it.effect("does not parse the text of an item that is too large anyway", () =>
    Effect.gen(function*() {
      const place = yield* connected({ limits: { doc_size: 2 } })
      const error = yield* refusalOfHtml(place, Effect.die("read"))
      assert.strictEqual(error._tag, "quota_exceeded")
    }).pipe(Effect.provide(services)))

  it.effect("is refused with the reason if parsing its text takes too much", () =>
    Effect.gen(function*() {
      const place = yield* connected()
      const error = yield* refusalOfHtml(place, Effect.fail(new Unreadable({ message: "It takes too long." })))
      assert.deepInclude(error, { _tag: "bad_request", message: "It takes too long." })
      assert.deepStrictEqual((yield* (yield* Documents).list(place.id, place.source, null, page)).items, [])
    }).pipe(Effect.provide(services)))
})

describe("ingest is refused", () => {
  it.effect("as a whole for the first item of a kind that the connector does not accept", () =>
    Effect.gen(function*() {
      const place = yield* connected({ kinds: ["page", "own.kind"] })
      const ingest = yield* Ingest
      const timestamp = new Date(0)
      const typed = yield* Effect.flip(ingest.typed(place.workspace, place.source, [
        { external_id: "a", timestamp, payload: { kind: "page", content: "fine" } },
        { external_id: "b", timestamp, payload: { kind: "email" } },
        { external_id: "c", timestamp, payload: { kind: "issue" } }
      ]))
      assert.deepInclude(typed, {
        _tag: "bad_request",
        details: { kind: "email", accepted_kinds: ["page", "own.kind"], index: 1 }
      })
      for (
        const error of [
          yield* Effect.flip(ingest.json(place.workspace, place.source, [{ data: 1 }])),
          yield* Effect.flip(ingest.text(place.workspace, place.source, [{ text: "x" }]))
        ]
      ) {
        assert.include(error.message, "'custom' are not accepted by this custom connector, only page, own.kind.")
        assert.deepInclude(error, {
          _tag: "bad_request",
          details: { kind: "custom", accepted_kinds: ["page", "own.kind"], index: 0 }
        })
      }
      assert.deepStrictEqual((yield* (yield* Documents).list(place.id, place.source, null, page)).items, [])
    }).pipe(Effect.provide(services)))

  it.effect("by a deactivated connector, whatever the kinds, until it is active again", () =>
    Effect.gen(function*() {
      const place = yield* connected({ kinds: ["page"] })
      const [connectors, ingest] = [yield* Connectors, yield* Ingest]
      yield* connectors.deactivate(place.workspace, place.source, false, OPERATOR)
      const error = yield* Effect.flip(ingest.text(place.workspace, place.source, [{ text: "x" }]))
      assert.deepInclude(error, { _tag: "bad_request", details: null })
      assert.include(error.message, "deactivated")
      yield* connectors.update(place.workspace, place.source, { is_active: true, accepted_kinds: [] }, OPERATOR)
      assert.strictEqual((yield* ingest.text(place.workspace, place.source, [{ text: "x" }])).events, 1)
    }).pipe(Effect.provide(services)))

  it.effect("by an unknown connector", () =>
    Effect.gen(function*() {
      const [mine, other] = [yield* connected(), yield* connected()]
      const ingest = yield* Ingest
      for (const id of [other.source, "nonsense", ""]) {
        assert.strictEqual(
          (yield* Effect.flip(ingest.text(mine.workspace, id, [{ text: "x" }])))._tag,
          "client_not_found"
        )
      }
    }).pipe(Effect.provide(services)))
})
