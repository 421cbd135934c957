/** Which segments of a workspace a process reads, and when ingest waits for them. */
import { assert, layer } from "@effect/vitest"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Memory from "@tributary/memory/Memory"
import { Clock, Context, Duration, Effect, Exit, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { Asks } from "../../src/ask/Asks.ts"
import { Documents } from "../../src/documents/Documents.ts"
import { Ingest, PendingChunks } from "../../src/ingest/Ingest.ts"
import { KnowledgeContext } from "../../src/context/KnowledgeContext.ts"
import type { WorkspaceId } from "../../src/model/Id.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { CONTEXT_QUEUE } from "../../src/context/contextJobs.ts"
import { JobStore } from "../../src/ports/JobStore.ts"
import { KnowledgeStore } from "../../src/ports/KnowledgeStore.ts"
import { SegmentCache, type SegmentCopies, type SegmentSource } from "../../src/ports/SegmentCache.ts"
import { Search } from "../../src/search/Search.ts"
import * as Tributary from "../../src/Tributary.ts"
import { extractor, settle } from "../support/wholeService.ts"
import { connected } from "../support/services.ts"

const service = Tributary.layer.pipe(
  Layer.provide(ExtractiveAnswerer.layer),
  Layer.provide(Layer.succeed(PendingChunks, 3)),
  Layer.provideMerge(Memory.layer),
  Layer.provide(extractor)
)

const DAY = 86_400_000

/** A workspace with a rebuilt context: one segment outside of the range, one within. */
const twoSegments = Effect.gen(function*() {
  const { id, source: connector_id, workspace } = yield* connected({ tier: "pro" })
  const now = yield* Clock.currentTimeMillis
  const ingest = yield* Ingest
  const push = (external_id: string, text: string, days: number) =>
    ingest.text(workspace, connector_id, [{ external_id, text, timestamp: new Date(now + days * DAY) }])
  yield* push("old", "The old capital of Zembla is Onhava.", -800)
  yield* push("new", "The new capital of Zembla is Odevalla.", -1)
  yield* (yield* KnowledgeContext).configure(workspace, {
    temporal_settings: { start: { type: "relative", days: 30 }, end: null }
  }, OPERATOR)
  yield* settle(10)
  const { snapshot } = yield* (yield* KnowledgeStore).head(id)
  assert.strictEqual(snapshot?.segments.length, 2)
  return { id, connector_id, push }
})

const sourceOf = (bytes: Uint8Array): SegmentSource => ({
  byteLength: bytes.length,
  read: (into, from) => {
    into.set(bytes.subarray(from, from + into.length))
    return from + into.length <= bytes.length
  }
})

/** With an intact head, and no valid page. */
const damaged = (bytes: Uint8Array): Uint8Array => bytes.map((byte, at) => at < 300 ? byte : byte ^ 1)

/** Copies in memory, which are read completely unless they may be read on demand. */
const copies = (areSources = false) => {
  const kept = new Map<string, Uint8Array>()
  const cache: SegmentCopies = {
    get: (workspaceId, segmentId) => Effect.sync(() => kept.get(`${workspaceId} ${segmentId}`) ?? null),
    source: (workspaceId, segmentId) =>
      Effect.sync(() => {
        const bytes = areSources ? kept.get(`${workspaceId} ${segmentId}`) : undefined
        return bytes === undefined ? null : sourceOf(bytes)
      }),
    put: (workspaceId, segmentId, bytes) => Effect.sync(() => void kept.set(`${workspaceId} ${segmentId}`, bytes)),
    retain: () => Effect.void,
    workspaces: Effect.succeed([])
  }
  return { kept, cache }
}

/** Another process over the same store: what it reads is counted, and it runs no jobs. */
const stranger = Effect.fnUntraced(function*(cache?: SegmentCopies) {
  const ports = yield* Effect.context<Layer.Success<typeof Memory.layer>>()
  const knowledge = Context.get(ports, KnowledgeStore)
  const read: Array<string> = []
  const counting = KnowledgeStore.of({
    ...knowledge,
    getSegment: (workspaceId, segmentId) =>
      Effect.andThen(Effect.sync(() => read.push(segmentId)), knowledge.getSegment(workspaceId, segmentId))
  })
  const context = yield* Layer.build(
    Layer.fresh(Tributary.layer).pipe(
      Layer.provide(ExtractiveAnswerer.layer),
      Layer.provide(extractor),
      Layer.provide(Layer.succeedContext(Context.add(ports, KnowledgeStore, counting))),
      Layer.provide(cache === undefined ? Layer.empty : Layer.succeed(SegmentCache, cache))
    )
  )
  const found = (id: WorkspaceId, q: string) =>
    Effect.map(
      Context.get(context, Search).search(id, { q }),
      ({ results }) => results.map(({ external_id }) => external_id).toSorted()
    )
  const ask = (id: WorkspaceId) =>
    Effect.map(
      Context.get(context, Asks).ask(id, { query: "What is the capital of Zembla?" }),
      ({ citations }) => citations.map(({ entity }) => entity.external_id)
    )
  return { read, found, ask }
})

layer(service)("segments", (it) => {
  it.effect("are loaded for a question only within the range, and are read once while they are loaded", () =>
    Effect.gen(function*() {
      const { id } = yield* twoSegments
      const { ask, found, read } = yield* stranger()
      assert.deepStrictEqual(yield* ask(id), ["new"])
      assert.strictEqual(read.length, 1)
      assert.deepStrictEqual(yield* found(id, "Zembla"), ["new", "old"])
      assert.deepStrictEqual(yield* found(id, "capital"), ["new", "old"])
      assert.deepStrictEqual(yield* ask(id), ["new"])
      assert.strictEqual(read.length, 2)
    }).pipe(Effect.scoped))

  it.effect("show nothing stale if they are loaded after the change", () =>
    Effect.gen(function*() {
      const { connector_id, id, push } = yield* twoSegments
      const { ask, found, read } = yield* stranger()
      yield* ask(id)
      yield* push("old", "The older capital of Zembla is Kronberg.", -800)
      assert.deepStrictEqual(yield* ask(id), ["new"])
      assert.strictEqual(read.length, 1)
      assert.deepStrictEqual(yield* found(id, "Onhava"), [])
      assert.strictEqual(read.length, 2)
      assert.deepStrictEqual(yield* found(id, "Zembla"), ["new", "old"])
      yield* (yield* Documents).deleteByExternalId(id, connector_id, "old")
      assert.deepStrictEqual(yield* found(id, "Zembla"), ["new"])
    }).pipe(Effect.scoped))

  it.effect("are read from local copies, and from the store if a copy is damaged", () =>
    Effect.gen(function*() {
      const { id } = yield* twoSegments
      const { cache, kept } = copies()
      const first = yield* stranger(cache)
      yield* first.found(id, "Zembla")
      assert.deepStrictEqual([first.read.length, kept.size], [2, 2])
      const second = yield* stranger(cache)
      assert.deepStrictEqual(yield* second.found(id, "Zembla"), ["new", "old"])
      assert.strictEqual(second.read.length, 0)
      const [name, bytes] = [...kept][0]!
      const damaged = bytes.slice()
      damaged[damaged.length >> 1]! ^= 1
      kept.set(name, damaged)
      const third = yield* stranger(cache)
      assert.deepStrictEqual(yield* third.found(id, "Zembla"), ["new", "old"])
      assert.strictEqual(third.read.length, 1)
      assert.strictEqual((yield* (yield* KnowledgeStore).head(id)).generation, 1)
      assert.deepStrictEqual(kept.get(name), bytes)
    }).pipe(Effect.scoped))

  it.effect("are read from the store if many concurrent searches find a copy damaged", () =>
    Effect.gen(function*() {
      const { id } = yield* twoSegments
      const { cache, kept } = copies(true)
      const first = yield* stranger(cache)
      yield* first.found(id, "Zembla")
      const sound = new Map(kept)
      for (const [name, bytes] of sound) kept.set(name, damaged(bytes))
      const { found, read } = yield* stranger(cache)
      const searches = Effect.replicateEffect(found(id, "Zembla"), 3, { concurrency: 3 })
      assert.deepStrictEqual(yield* searches, [["new", "old"], ["new", "old"], ["new", "old"]])
      assert.strictEqual(read.length, 2)
      assert.strictEqual((yield* (yield* KnowledgeStore).head(id)).generation, 1)
      assert.deepStrictEqual(kept, sound)
      const last = yield* stranger(cache)
      assert.deepStrictEqual(yield* last.found(id, "Zembla"), ["new", "old"])
      assert.strictEqual(last.read.length, 0)
    }).pipe(Effect.scoped))

  it.effect("are rebuilt if the stored one is damaged, too", () =>
    Effect.gen(function*() {
      const { id } = yield* twoSegments
      const store = yield* KnowledgeStore
      const { cache, kept } = copies(true)
      for (const { segment_id } of (yield* store.head(id)).snapshot?.segments ?? []) {
        const bytes = damaged(Option.getOrThrow(yield* store.getSegment(id, segment_id)))
        yield* store.putSegment(id, segment_id, bytes)
        kept.set(`${id} ${segment_id}`, bytes)
      }
      const { found } = yield* stranger(cache)
      assert.deepStrictEqual(yield* found(id, "Zembla"), ["new", "old"])
      assert.strictEqual((yield* store.head(id)).generation, 2)
      yield* settle(10)
      assert.strictEqual((yield* store.head(id)).snapshot?.generation, 2)
      assert.deepStrictEqual(yield* found(id, "Zembla"), ["new", "old"])
    }).pipe(Effect.scoped))

  it.effect("delay ingest while too much is pending, and no longer", () =>
    Effect.gen(function*() {
      const { id, push } = yield* twoSegments
      const store = yield* KnowledgeStore
      for (const name of ["a", "b", "c"]) yield* push(name, name, -1)
      const late = yield* Effect.forkChild(push("d", "d", -1), { startImmediately: true })
      assert.strictEqual(yield* store.countPending(id, 0), 5)
      yield* settle(10)
      yield* Fiber.join(late)
      assert.strictEqual(yield* store.countPending(id, 0), 6)
    }))

  it.effect("include documents whose ingest waited, even if a refresh ran meanwhile", () =>
    Effect.gen(function*() {
      const { id, push } = yield* twoSegments
      const jobs = yield* JobStore
      for (const name of ["a", "b", "c"]) yield* push(name, name, -1)
      const now = new Date(yield* Clock.currentTimeMillis)
      const { job, lease } = Option.getOrThrow(yield* jobs.claim([CONTEXT_QUEUE], Duration.minutes(1), now))
      const late = yield* Effect.forkChild(push("d", "d", -1), { startImmediately: true })
      const ended = Effect.map(
        jobs.list(id, CONTEXT_QUEUE, { status: "succeeded", after: null, limit: 10 }),
        ({ length }) => length
      )
      // A rebuild that came sooner has taken the place of a refresh.
      const before = yield* ended
      yield* jobs.finish(job.job_id, lease, { _tag: "Released" }, now)
      // Before any time has passed: what waits looks again only later.
      yield* Effect.repeat(Effect.andThen(Effect.yieldNow, ended), {
        until: (count) => count > before,
        times: 10_000
      })
      assert.isAbove(yield* ended, before)
      yield* settle(10)
      yield* Fiber.join(late)
      yield* settle(10)
      const { pending_documents, state } = yield* (yield* KnowledgeContext).status(id)
      assert.deepStrictEqual({ pending_documents, state }, { pending_documents: 0, state: "ready" })
    }))

  it.effect("refuse ingest with a retryable error if nothing refreshes them for long", () =>
    Effect.gen(function*() {
      const { source: connector_id, workspace } = yield* connected({ tier: "pro" })
      const idle = Layer.fresh(Ingest.layer).pipe(
        Layer.provide(extractor),
        Layer.provide(Layer.succeed(PendingChunks, 0))
      )
      const pushTo = (target: typeof workspace) =>
        Effect.flatMap(Ingest, (ingest) => ingest.text(target, connector_id, [{ external_id: "a", text: "a" }]))
          .pipe(
            Effect.provide(idle)
          )
      const push = pushTo(workspace)
      const waiting = yield* Effect.forkChild(Effect.exit(push), { startImmediately: true })
      yield* settle(10)
      yield* TestClock.adjust("1 second")
      const exit = yield* Fiber.join(waiting)
      assert.isTrue(Exit.isFailure(exit))
      assert.include(JSON.stringify(exit), "Overloaded")

      // What is never stored does not wait.
      const capped = { ...workspace, overrides: { doc_size: 0 } }
      const refused = yield* Effect.flip(pushTo(capped))
      assert.strictEqual(refused._tag, "quota_exceeded")
    }))
})
