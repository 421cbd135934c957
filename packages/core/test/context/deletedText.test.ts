/** How long deleted text stays in the index bytes, with a test clock. */
import { assert, describe, it } from "@effect/vitest"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Memory from "@tributary/memory/Memory"
import { Context, Effect, Latch, Layer, Option, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { Connectors } from "../../src/ingest/Connectors.ts"
import { Documents } from "../../src/documents/Documents.ts"
import { Ingest } from "../../src/ingest/Ingest.ts"
import { ContextViews } from "../../src/context/ContextViews.ts"
import { queueingPurges } from "../../src/context/purge.ts"
import { Reranking } from "../../src/search/Reranking.ts"
import { VectorSearch } from "../../src/search/VectorSearch.ts"
import { KnowledgeContext } from "../../src/context/KnowledgeContext.ts"
import { SnapshotId } from "../../src/model/Id.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { DocumentStore } from "../../src/ports/DocumentStore.ts"
import { Embedder, type EmbeddingModel } from "../../src/ports/Embedder.ts"
import { IndexBuilder, type SegmentBuilding } from "../../src/ports/IndexBuilder.ts"
import { JobStore } from "../../src/ports/JobStore.ts"
import { KnowledgeStore } from "../../src/ports/KnowledgeStore.ts"
import { Search } from "../../src/search/Search.ts"
import * as Tributary from "../../src/Tributary.ts"
import { Workspaces } from "../../src/people/Workspaces.ts"
import { gramModel } from "../support/gramModel.ts"
import { extractor, settle } from "../support/wholeService.ts"
import { connected } from "../support/services.ts"

type Ports = Layer.Success<typeof Memory.layer>

interface Options {
  readonly builder?: SegmentBuilding
  readonly jobs?: JobStore["Service"]
  readonly model?: EmbeddingModel
}

/** A process over the store that all share, until the scope ends. */
const process = Effect.fnUntraced(function*({ builder, jobs, model }: Options = {}) {
  const ports = yield* Effect.context<Ports>()
  return yield* Layer.build(
    Layer.fresh(Tributary.layer).pipe(
      Layer.provide(ExtractiveAnswerer.layer),
      Layer.provide(builder === undefined ? Layer.empty : Layer.succeed(IndexBuilder, builder)),
      Layer.provide(Layer.mergeAll(extractor, Layer.succeed(Embedder, model ?? null))),
      Layer.provide(Layer.succeedContext(jobs === undefined ? ports : Context.add(ports, JobStore, jobs)))
    )
  )
})

/** A process comes, does what waits, and goes, so that hours pass in no time. */
const work = (options?: Options) => Effect.scoped(Effect.andThen(process(options), settle(10)))

const later = (hours: number, options?: Options) => Effect.andThen(TestClock.adjust(`${hours} hours`), work(options))

/** A service that answers requests, without background work. */
const idle = Layer.mergeAll(
  Connectors.layer,
  Documents.layer,
  Ingest.layer,
  KnowledgeContext.layer,
  Search.layer,
  Workspaces.layer
).pipe(
  Layer.provide(Layer.mergeAll(ContextViews.layer, Reranking.layer, VectorSearch.layer)),
  Layer.provide(extractor),
  Layer.provideMerge(Memory.layer)
)

const run = <A, E>(test: Effect.Effect<A, E, Layer.Success<typeof idle> | Scope.Scope>) =>
  Effect.provide(Effect.scoped(test), idle, { local: true })

/** A unique word: it shares so short a prefix with other terms that the dictionary stores most of it as one string. */
const wordOf = (name: string): string => {
  let sum = 0x811c9dc5
  return Array.from({ length: 20 }, (_, at) => {
    sum = Math.imul(sum ^ name.charCodeAt(at % name.length), 0x01000193) >>> 0
    return "bcdfghjklmnpqvwz"[(sum >>> 16) % 16]
  }).join("")
}
const HEAD = 8

/** A workspace, what can be done in it, and what the store holds of it. */
const workspace = Effect.fnUntraced(function*(options?: Options) {
  const { id, source: connector_id, workspace } = yield* connected({ tier: "pro" })
  const [documents, ingest, knowledge, search, store] = [
    yield* Documents,
    yield* Ingest,
    yield* KnowledgeContext,
    yield* Search,
    yield* KnowledgeStore
  ]
  const push = (texts: Readonly<Record<string, string>>) => {
    const items = Object.entries(texts).map(([external_id, text]) => ({ external_id, text }))
    return Effect.andThen(ingest.text(workspace, connector_id, items), work(options))
  }
  const remove = (...names: ReadonlyArray<string>) =>
    Effect.andThen(documents.deleteMany(id, connector_id, names), work(options))
  const rebuild = Effect.andThen(
    knowledge.configure(workspace, { temporal_settings: { start: null, end: null } }, OPERATOR),
    work(options)
  )
  const segments = Effect.map(store.head(id), ({ snapshot }) => snapshot?.segments ?? [])
  const named = Effect.map(segments, (segments) => segments.map(({ segment_id }) => segment_id))
  const stored = (segmentIds: ReadonlyArray<string>) =>
    Effect.map(
      Effect.forEach(segmentIds, (segmentId) => store.getSegment(id, segmentId)),
      (found) => found.flatMap(Option.toArray)
    )
  /** Whether the word of that text is in the bytes of the published snapshot. */
  const holds = (name: string) =>
    Effect.map(
      Effect.flatMap(named, stored),
      (all) => all.some((bytes) => new TextDecoder("latin1").decode(bytes).includes(wordOf(name).slice(HEAD)))
    )
  const found = (name: string) =>
    Effect.map(
      search.search(id, { q: wordOf(name) }),
      ({ results }) => results.map(({ external_id }) => external_id)
    )
  /** What the store keeps of deleted documents. */
  const deletions = Effect.map(
    (yield* DocumentStore).changes(id, 0, 100),
    (changes) => changes.filter(({ document }) => document === null)
  )
  return { id, push, remove, rebuild, segments, named, stored, holds, found, deletions }
})

/** The number of texts of which one is less than a fifth, each with a distinct word. */
const texts = (name: string, count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`${name}${at}`, `shared words ${wordOf(`${name}${at}`)}`])
  )

