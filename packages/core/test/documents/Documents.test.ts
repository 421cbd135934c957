import { assert, describe, it } from "@effect/vitest"
import { Documents } from "@tributary/core/Documents"
import { Ingest } from "@tributary/core/Ingest"
import { DocumentId } from "@tributary/core/model/Id"
import { OPERATOR } from "@tributary/core/model/Principal"
import type { Page } from "@tributary/core/model/Page"
import type { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import { Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { rebuildJob } from "../../src/context/contextJobs.ts"
import { uuid7 } from "../../src/internal/uuid7.ts"
import { connected, services } from "../support/services.ts"

const all = { limit: 100, cursor: null }
const everything = { source: null, kind: null }

/** A connector with a document for each id; the text is the id. */
const filled = Effect.fnUntraced(function*(...ids: ReadonlyArray<string>) {
  const place = yield* connected()
  yield* (yield* Ingest).text(place.workspace, place.source, ids.map((id) => ({ external_id: id, text: id })))
  return { ...place, documents: yield* Documents }
})

/** Every page of a list, for as long as there is a next one. */
const pages = Effect.fnUntraced(function*<A, E, R>(read: (cursor: string | null) => Effect.Effect<Page<A>, E, R>) {
  const found: Array<ReadonlyArray<A>> = []
  let cursor: string | null = null
  do {
    const page: Page<A> = yield* read(cursor)
    found.push(page.items)
    cursor = page.next
  } while (cursor !== null)
  return found
})

describe("documents", () => {
  it.effect("are listed newest first, page by page, without text", () =>
    Effect.gen(function*() {
      const { documents, id, source } = yield* filled("a", "b", "c", "d")
      const found = yield* pages((cursor) => documents.list(id, source, null, { limit: 2, cursor }))
      assert.deepStrictEqual(found.map((page) => page.map(({ external_id }) => external_id)), [["d", "c"], ["b", "a"]])
      assert.notProperty(found[0]?.[0], "text")
      assert.notProperty(found[0]?.[0], "payload")
    }).pipe(Effect.provide(services)))

  it.effect("are found by any external id in a list", () =>
    Effect.gen(function*() {
      const { documents, id, source } = yield* filled("a", "b", "..", "x/y")
      for (const externalId of ["a", "..", "x/y"]) {
        const { items } = yield* documents.list(id, source, externalId, all)
        assert.deepStrictEqual(items.map(({ external_id }) => external_id), [externalId])
      }
      for (const externalId of ["A", "", "\u0000", "\ud800", "z".repeat(513)]) {
        assert.deepStrictEqual((yield* documents.list(id, source, externalId, all)).items, [])
      }
    }).pipe(Effect.provide(services)))

  it.effect("accept only their own cursors", () =>
    Effect.gen(function*() {
      const { documents, id, source } = yield* filled("a", "b")
      const { next } = yield* documents.events(id, everything, { limit: 1, cursor: null })
      for (const cursor of ["", "x", next, "9".repeat(5_000)]) {
        assert.strictEqual(
          (yield* Effect.flip(documents.list(id, source, null, { limit: 1, cursor })))._tag,
          "InvalidCursor"
        )
      }
    }).pipe(Effect.provide(services)))

  it.effect("are returned complete by either id, with the payload as it was sent", () =>
    Effect.gen(function*() {
      const place = yield* connected()
      const documents = yield* Documents
      const text = "line\n".repeat(2_000)
      yield* (yield* Ingest).text(place.workspace, place.source, [{ external_id: "long", text }])
      yield* (yield* Ingest).json(place.workspace, place.source, [{ external_id: "nothing", data: null }])
      const found = yield* documents.findByExternalId(place.id, place.source, "long")
      assert.strictEqual(found.text, text)
      assert.isNull(found.payload)
      assert.deepStrictEqual(yield* documents.find(place.id, found.document_id.toUpperCase()), found)
      assert.notProperty(found, "chunks")
      assert.notProperty(found, "change_seq")
      assert.isNull((yield* documents.findByExternalId(place.id, place.source, "nothing")).payload)
    }).pipe(Effect.provide(services)))

  it.effect("are in the context while the range contains them, or overlaps their duration", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.parse("2026-05-05T10:00:00Z"))
      const place = yield* connected()
      const [documents, knowledge] = [yield* Documents, yield* KnowledgeStore]
      const at = (text: string) => new Date(text)
      yield* (yield* Ingest).typed(place.workspace, place.source, [
        { external_id: "old", timestamp: at("2026-05-03T23:59:59.999Z"), payload: { kind: "page" } },
        { external_id: "new", timestamp: at("2026-05-04T00:00:00Z"), payload: { kind: "page" } },
        {
          external_id: "over",
          timestamp: at("2020-01-01T00:00:00Z"),
          payload: { kind: "calendar", start: "2026-05-03T22:00:00Z", end: "2026-05-04T02:00:00Z" }
        }
      ])
      const inContext = Effect.map(
        documents.list(place.id, place.source, null, all),
        ({ items }) => Object.fromEntries(items.map(({ external_id, in_context }) => [external_id, in_context]))
      )
      assert.deepStrictEqual(yield* inContext, { old: true, new: true, over: true })
      const temporal_settings = { start: { type: "relative", days: 1 }, end: null } as const
      yield* knowledge.configure(place.id, { temporal_settings }, rebuildJob(place.id, 0))
      assert.deepStrictEqual(yield* inContext, { old: false, new: true, over: true })
      assert.isFalse((yield* documents.findByExternalId(place.id, place.source, "old")).in_context)
      yield* TestClock.adjust("14 hours")
      assert.deepStrictEqual(yield* inContext, { old: false, new: false, over: false })
    }).pipe(Effect.provide(services)))

  it.effect("are not found in any other workspace, or under an invalid id", () =>
    Effect.gen(function*() {
      const { documents, id, source, workspace } = yield* filled("a")
      const stranger = yield* filled("a")
      const { document_id } = yield* documents.findByExternalId(id, source, "a")
      for (
        const [within, documentId] of [
          [stranger.workspace, document_id],
          [workspace, "x"],
          [workspace, ""],
          [workspace, "\u0000"]
        ] as const
      ) {
        const finding = documents.find(within.workspace_id, documentId)
        assert.strictEqual((yield* Effect.flip(finding))._tag, "document_not_found")
        const deleting = documents.delete(within, documentId, OPERATOR)
        assert.strictEqual((yield* Effect.flip(deleting))._tag, "document_not_found")
      }
      for (const externalId of ["b", "", "\u0000", "a".repeat(513)]) {
        assert.strictEqual(
          (yield* Effect.flip(documents.findByExternalId(id, source, externalId)))._tag,
          "document_not_found"
        )
        assert.strictEqual(
          (yield* Effect.flip(documents.deleteByExternalId(id, source, externalId)))._tag,
          "document_not_found"
        )
      }
      for (
        const failed of [
          yield* Effect.flip(documents.list(stranger.id, source, null, all)),
          yield* Effect.flip(documents.findByExternalId(stranger.id, source, "a")),
          yield* Effect.flip(documents.deleteByExternalId(stranger.id, source, "a")),
          yield* Effect.flip(documents.deleteMany(stranger.id, source, ["a"]))
        ]
      ) assert.strictEqual(failed._tag, "client_not_found")
      assert.strictEqual((yield* documents.find(id, document_id)).text, "a")
    }).pipe(Effect.provide(services)))
})

