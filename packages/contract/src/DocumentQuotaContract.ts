/** The contract of `DocumentStore` for caps. */
import { assert } from "@effect/vitest"
import { SnapshotId } from "@tributary/core/model/Id"
import { type Admission, DocumentStore } from "@tributary/core/ports/DocumentStore"
import { JobStore } from "@tributary/core/ports/JobStore"
import { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import { Effect, Schema } from "effect"
import { fiftyTimes, freshSource, item, moment, newJob, newUuid, UNCAPPED } from "./internal/fixtures.ts"
import { workspaceContents } from "./internal/workspaceContents.ts"
import { type Kit, RUNS } from "./internal/Kit.ts"

/** An item of that many bytes. */
const sized = (external_id: string, size: number) => item(external_id, `${external_id} ${size}`, { size })

const documents = (count: number) => ({ documents: count, storage: null })
const storage = (bytes: number) => ({ documents: null, storage: bytes })

/** One step of the model: a deletion, or items with their sizes. */
const Step = Schema.Struct({
  removes: Schema.Boolean,
  items: Schema.Array(Schema.Struct({
    id: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 })),
    size: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 }))
  })).check(Schema.isMaxLength(8))
})

const CAPS = { documents: 4, storage: 25 }

/** A source of which at most five chunks may wait for the refresh, which is queued for a minute later. */
const pending = Effect.gen(function*() {
  const [documents, jobs] = [yield* DocumentStore, yield* JobStore]
  const { origin, queue, workspaceId } = yield* freshSource
  const key = newUuid()
  const follow = () => newJob(workspaceId, queue, { key, joins: true, run_at: moment(60_000) })
  const admitItems = (items: ReadonlyArray<Admission>) =>
    documents.admit(workspaceId, origin, items, { caps: { ...UNCAPPED, pending: 5 }, now: moment(), follow: follow() })
  return {
    workspaceId,
    admitItems,
    admit: (id: string, chunks: number) =>
      admitItems([item(id, id, { chunks: Array.from({ length: chunks }, () => id) })]),
    readyJob: Effect.map(
      jobs.list(workspaceId, queue, { status: "queued", after: null, limit: 10 }),
      (found) => found.map(({ run_at }) => run_at)
    )
  }
})