describe("deleted text", () => {
  it.effect("is removed from the index bytes within a day, even if nothing else changes", () =>
    run(Effect.gen(function*() {
      const { deletions, found, holds, named, push, remove } = yield* workspace()
      yield* push(texts("note", 10))
      assert.isTrue(yield* holds("note3"))
      yield* remove("note3")
      assert.deepStrictEqual(yield* found("note3"), [])
      assert.lengthOf(yield* deletions, 1)
      const before = yield* named
      yield* later(20)
      assert.deepStrictEqual([yield* named, yield* holds("note3")], [before, true])
      yield* process()
      yield* TestClock.adjust("2 hours")
      assert.deepStrictEqual([yield* holds("note3"), yield* holds("note4")], [false, true])
      assert.deepStrictEqual(yield* found("note4"), ["note4"])
      assert.deepStrictEqual(yield* deletions, [])
    })))

  it.effect("is removed by the next refresh if it is more than a fifth of its segment", () =>
    run(Effect.gen(function*() {
      const { holds, push, remove } = yield* workspace()
      yield* push(texts("note", 10))
      yield* remove("note1", "note2")
      assert.isTrue(yield* holds("note1"))
      yield* remove("note3")
      const held = yield* Effect.forEach(["note1", "note3", "note4"], holds)
      assert.deepStrictEqual(held, [false, false, true])
    })))

  it.effect("is removed in the same way after a replacement", () =>
    run(Effect.gen(function*() {
      const { found, holds, push } = yield* workspace()
      yield* push(texts("note", 10))
      yield* push({ note3: wordOf("other") })
      assert.isTrue(yield* holds("note3"))
      yield* later(23)
      assert.isFalse(yield* holds("note3"))
      assert.deepStrictEqual(yield* found("other"), ["note3"])
    })))

  it.effect("causes one rewrite of its segment per day, however much is deleted", () =>
    run(Effect.gen(function*() {
      const { holds, named, push, remove } = yield* workspace()
      yield* push(texts("note", 100))
      const seen = new Set(yield* named)
      for (let at = 0; at < 12; at++) {
        yield* remove(`note${at}`)
        yield* later(4)
        for (const segmentId of yield* named) seen.add(segmentId)
      }
      yield* remove("note12")
      for (const segmentId of yield* named) seen.add(segmentId)
      assert.strictEqual(seen.size, 3)
      assert.deepStrictEqual([yield* holds("note11"), yield* holds("note12")], [false, true])
    })))

  it.effect("is removed from many segments a few at a time", () =>
    run(Effect.gen(function*() {
      const { holds, named, push, remove } = yield* workspace()
      // The smaller ones are too small to be merged with.
      const sizes = { a: 3_300, b: 650, c: 130, d: 25, e: 6 }
      const names = Object.keys(sizes)
      for (const [name, size] of Object.entries(sizes)) yield* push(texts(name, size))
      yield* remove(...names.map((name) => `${name}0`))
      const before = yield* named
      const left = Effect.map(named, (now) => now.filter((segmentId) => before.includes(segmentId)).length)
      yield* TestClock.adjust("23 hours")
      assert.strictEqual(yield* left, 5)
      yield* process()
      yield* Effect.repeat(TestClock.adjust("100 millis"), {
        until: () => Effect.map(left, (left) => left < 5),
        times: 100
      })
      assert.strictEqual(yield* left, 1)
      yield* settle(10)
      assert.strictEqual(yield* left, 0)
      for (const name of names) {
        assert.deepStrictEqual([yield* holds(`${name}0`), yield* holds(`${name}1`)], [false, true])
      }
    })))

  it.effect("is removed after the clock was set back by a year", () =>
    run(Effect.gen(function*() {
      const { holds, push, remove } = yield* workspace()
      yield* push(texts("a", 10))
      yield* remove("a0")
      const queuePurges = queueingPurges()
      yield* queuePurges
      yield* TestClock.adjust("-365 days")
      yield* work()
      assert.isTrue(yield* holds("a0"))
      yield* queuePurges
      yield* work()
      assert.deepStrictEqual([yield* holds("a0"), yield* holds("a1")], [false, true])
    })))

  it.effect("is removed at once if an earlier release masked it at an unknown time", () =>
    run(Effect.gen(function*() {
      // Long after the moment that a clock calls 0.
      yield* TestClock.adjust("7 days")
      const { holds, id, push, remove } = yield* workspace()
      const store = yield* KnowledgeStore
      yield* push(texts("note", 10))
      yield* remove("note3")
      const { snapshot } = yield* store.head(id)
      const segments = snapshot!.segments.map(({ bytes, chunks, masked, segment_id }) => ({
        bytes,
        chunks,
        masked,
        segment_id
      }))
      const snapshot_id = SnapshotId.make(crypto.randomUUID())
      const renewed = { previous: snapshot!.snapshot_id, replaces: true, keep: 1 }
      assert.isTrue(yield* store.publish(id, { ...snapshot!, snapshot_id, segments }, renewed))
      assert.isTrue(yield* holds("note3"))
      yield* work()
      assert.isFalse(yield* holds("note3"))
    })))

  it.effect("is removed by one of two processes, and delays no search", () =>
    run(Effect.gen(function*() {
      const plain = yield* IndexBuilder
      const gate = yield* Latch.make(false)
      let merges = 0
      const builder = IndexBuilder.of({
        ...plain,
        merge: (parts) => Effect.suspend(() => (merges++, Effect.andThen(gate.await, plain.merge(parts))))
      })
      const { found, holds, push, remove } = yield* workspace()
      yield* push(texts("note", 10))
      yield* remove("note3")
      yield* TestClock.adjust("23 hours")
      yield* process({ builder })
      yield* process({ builder })
      yield* settle(10)
      assert.deepStrictEqual([merges, yield* holds("note3")], [1, true])
      assert.deepStrictEqual([yield* found("note4"), yield* found("note3")], [["note4"], []])
      yield* gate.open
      yield* settle(10)
      assert.deepStrictEqual([merges, yield* holds("note3")], [1, false])
    })))

  it.effect("is removed by another process if one dies in the middle", () =>
    run(Effect.gen(function*() {
      const plain = yield* IndexBuilder
      const merging = yield* Latch.make(false)
      const builder = IndexBuilder.of({ ...plain, merge: () => Effect.andThen(merging.open, Effect.never) })
      const jobs = JobStore.of({ ...(yield* JobStore), finish: () => Effect.succeed(false) })
      const { holds, push, remove } = yield* workspace()
      yield* push(texts("note", 10))
      yield* remove("note3")
      yield* TestClock.adjust("23 hours")
      yield* Effect.scoped(Effect.all([process({ builder, jobs }), settle(10), merging.await]))
      yield* work()
      assert.isTrue(yield* holds("note3"))
      // Its lease has expired by then.
      yield* TestClock.adjust("1 minute")
      yield* work()
      assert.isFalse(yield* holds("note3"))
    })))

  it.effect("is not kept open by a process without searches", () =>
    run(Effect.gen(function*() {
      const { id, push, remove } = yield* workspace()
      yield* push(texts("note", 3))
      const jobs = JobStore.of({ ...(yield* JobStore), claim: () => Effect.succeedNone })
      const other = yield* process({ jobs })
      yield* Context.get(other, Search).search(id, { q: wordOf("note1") })
      const loaded = Effect.map(Context.get(other, KnowledgeContext).status(id), ({ loaded }) => loaded)
      yield* TestClock.adjust("1 hour")
      assert.isTrue(yield* loaded)
      yield* remove("note1")
      assert.isTrue(yield* loaded)
      yield* TestClock.adjust("1 hour")
      assert.isFalse(yield* loaded)
    })))

  it.effect("removes older snapshots", () =>
    run(Effect.gen(function*() {
      const { holds, id, named, push, rebuild, remove, stored } = yield* workspace()
      yield* push(texts("note", 10))
      yield* rebuild
      const older = yield* named
      yield* rebuild
      yield* push({ note4: "something else" })
      assert.lengthOf(yield* stored(older), 1)
      yield* remove("note3")
      assert.lengthOf(yield* stored(older), 0)
      // A snapshot that only masks it is deleted when it becomes an older one.
      const hides = yield* named
      assert.isTrue(yield* holds("note3"))
      yield* rebuild
      assert.lengthOf(yield* stored(hides), 0)
      assert.isFalse(yield* holds("note3"))
      const started = yield* (yield* KnowledgeContext).refresh(id, { delete_old_snapshots: true })
      assert.strictEqual(started.snapshots_deleted, 0)
    })))
})

