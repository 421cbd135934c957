/** The contract of `DocumentStore` for the order of documents and changes. */
import { assert } from "@effect/vitest"
import { DocumentId } from "@tributary/core/model/Id"
import {
  type Change,
  type DocumentRecord,
  DocumentStore,
  type IndexedDocument
} from "@tributary/core/ports/DocumentStore"
import { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import { Effect, Option, Schema } from "effect"
import { freshSource, item, moment, newUuid, UNCAPPED } from "./internal/fixtures.ts"
import { type Kit, RUNS } from "./internal/Kit.ts"

const idsOf = (found: ReadonlyArray<{ readonly external_id: string }>) => found.map(({ external_id }) => external_id)

const Moves = Schema.Array(Schema.Struct({
  removes: Schema.Boolean,
  ids: Schema.Array(Schema.Literals(["a", "b", "c", "d"])).check(Schema.isMaxLength(4))
})).check(Schema.isMaxLength(6))

export const documentReadingContract = (it: Kit): void => {
  it.effect("finds nothing unknown, and nothing of another workspace", () =>
    Effect.gen(function*() {
      const store = yield* DocumentStore
      const [home, stranger] = [yield* freshSource, yield* freshSource]
      const sent = item("a", "alpha")
      const { document_id } = sent
      const { connector_id } = home
      yield* home.admit([sent])
      assert.isTrue(Option.isNone(yield* store.find(home.workspaceId, DocumentId.make(newUuid()))))
      assert.isTrue(Option.isNone(yield* store.findByExternalId(home.workspaceId, connector_id, "A")))
      const { workspaceId } = stranger
      assert.isTrue(Option.isNone(yield* store.find(workspaceId, document_id)))
      assert.isTrue(Option.isNone(yield* store.findByExternalId(workspaceId, connector_id, "a")))
      const all = { externalId: null, after: null, limit: 10 }
      assert.deepStrictEqual(yield* store.list(workspaceId, connector_id, all), [])
      assert.deepStrictEqual(yield* store.passages(workspaceId, [{ document_id, change_seq: 1, ordinal: 0 }], true), [])
      assert.deepStrictEqual([yield* stranger.scan, yield* stranger.events], [[], []])
      assert.deepStrictEqual(yield* store.changes(workspaceId, 0, 10), [])
    }))

  it.effect("lists a connector's documents newest first, in pages that stay stable", () =>
    Effect.gen(function*() {
      const store = yield* DocumentStore
      const { admit, connector_id, remove, workspaceId } = yield* freshSource
      const [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map((id) => item(id, id))
      yield* admit([c!, a!, d!, b!])
      const page = (after: DocumentId | null, externalId: string | null = null) =>
        Effect.map(store.list(workspaceId, connector_id, { after, externalId, limit: 2 }), idsOf)
      assert.deepStrictEqual(yield* page(null), ["d", "c"])
      yield* admit([e!, item("c", "changed")])
      assert.deepStrictEqual(yield* page(c!.document_id), ["b", "a"])
      yield* remove(["b"])
      assert.deepStrictEqual(yield* page(b!.document_id), ["a"])
      assert.deepStrictEqual(yield* page(a!.document_id), [])
      assert.deepStrictEqual([yield* page(null, "c"), yield* page(null, "b")], [["c"], []])
      assert.deepStrictEqual([yield* page(d!.document_id, "c"), yield* page(c!.document_id, "c")], [["c"], []])
    }))

  it.effect("has the sizes of a connector's documents, of those that are stored", () =>
    Effect.gen(function*() {
      const store = yield* DocumentStore
      const [{ admit, connector_id, remove, workspaceId }, stranger] = [yield* freshSource, yield* freshSource]
      yield* admit([item("a", "one"), item("b", "three"), item("c", "gone"), item("d", "not asked for")])
      yield* admit([item("b", "eleven")])
      yield* remove(["c"])
      const sizes = (id: typeof workspaceId) => store.sizes(id, connector_id, ["b", "a", "c", "B", "a"])
      const stored = yield* Effect.forEach(["a", "b"], (externalId) =>
        Effect.map(store.list(workspaceId, connector_id, { externalId, after: null, limit: 1 }), ([document]) =>
          [externalId, document!.size] as const))
      assert.deepStrictEqual([...(yield* sizes(workspaceId))].toSorted(), stored)
      assert.deepStrictEqual([yield* sizes(stranger.workspaceId), yield* store.sizes(workspaceId, connector_id, [])], [
        new Map(),
        new Map()
      ])
    }))

  it.effect("scans every document once by time and id, even if others are stored between the pages", () =>
    Effect.gen(function*() {
      const store = yield* DocumentStore
      const { admit, remove, workspaceId } = yield* freshSource
      const at = (id: string, millis: number) => item(id, `${id} ${millis}`, { timestamp: moment(millis) })
      const [b1, b2] = [at("b1", 20), at("b2", 20)]
      yield* admit([at("c", 30), b2, at("a", -5), b1, at("d", 40)])
      const page = (after: IndexedDocument | undefined) => store.scan(workspaceId, after ?? null, 2)
      const first = yield* page(undefined)
      assert.deepStrictEqual(idsOf(first), ["a", "b1"])
      assert.deepStrictEqual(first[1]?.chunks, ["b1 20"])
      yield* admit([at("earlier", 0), at("later", 35)])
      const second = yield* page(first[1])
      assert.deepStrictEqual(idsOf(second), ["b2", "c"])
      yield* remove(["d"])
      // Moved from before to after: shown where it is now.
      yield* admit([at("a", 50)])
      assert.deepStrictEqual(idsOf(yield* store.scan(workspaceId, second[1]!, 10)), ["later", "a"])
    }))

  it.effect("numbers changes from one, without gaps for unchanged items", () =>
    Effect.gen(function*() {
      const knowledge = yield* KnowledgeStore
      const { admit, scan, workspaceId } = yield* freshSource
      assert.strictEqual((yield* knowledge.head(workspaceId)).change_seq, 0)
      yield* admit([item("a", "alpha")])
      yield* admit([item("a", "alpha"), item("b", "beta", { oversized: true })])
      yield* admit([item("b", "beta")])
      assert.strictEqual((yield* knowledge.head(workspaceId)).change_seq, 2)
      assert.deepStrictEqual((yield* scan).map(({ change_seq }) => change_seq), [1, 2])
    }))

  it.effect("shows each changed document once, at its latest change, including deletions", () =>
    Effect.gen(function*() {
      const store = yield* DocumentStore
      const { admit, remove, workspaceId } = yield* freshSource
      const [a, b] = [item("a", "alpha"), item("b", "beta")]
      yield* admit([a, b])
      yield* admit([item("a", "changed")])
      yield* remove(["b"])
      const changes = yield* store.changes(workspaceId, 0, 10)
      assert.strictEqual(changes.length, 2)
      const [changed, removed] = [changes[0]!, changes[1]!]
      assert.strictEqual(changed.document_id, a.document_id)
      assert.deepStrictEqual(changed.document?.chunks, ["changed"])
      assert.strictEqual(changed.document?.change_seq, changed.change_seq)
      assert.strictEqual(removed.document_id, b.document_id)
      assert.isNull(removed.document)
      assert.isAbove(removed.change_seq, changed.change_seq)
      assert.deepStrictEqual(yield* store.changes(workspaceId, changed.change_seq, 10), [removed])
      assert.deepStrictEqual(yield* store.changes(workspaceId, 0, 1), [changed])
      assert.deepStrictEqual(yield* store.changes(workspaceId, removed.change_seq, 10), [])
      yield* admit([item("c", "gamma")])
      assert.deepStrictEqual(yield* store.changes(workspaceId, changed.change_seq, 1), [removed])
    }))

  it.effect.prop(
    "leads a reader of changes in small steps to the stored state",
    [Moves],
    ([moves]) =>
      Effect.gen(function*() {
        const store = yield* DocumentStore
        const { admit, remove, scan, workspaceId } = yield* freshSource
        const known = new Map<DocumentId, Change["document"]>()
        let seen = 0
        let version = 0
        for (const { ids, removes } of moves) {
          yield* removes ? remove(ids) : admit(ids.map((id) => item(id, `${id} ${++version % 7}`)))
          for (const change of yield* store.changes(workspaceId, seen, 2)) {
            assert.isAbove(change.change_seq, seen)
            seen = change.change_seq
            known.set(change.document_id, change.document)
          }
        }
        for (const change of yield* store.changes(workspaceId, seen, 100)) {
          known.set(change.document_id, change.document)
        }
        const followed = [...known.values()].filter((document) => document !== null)
        const byId = (left: IndexedDocument, right: IndexedDocument) => left.document_id < right.document_id ? -1 : 1
        assert.deepStrictEqual(followed.sort(byId), [...yield* scan].sort(byId))
      }),
    RUNS
  )

  it.effect("reads no more than 16 MiB of text at a time, but always one document", () =>
    Effect.gen(function*() {
      const store = yield* DocumentStore
      const { admit, workspaceId } = yield* freshSource
      const megabyte = "x".repeat(1024 * 1024)
      const large = (id: string, megabytes: number) => item(id, "", { chunks: Array(megabytes).fill(megabyte) })
      for (const sent of [large("a", 17), large("b", 9), large("c", 6), large("d", 2)]) yield* admit([sent])
      const changed = (since: number) => Effect.map(store.changes(workspaceId, since, 10), (found) => found.length)
      assert.deepStrictEqual([yield* changed(0), yield* changed(1), yield* changed(3)], [1, 2, 1])
      const [first] = yield* store.scan(workspaceId, null, 10)
      assert.deepStrictEqual(idsOf(yield* store.scan(workspaceId, null, 10)), ["a"])
      assert.deepStrictEqual(idsOf(yield* store.scan(workspaceId, first!, 10)), ["b", "c"])
    }))

  it.effect("reads long texts complete and in one version, even if they are replaced meanwhile", () =>
    Effect.gen(function*() {
      const store = yield* DocumentStore
      const { admit, workspaceId } = yield* freshSource
      const chunksOf = (word: string) =>
        Array.from({ length: 4_000 }, (_, ordinal) => `${word} é ${ordinal} `.repeat(15))
      const put = (word: string) => admit([item("long", word, { chunks: chunksOf(word) })])
      const versions = ["old", "new"].map(chunksOf)
      yield* put("old")
      // Every even index is between the halves of a character.
      const payload = `"${"😀".repeat(510_000)}"`
      const short = item("short", "s", { payload })
      yield* admit([short])
      const replacing = yield* Effect.forkChild(
        Effect.forEach(["new", "old", "new", "old", "new"], put),
        { startImmediately: true }
      )
      let isReplaced = false
      while (!isReplaced) {
        isReplaced = replacing.pollUnsafe() !== undefined
        const changes = yield* store.changes(workspaceId, 0, 10)
        const long = changes.find(({ document }) => document?.external_id === "long")
        if (isReplaced || long?.document) assert.deepInclude(versions.slice(isReplaced ? 1 : 0), long?.document?.chunks)
      }
      const found = yield* store.find(workspaceId, short.document_id)
      assert.isTrue(Option.isSome(found) && found.value.payload === payload)
      assert.deepStrictEqual((yield* store.changes(workspaceId, 0, 10)).map(({ document }) => document?.external_id), [
        "short",
        "long"
      ])
    }))

  it.effect("returns passages in the given order, with their offsets", () =>
    Effect.gen(function*() {
      const store = yield* DocumentStore
      const { admit, scan, workspaceId } = yield* freshSource
      const long = item("long", "", { chunks: ["alpha ", "😀 beta ", "gamma"], payload: "{\"a\":\"\\u0000\"}" })
      yield* admit([long, item("empty", "")])
      const [first, empty] = yield* scan
      const ref = (document: IndexedDocument, ordinal: number) => ({
        document_id: document.document_id,
        change_seq: document.change_seq,
        ordinal
      })
      const refs = [ref(first!, 2), ref(empty!, 0), ref(first!, 0), ref(first!, 1), ref(first!, 2)]
      const passages = yield* store.passages(workspaceId, refs, true)
      assert.deepStrictEqual(
        passages.map(({ start, text }) => [text, start]),
        [["gamma", 14], ["", 0], ["alpha ", 0], ["😀 beta ", 6], ["gamma", 14]]
      )
      assert.deepStrictEqual(
        passages.map(({ change_seq, document_id, ordinal }) => ({ document_id, change_seq, ordinal })),
        refs
      )
      assert.deepStrictEqual(passages.map(({ payload }) => payload), [
        long.payload,
        null,
        ...Array(3).fill(long.payload)
      ])
      const { change_seq: _, chunks: __, ...record } = first!
      assert.deepStrictEqual(passages[0]?.document, record)
      const without = yield* store.passages(workspaceId, refs.slice(0, 1), false)
      assert.deepStrictEqual(without.map(({ payload }) => payload), [null])
    }))

  it.effect("omits passages of replaced or deleted documents, and unknown ones", () =>
    Effect.gen(function*() {
      const store = yield* DocumentStore
      const { admit, remove, workspaceId } = yield* freshSource
      const [a, b, c] = ["a", "b", "c"].map((id) => item(id, id))
      yield* admit([a!, b!, c!])
      yield* admit([item("a", "changed")])
      yield* remove(["b"])
      const ref = (document_id: DocumentId, change_seq: number, ordinal = 0) => ({ document_id, change_seq, ordinal })
      const refs = [
        ref(a!.document_id, 1),
        ref(b!.document_id, 2),
        ref(c!.document_id, 3),
        ref(c!.document_id, 3, 1),
        ref(c!.document_id, 3, -1),
        ref(a!.document_id, 4),
        ref(DocumentId.make(newUuid()), 1)
      ]
      const passages = yield* store.passages(workspaceId, refs, false)
      assert.deepStrictEqual(passages.map(({ text }) => text), ["c", "changed"])
    }))

  it.effect("pages through many documents without loss or duplicates", () =>
    Effect.gen(function*() {
      const store = yield* DocumentStore
      const { admit, connector_id, workspaceId } = yield* freshSource
      const items = Array.from({ length: 250 }, (_, index) =>
        item(`${index}`, "x", { timestamp: moment((index * 7_919) % 250 % 50) }))
      yield* admit(items, UNCAPPED)
      const scanned: Array<IndexedDocument> = []
      const listed: Array<string> = []
      let last: DocumentId | null = null
      for (let page = 0; page < 9; page++) {
        scanned.push(...yield* store.scan(workspaceId, scanned.at(-1) ?? null, 31))
        const options = { after: last, externalId: null, limit: 31 }
        const next: ReadonlyArray<DocumentRecord> = yield* store.list(workspaceId, connector_id, options)
        listed.push(...idsOf(next))
        last = next.at(-1)?.document_id ?? last
      }
      assert.deepStrictEqual([new Set(idsOf(scanned)).size, scanned.length], [250, 250])
      assert.deepStrictEqual([new Set(listed).size, listed.length], [250, 250])
      const times = scanned.map(({ timestamp }) =>
        timestamp.getTime()
      )
      assert.deepStrictEqual(times, [...times].sort((left, right) => left - right))
    }))
}
