/** The events that every `DocumentStore` records. */
import { assert } from "@effect/vitest"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { Effect } from "effect"
import { anyMetadata, anyText } from "./internal/anyText.ts"
import { fiftyTimes, freshSource, item, moment, UNCAPPED } from "./internal/fixtures.ts"
import { type Kit, RUNS } from "./internal/Kit.ts"

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export const documentEventsContract = (it: Kit): void => {
  it.effect.prop(
    "records the events of a document, from creation to deletion",
    [anyText, anyMetadata],
    ([text, metadata]) =>
      Effect.gen(function*() {
        const { admit, events, origin, remove } = yield* freshSource
        const external_id = `x${text}`
        const first = item(external_id, "alpha", { timestamp: moment(-5), metadata, kind: "page" })
        const second = item(external_id, "beta", { kind: "email", metadata: { last: text } })
        yield* admit([first], UNCAPPED, moment(1))
        yield* admit([second], UNCAPPED, moment(2))
        yield* remove([external_id], moment(3))
        const recorded = yield* events
        const shared = (event_seq: number) => ({
          event_seq,
          source: origin.source,
          external_id,
          document_id: first.document_id,
          timestamp: moment(-5)
        })
        const { event_id } = recorded[2]!
        assert.deepStrictEqual(recorded, [
          {
            ...shared(1),
            event_id: first.event_id,
            type: "document.created",
            kind: "page",
            created_at: moment(1),
            metadata
          },
          {
            ...shared(2),
            event_id: second.event_id,
            type: "document.updated",
            kind: "email",
            created_at: moment(2),
            metadata: { last: text }
          },
          {
            ...shared(3),
            event_id,
            type: "document.deleted",
            kind: "email",
            created_at: moment(3),
            metadata: { last: text }
          }
        ])
        assert.match(event_id, UUID_7)
      }),
    RUNS
  )

  it.effect("numbers events in the order of the items and pages through them by number", () =>
    Effect.gen(function*() {
      const store = yield* DocumentStore
      const { admit, remove, workspaceId } = yield* freshSource
      yield* admit([item("a", "a"), item("b", "b"), item("rejected", "r", { oversized: true }), item("c", "c")])
      const page = (since: number, limit: number) =>
        store.events(workspaceId, { since, source: null, kind: null, limit })
      const first = yield* page(0, 2)
      assert.deepStrictEqual(first.map(({ external_id }) => external_id), ["a", "b"])
      yield* remove(["a"])
      const rest = yield* page(first[1]!.event_seq, 10)
      assert.deepStrictEqual(rest.map(({ external_id, type }) => [external_id, type]), [
        ["c", "document.created"],
        ["a", "document.deleted"]
      ])
      assert.deepStrictEqual(yield* page(rest[1]!.event_seq, 10), [])
      const numbers = [...first, ...rest].map(({ event_seq }) => event_seq)
      assert.deepStrictEqual(numbers, [1, 2, 3, 4])
    }))

  it.effect("filters by source and by kind, also across long gaps", () =>
    Effect.gen(function*() {
      const store = yield* DocumentStore
      const { admit, origin, workspaceId } = yield* freshSource
      const kinds = ["page", "email", "page", "email", "page"]
      yield* admit(kinds.map((kind, index) => item(`${index}`, "x", { kind })))
      const events = (source: string | null, kind: string | null, limit: number) =>
        Effect.map(
          store.events(workspaceId, { since: 1, source, kind, limit }),
          (events) => events.map(({ external_id }) => external_id)
        )
      assert.deepStrictEqual(yield* events(null, "page", 2), ["2", "4"])
      assert.deepStrictEqual(yield* events(origin.source, "email", 1), ["1"])
      assert.deepStrictEqual(yield* events(origin.source, null, 10), ["1", "2", "3", "4"])
      const provider = origin.source.slice(0, origin.source.indexOf(":"))
      assert.deepStrictEqual(yield* events(provider, "page", 10), ["2", "4"])
      for (const source of ["custom:other", "", "_", `${provider}:`, provider.slice(0, -1)]) {
        assert.deepStrictEqual(yield* events(source, null, 10), [], source)
      }
      assert.deepStrictEqual(yield* events(null, "issue", 10), [])
    }))

  it.effect("pages through the events of one document, even a deleted one", () =>
    Effect.gen(function*() {
      const store = yield* DocumentStore
      const { admit, remove, workspaceId } = yield* freshSource
      const first = item("a", "first")
      yield* admit([first, item("b", "other")])
      yield* admit([item("a", "second")])
      yield* remove(["a"])
      const eventsOf = (since: number, limit: number, workspace = workspaceId) =>
        Effect.map(
          store.eventsOf(workspace, first.document_id, { since, limit }),
          (events) => events.map(({ event_seq, type }) => [event_seq, type])
        )
      assert.deepStrictEqual(yield* eventsOf(0, 2), [[1, "document.created"], [3, "document.updated"]])
      assert.deepStrictEqual(yield* eventsOf(3, 2), [[4, "document.deleted"]])
      assert.deepStrictEqual(yield* eventsOf(4, 2), [])
      assert.deepStrictEqual(yield* eventsOf(0, 9, (yield* freshSource).workspaceId), [])
    }))

  it.effect("numbers events without gaps or duplicates with fifty concurrent requests", () =>
    Effect.gen(function*() {
      const { admit, events, scan } = yield* freshSource
      yield* fiftyTimes((index) => admit([item(`${index}`, "x"), item("shared", `${index}`)]))
      const expected = Array.from({ length: 100 }, (_, index) => index + 1)
      assert.deepStrictEqual((yield* events).map(({ event_seq }) => event_seq), expected)
      const numbers = (yield* scan).map(({ change_seq }) => change_seq)
      assert.strictEqual(new Set(numbers).size, 51)
    }))

  it.effect("deletes events before a time in every workspace, and nothing else", () =>
    Effect.gen(function*() {
      const store = yield* DocumentStore
      const [home, other] = [yield* freshSource, yield* freshSource]
      // Long before the times of all other tests, so that nothing of theirs is counted.
      const past = (millis: number) => new Date(Date.parse("2001-01-01T00:00:00.000Z") + millis)
      yield* store.pruneEvents(past(1_000))
      yield* home.admit([item("a", "a")], UNCAPPED, past(1))
      yield* home.admit([item("b", "b", { timestamp: past(0) })], UNCAPPED, past(2))
      yield* other.admit([item("c", "c")], UNCAPPED, past(1))
      assert.strictEqual(yield* store.pruneEvents(past(1)), 0)
      assert.strictEqual(yield* store.pruneEvents(past(2)), 2)
      assert.strictEqual(yield* store.pruneEvents(past(2)), 0)
      assert.deepStrictEqual((yield* home.events).map(({ event_seq, external_id }) => [event_seq, external_id]), [[
        2,
        "b"
      ]])
      assert.deepStrictEqual(yield* other.events, [])
      assert.strictEqual((yield* home.scan).length, 2)
      yield* home.admit([item("d", "d")])
      assert.deepStrictEqual((yield* home.events).map(({ event_seq }) => event_seq), [2, 3])
    }))
}