describe("deleting", () => {
  it.effect("a document frees its quota at once and records an event", () =>
    Effect.gen(function*() {
      const { documents, id, source, workspace } = yield* filled("a", "bb", "ccc")
      const { document_id } = yield* documents.findByExternalId(id, source, "a")
      assert.deepStrictEqual(yield* documents.delete(workspace, document_id, OPERATOR), {
        document_id,
        external_id: "a"
      })
      yield* documents.deleteByExternalId(id, source, "bb")
      assert.strictEqual((yield* Effect.flip(documents.find(id, document_id)))._tag, "document_not_found")
      assert.strictEqual(
        (yield* Effect.flip(documents.delete(workspace, document_id, OPERATOR)))._tag,
        "document_not_found"
      )
      assert.deepStrictEqual(yield* (yield* DocumentStore).meters(id), { documents: 1, storage: 3 })
      const { items } = yield* documents.events(id, everything, all)
      assert.deepStrictEqual(items.slice(3).map(({ type, external_id }) => [type, external_id]), [
        ["document.deleted", "a"],
        ["document.deleted", "bb"]
      ])
    }).pipe(Effect.provide(services)))

  it.effect("many documents returns the existing ones, once and in the given order", () =>
    Effect.gen(function*() {
      const { documents, id, source } = yield* filled("a", "b", "c", "d")
      const gone = yield* documents.deleteMany(id, source, ["d", "x", "b", "d", "\u0000", "", "a"])
      assert.deepStrictEqual(gone, ["d", "b", "a"])
      assert.deepStrictEqual(yield* documents.deleteMany(id, source, ["d", "b"]), [])
      assert.deepStrictEqual(yield* documents.deleteMany(id, source, []), [])
      assert.strictEqual((yield* documents.findByExternalId(id, source, "c")).text, "c")
    }).pipe(Effect.provide(services)))
})