export const documentQuotaContract = (it: Kit): void => {
  it.effect("admits exactly up to the cap on documents", () =>
    Effect.gen(function*() {
      const { admit, scan } = yield* freshSource
      const [a, b, c] = [sized("a", 1), sized("b", 1), sized("c", 1)]
      assert.deepStrictEqual(yield* admit([a, b, c], documents(2)), [
        { status: "created", resource: null, document_id: a.document_id },
        { status: "created", resource: null, document_id: b.document_id },
        { status: "rejected", resource: "documents", document_id: null }
      ])
      assert.deepStrictEqual((yield* scan).map(({ external_id }) => external_id), ["a", "b"])
    }))

  it.effect("admits up to the cap on storage to the byte, and a later item that still fits", () =>
    Effect.gen(function*() {
      const { admit } = yield* freshSource
      const verdicts = yield* admit([sized("a", 6), sized("b", 5), sized("c", 4), sized("d", 1)], storage(10))
      assert.deepStrictEqual(verdicts.map(({ resource }) => resource), [null, "storage", null, "storage"])
    }))

  it.effect("reports the cap on one document first, then documents, then storage", () =>
    Effect.gen(function*() {
      const { admit } = yield* freshSource
      const oversized = { ...sized("a", 99), oversized: true }
      const verdicts = yield* admit([oversized, sized("b", 99)], { documents: 0, storage: 0 })
      assert.deepStrictEqual(verdicts.map(({ resource }) => resource), ["doc_size", "documents"])
    }))

  it.effect("keeps the old text of a document whose replacement is rejected", () =>
    Effect.gen(function*() {
      const { admit, connector_id, queue, workspaceId } = yield* freshSource
      const old = sized("a", 5)
      const { document_id } = old
      yield* admit([old])
      const everything = workspaceContents(workspaceId, connector_id, queue)
      const before = yield* everything
      const verdicts = yield* admit([sized("a", 11), { ...sized("a", 1), oversized: true }], storage(10), moment(9))
      assert.deepStrictEqual(verdicts, [
        { status: "rejected", resource: "storage", document_id },
        { status: "rejected", resource: "doc_size", document_id }
      ])
      assert.deepStrictEqual(yield* everything, before)
    }))

  it.effect("stores nothing when nothing fits", () =>
    Effect.gen(function*() {
      const { admit, connector_id, queue, workspaceId } = yield* freshSource
      const everything = workspaceContents(workspaceId, connector_id, queue)
      const before = yield* everything
      const verdicts = yield* admit([sized("a", 1), sized("b", 1)], documents(0))
      assert.deepStrictEqual(verdicts.map(({ status }) => status), ["rejected", "rejected"])
      assert.deepStrictEqual(yield* everything, before)
    }))

  it.effect("counts only the difference of a replacement", () =>
    Effect.gen(function*() {
      const { admit } = yield* freshSource
      yield* admit([sized("a", 6), sized("b", 3)])
      const verdicts = yield* admit([sized("a", 8), sized("b", 2), sized("a", 7)], { documents: 2, storage: 10 })
      assert.deepStrictEqual(verdicts.map(({ resource }) => resource), ["storage", null, null])
    }))

  it.effect("always admits a replacement that does not grow, even over every cap", () =>
    Effect.gen(function*() {
      const { admit } = yield* freshSource
      yield* admit([sized("a", 6), sized("b", 6)])
      const same = item("a", "other words", { size: 6 })
      const verdicts = yield* admit([same, sized("b", 5), sized("b", 6)], { documents: 0, storage: 1 })
      assert.deepStrictEqual(verdicts.map(({ status }) => status), ["updated", "updated", "rejected"])
    }))

  it.effect("frees the quota of deleted documents at once", () =>
    Effect.gen(function*() {
      const store = yield* DocumentStore
      const { admit, remove, workspaceId } = yield* freshSource
      yield* admit([sized("a", 6), sized("b", 4)])
      yield* remove(["a"])
      assert.deepStrictEqual(yield* store.meters(workspaceId), { documents: 1, storage: 4 })
      const [verdict] = yield* admit([sized("c", 6)], { documents: 2, storage: 10 })
      assert.strictEqual(verdict?.status, "created")
    }))

  it.effect("meters each workspace separately", () =>
    Effect.gen(function*() {
      const store = yield* DocumentStore
      const [home, stranger] = [yield* freshSource, yield* freshSource]
      yield* home.admit([sized("a", 3_000_000_000), sized("b", 2_000_000_000)])
      assert.deepStrictEqual(yield* store.meters(home.workspaceId), { documents: 2, storage: 5_000_000_000 })
      assert.deepStrictEqual(yield* store.meters(stranger.workspaceId), { documents: 0, storage: 0 })
    }))

  it.effect("fills a cap on documents exactly when fifty requests race for it", () =>
    Effect.gen(function*() {
      const store = yield* DocumentStore
      const { admit, scan, workspaceId } = yield* freshSource
      const batch = (index: number) => [0, 1, 2].map((at) => sized(`${index}-${at}`, 1))
      const verdicts = (yield* fiftyTimes((index) => admit(batch(index), documents(40)))).flat()
      assert.strictEqual(verdicts.filter(({ status }) => status === "created").length, 40)
      assert.strictEqual((yield* scan).length, 40)
      assert.deepStrictEqual(yield* store.meters(workspaceId), { documents: 40, storage: 40 })
    }))

  it.effect("fills a cap on storage exactly when fifty requests race for it", () =>
    Effect.gen(function*() {
      const store = yield* DocumentStore
      const { admit, workspaceId } = yield* freshSource
      const verdicts = (yield* fiftyTimes((index) => admit([sized(`${index}`, 3)], storage(61)))).flat()
      assert.strictEqual(verdicts.filter(({ status }) => status === "created").length, 20)
      assert.deepStrictEqual(yield* store.meters(workspaceId), { documents: 20, storage: 60 })
    }))

  it.effect("counts each byte once when fifty replacements race with fifty removals", () =>
    Effect.gen(function*() {
      const store = yield* DocumentStore
      const { admit, remove, scan, workspaceId } = yield* freshSource
      yield* fiftyTimes((index) =>
        Effect.all([admit([sized(`${index % 5}`, index)]), remove([`${(index + 1) % 5}`])], { concurrency: 2 })
      )
      const held = yield* scan
      assert.deepStrictEqual(yield* store.meters(workspaceId), {
        documents: held.length,
        storage: held.reduce((sum, { size }) => sum + size, 0)
      })
    }))

  it.effect.prop(
    "admits any sequence of items and deletions like a simple model",
    [Schema.Array(Step).check(Schema.isMaxLength(6))],
    ([steps]) =>
      Effect.gen(function*() {
        const store = yield* DocumentStore
        const { admit, remove, scan, workspaceId } = yield* freshSource
        const held = new Map<string, number>()
        const bytes = () => [...held.values()].reduce((sum, size) => sum + size, 0)
        const verdictOf = (id: string, size: number): string => {
          const old = held.get(id)
          if (old === size) return "unchanged"
          if (old === undefined && held.size >= CAPS.documents) return "documents"
          if ((old === undefined || size > old) && bytes() + size - (old ?? 0) > CAPS.storage) return "storage"
          held.set(id, size)
          return old === undefined ? "created" : "updated"
        }
        for (const { items, removes } of steps) {
          const ids = items.map(({ id }) => `${id}`)
          if (removes) {
            const removed = yield* remove(ids)
            const expected = [...new Set(ids)].filter((id) => held.delete(id))
            assert.deepStrictEqual(removed.map(({ external_id }) => external_id).sort(), expected.sort())
          } else {
            const verdicts = yield* admit(items.map(({ id, size }) => sized(`${id}`, size)), CAPS)
            const expected = items.map(({ id, size }) => verdictOf(`${id}`, size))
            assert.deepStrictEqual(verdicts.map(({ resource, status }) => resource ?? status), expected)
          }
          const stored = new Map((yield* scan).map(({ external_id, size }) => [external_id, size]))
          assert.deepStrictEqual([...stored].sort(), [...held].sort())
          assert.deepStrictEqual(yield* store.meters(workspaceId), { documents: held.size, storage: bytes() })
        }
      }),
    RUNS
  )

  it.effect("has no limit without a cap", () =>
    Effect.gen(function*() {
      const { admit } = yield* freshSource
      const items = Array.from({ length: 300 }, (_, index) => sized(`${index}`, 1_000_000_000))
      const verdicts = yield* admit(items, UNCAPPED)
      assert.isTrue(verdicts.every(({ status }) => status === "created"))
    }))

  it.effect("lets the refresh run at once from two fifths of the maximum of pending chunks on", () =>
    Effect.gen(function*() {
      const { admit, readyJob } = yield* pending
      yield* admit("a", 1)
      yield* admit("b", 1)
      assert.deepStrictEqual(yield* readyJob, [moment(60_000)])
      yield* admit("c", 1)
      assert.deepStrictEqual(yield* readyJob, [moment()])
    }))

  it.effect("admits nothing from the maximum of pending chunks on, and lets the refresh run at once", () =>
    Effect.gen(function*() {
      const { admit, admitItems, readyJob, workspaceId } = yield* pending
      const [documents, knowledge] = [yield* DocumentStore, yield* KnowledgeStore]
      yield* admit("a", 1)
      yield* admit("b", 4)
      assert.deepStrictEqual(yield* readyJob, [moment(60_000)])
      const before = yield* knowledge.head(workspaceId)
      assert.strictEqual(yield* admit("c", 1), "behind")
      assert.deepStrictEqual(yield* readyJob, [moment()])
      assert.deepStrictEqual(yield* admitItems([]), [])
      assert.deepStrictEqual(yield* knowledge.head(workspaceId), before)
      assert.strictEqual((yield* documents.meters(workspaceId)).documents, 2)
      assert.deepStrictEqual([before.change_seq, before.chunk_seq], [2, 5])
      const { chunk_seq, change_seq, generation, settings } = before
      const folded = {
        snapshot_id: SnapshotId.make(newUuid()),
        change_seq,
        chunk_seq,
        generation,
        settings,
        built_at: moment(),
        watermark: null,
        segments: []
      }
      const older = { ...folded, snapshot_id: SnapshotId.make(newUuid()), change_seq: 0, chunk_seq: 0 }
      const publish = (snapshot: typeof folded, previous: SnapshotId | null) =>
        knowledge.publish(workspaceId, snapshot, { previous, replaces: false, keep: 2 })
      assert.isTrue(yield* publish(older, null))
      assert.strictEqual(yield* admit("c", 1), "behind")
      assert.isTrue(yield* publish(folded, older.snapshot_id))
      // A stored item and a new one are looked for in different ways.
      for (const id of ["a", "c"]) assert.notStrictEqual(yield* admit(id, 1), "behind")
    }))

  it.effect("counts a document without text as one pending chunk", () =>
    Effect.gen(function*() {
      const { admit, workspaceId } = yield* freshSource
      const knowledge = yield* KnowledgeStore
      yield* admit([item("a", "")])
      assert.strictEqual((yield* knowledge.head(workspaceId)).chunk_seq, 1)
      yield* admit([item("a", "", { fingerprint: "renamed" })])
      assert.strictEqual((yield* knowledge.head(workspaceId)).chunk_seq, 2)
    }))
}