describe("the vectors of deleted text", () => {
  /** The number of chunks with a vector, per segment. */
  const embedded = ({ segments }: Effect.Success<ReturnType<typeof workspace>>) =>
    Effect.map(segments, (all) => all.flatMap(({ chunks, vectors }) => vectors === undefined ? [] : [chunks]))

  it.effect("are deleted with its words, without embedding the others again", () => {
    const { model, state } = gramModel()
    return run(Effect.gen(function*() {
      const home = yield* workspace({ model })
      yield* home.push(texts("note", 10))
      yield* home.remove("note3")
      assert.deepStrictEqual(yield* embedded(home), [10])
      yield* later(23, { model })
      assert.deepStrictEqual(yield* embedded(home), [9])
      assert.strictEqual(state.embedded.length, 10)
    }))
  })

  it.effect("are deleted when no text with vectors is left", () => {
    const { model } = gramModel()
    return run(Effect.gen(function*() {
      const home = yield* workspace({ model })
      yield* home.push(texts("note", 1))
      assert.deepStrictEqual(yield* embedded(home), [1])
      yield* home.remove("note0")
      assert.deepStrictEqual(yield* home.segments, [])
    }))
  })

  it.effect("are not kept for long while the model is unavailable", () => {
    const { model, state } = gramModel()
    return run(Effect.gen(function*() {
      // The size of a model that does not state it is unknown until it answers.
      const options = { model: { ...model, dimensions: null } }
      const home = yield* workspace(options)
      yield* home.push(texts("note", 10))
      yield* home.remove("note3")
      const [, vectors] = yield* home.named
      state.isDown = true
      yield* later(23, options)
      assert.isFalse(yield* home.holds("note3"))
      assert.include(yield* home.named, vectors)
      yield* later(23, options)
      assert.notInclude(yield* home.named, vectors)
    }))
  })
})