describe("deleting very many documents", () => {
  it.effect("takes a step for each thousand", () =>
    Effect.gen(function*() {
      const { workspace } = yield* connected()
      const context = yield* Effect.context<ConnectorStore | KnowledgeStore>()
      const steps: Array<number> = []
      const store = Layer.mock(DocumentStore, {
        remove: (_, selection) =>
          Effect.sync(() => {
            const versions = "versions" in selection ? selection.versions : []
            steps.push(versions.length)
            return versions.map(({ document_id }) => ({ document_id, external_id: "" }))
          })
      })
      const selected = Array.from({ length: 2_001 }, () => ({
        document_id: DocumentId.make(uuid7(0)),
        change_seq: 1,
        source: "custom:notes"
      }))
      const gone = yield* Effect.provide(
        Effect.flatMap(Documents, (documents) => documents.deleteSelected(workspace, selected, OPERATOR)),
        Layer.fresh(Documents.layer).pipe(Layer.provide(Layer.merge(Layer.succeedContext(context), store)))
      )
      assert.deepStrictEqual(steps, [1_000, 1_000, 1])
      assert.deepStrictEqual(gone, selected.map(({ document_id }) => document_id))
    }).pipe(Effect.provide(services)))
})

describe("a store's internal order", () => {
  it.effect("does not change the order of an answer", () =>
    Effect.gen(function*() {
      const { id, source } = yield* connected()
      const context = yield* Effect.context<ConnectorStore | KnowledgeStore>()
      const removed = ["b", "a"].map((external_id) => ({ external_id, document_id: DocumentId.make(uuid7(0)) }))
      const backwards = Layer.mock(DocumentStore, { remove: () => Effect.succeed(removed) })
      const gone = yield* Effect.provide(
        Effect.flatMap(Documents, (documents) => documents.deleteMany(id, source, ["a", "b"])),
        Layer.fresh(Documents.layer).pipe(Layer.provide(Layer.merge(Layer.succeedContext(context), backwards)))
      )
      assert.deepStrictEqual(gone, ["a", "b"])
    }).pipe(Effect.provide(services)))
})

describe("events", () => {
  it.effect("are listed oldest first, page by page, without their internal number", () =>
    Effect.gen(function*() {
      const { documents, id } = yield* filled("a", "b", "c")
      const found = yield* pages((cursor) => documents.events(id, everything, { limit: 2, cursor }))
      assert.deepStrictEqual(found.map((page) => page.map(({ external_id }) => external_id)), [["a", "b"], ["c"]])
      assert.notProperty(found[0]?.[0], "event_seq")
      assert.deepInclude(found[0]?.[0], { type: "document.created", source: "custom:notes", kind: "custom" })
    }).pipe(Effect.provide(services)))

  it.effect("are filtered by source and kind", () =>
    Effect.gen(function*() {
      const { documents, id, source, workspace } = yield* filled("a")
      yield* (yield* Ingest).typed(workspace, source, [{
        external_id: "p",
        timestamp: new Date(0),
        payload: { kind: "page" }
      }])
      const picked = (source: string | null, kind: string | null) =>
        Effect.map(documents.events(id, { source, kind }, all), ({ items }) =>
          items.map(({ external_id }) => external_id))
      assert.deepStrictEqual(yield* picked("custom:notes", null), ["a", "p"])
      assert.deepStrictEqual(yield* picked("custom", null), ["a", "p"])
      assert.deepStrictEqual(yield* picked(null, "page"), ["p"])
      assert.deepStrictEqual(yield* picked("custom:other", "page"), [])
      assert.deepStrictEqual(yield* picked("\u0000", null), [])
      assert.deepStrictEqual(yield* picked(null, "\ud800"), [])
    }).pipe(Effect.provide(services)))

  it.effect("that arrive while a stream determines its position are included", () =>
    Effect.gen(function*() {
      const { id, source, workspace } = yield* filled("a")
      const [ingest, store] = [yield* Ingest, yield* DocumentStore]
      let meanwhile: Effect.Effect<unknown> = Effect.orDie(
        ingest.text(workspace, source, [{ external_id: "b", text: "b" }])
      )
      const racing = Layer.mock(DocumentStore, {
        events: (workspaceId, options) =>
          Effect.tap(store.events(workspaceId, options), () => {
            const next = meanwhile
            meanwhile = Effect.void
            return next
          })
      })
      const context = yield* Effect.context<ConnectorStore | KnowledgeStore>()
      const stream = yield* Effect.provide(
        Effect.flatMap(Documents, (documents) => documents.watch(id, everything, 1)),
        Layer.fresh(Documents.layer).pipe(Layer.provide(Layer.merge(Layer.succeedContext(context), racing)))
      )
      const [first = []] = yield* Stream.runCollect(Stream.take(stream, 1))
      assert.deepStrictEqual(first.map(({ event, seq }) => [seq, event.external_id]), [[2, "b"]])
    }).pipe(Effect.provide(services)))
})
