/** The contract of `KnowledgeStore` for settings, runs and segments. */
import { assert } from "@effect/vitest"
import { DEFAULT_SETTINGS, type KnowledgeSettings } from "@tributary/core/model/KnowledgeSettings"
import { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import { JobStore } from "@tributary/core/ports/JobStore"
import { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import { HeadPlace, RequestHead } from "@tributary/core/ports/RequestHead"
import { Duration, Effect, Option } from "effect"
import {
  fiftyTimes,
  freshSource,
  freshWorkspace,
  item,
  moment,
  newHash,
  newJob,
  newKey,
  newQueue
} from "./internal/fixtures.ts"
import type { Kit } from "./internal/Kit.ts"

const LEASE = Duration.minutes(10)

const NARROW: KnowledgeSettings = {
  temporal_settings: { start: { type: "date", date: "0001-01-01" }, end: { type: "relative", days: 7 } }
}
const OPEN: KnowledgeSettings = { temporal_settings: { start: null, end: null } }

export const knowledgeStoreContract = (it: Kit): void => {
  it.effect("starts with the default settings", () =>
    Effect.gen(function*() {
      const knowledge = yield* KnowledgeStore
      const head = yield* knowledge.head(yield* freshWorkspace)
      const expected = { settings: DEFAULT_SETTINGS, generation: 0, change_seq: 0, chunk_seq: 0, snapshot: null }
      assert.deepStrictEqual(head, expected)
    }))

  it.effect("replaces or keeps the settings, and increases the generation each time", () =>
    Effect.gen(function*() {
      const knowledge = yield* KnowledgeStore
      const [home, stranger] = [yield* freshWorkspace, yield* freshWorkspace]
      const configure = (settings: KnowledgeSettings | null) =>
        knowledge.configure(home, settings, newJob(home, newQueue()))
      assert.deepStrictEqual((yield* configure(null)).settings, DEFAULT_SETTINGS)
      for (const settings of [NARROW, OPEN, NARROW]) {
        assert.deepStrictEqual((yield* configure(settings)).settings, settings)
      }
      const head = yield* configure(null)
      assert.deepStrictEqual([head.settings, head.generation], [NARROW, 5])
      assert.deepStrictEqual(yield* knowledge.head(home), head)
      assert.strictEqual((yield* knowledge.head(stranger)).generation, 0)
    }))

  it.effect("returns the head as of the request's authentication once, and the current one after that", () =>
    Effect.gen(function*() {
      const [keys, knowledge] = [yield* ApiKeyStore, yield* KnowledgeStore]
      const [home, stranger] = [yield* freshWorkspace, yield* freshWorkspace]
      const configure = knowledge.configure(home, NARROW, newJob(home, newQueue()))
      const hash = newHash()
      yield* keys.insert(home, newKey(), hash)
      const before = yield* configure
      const request = Effect.gen(function*() {
        yield* keys.authenticate(hash, moment())
        return [yield* knowledge.head(home), yield* Effect.andThen(configure, knowledge.head(home))]
      })
      const heads = yield* Effect.provideService(request, RequestHead, new HeadPlace())
      assert.deepStrictEqual(heads, [before, { ...before, generation: before.generation + 1 }])

      const ofAnother = Effect.andThen(keys.authenticate(hash, moment()), knowledge.head(stranger))
      const head = yield* Effect.provideService(ofAnother, RequestHead, new HeadPlace())
      assert.deepStrictEqual(head, yield* knowledge.head(stranger))
    }))

  it.effect("replaces all waiting and running rebuilds with the new one", () =>
    Effect.gen(function*() {
      const [knowledge, jobs] = [yield* KnowledgeStore, yield* JobStore]
      const [home, queue] = [yield* freshWorkspace, newQueue()]
      const [running, waiting, rebuild] = [1, 2, 3].map(() => newJob(home, queue, { key: "context" }))
      const bystanders = [newJob(home, queue), newJob(home, newQueue(), { key: "context" })]
      yield* jobs.enqueue(running!, null)
      const { lease } = Option.getOrThrow(yield* jobs.claim([queue], LEASE, moment()))
      for (const job of [waiting!, ...bystanders]) yield* jobs.enqueue(job, null)
      yield* knowledge.configure(home, NARROW, rebuild!)
      const statusOf = (job: typeof rebuild) =>
        Effect.map(jobs.find(home, job!.queue, job!.job_id), (job) => Option.getOrThrow(job).status)
      const statuses = yield* Effect.forEach([running, waiting, rebuild, ...bystanders], statusOf)
      assert.deepStrictEqual(statuses, ["cancelled", "cancelled", "queued", "queued", "queued"])
      assert.isFalse(yield* jobs.heartbeat(running!.job_id, lease, LEASE, null))
      const ended = Option.getOrThrow(yield* jobs.find(home, queue, waiting!.job_id))
      assert.isNotNull(ended.finished_at)
    }))

  it.effect("does not affect the builds of other workspaces, even with the same key", () =>
    Effect.gen(function*() {
      const [knowledge, jobs] = [yield* KnowledgeStore, yield* JobStore]
      const [home, stranger, queue] = [yield* freshWorkspace, yield* freshWorkspace, newQueue()]
      const [running, waiting] = [1, 2].map(() => newJob(stranger, queue, { key: "context" }))
      yield* jobs.enqueue(running!, null)
      const { lease } = Option.getOrThrow(yield* jobs.claim([queue], LEASE, moment()))
      yield* jobs.enqueue(waiting!, null)
      yield* knowledge.configure(home, null, newJob(home, queue, { key: "context" }))
      const found = Option.getOrThrow(yield* jobs.find(stranger, queue, waiting!.job_id))
      assert.strictEqual(found.status, "queued")
      assert.isTrue(yield* jobs.heartbeat(running!.job_id, lease, LEASE, null))
    }))

  it.effect("leaves one build, for the newest generation, after fifty concurrent changes", () =>
    Effect.gen(function*() {
      const [knowledge, jobs] = [yield* KnowledgeStore, yield* JobStore]
      const [home, queue] = [yield* freshWorkspace, newQueue()]
      const heads = yield* fiftyTimes(() => knowledge.configure(home, null, newJob(home, queue, { key: "context" })))
      assert.strictEqual(new Set(heads.map(({ generation }) => generation)).size, 50)
      assert.strictEqual((yield* knowledge.head(home)).generation, 50)
      const queued = yield* jobs.list(home, queue, { status: "queued", after: null, limit: 100 })
      assert.strictEqual(queued.length, 1)
    }))

  it.effect("numbers runs from one, each number once", () =>
    Effect.gen(function*() {
      const knowledge = yield* KnowledgeStore
      const [home, stranger] = [yield* freshWorkspace, yield* freshWorkspace]
      assert.strictEqual(yield* knowledge.nextRun(home), 1)
      const runs = yield* fiftyTimes(() => knowledge.nextRun(home))
      assert.deepStrictEqual(
        [...runs].sort((left, right) => left - right),
        Array.from({ length: 50 }, (_, at) => at + 2)
      )
      assert.strictEqual(yield* knowledge.nextRun(stranger), 1)
    }))

  it.effect("returns the bytes of a segment unchanged, only to its own workspace", () =>
    Effect.gen(function*() {
      const knowledge = yield* KnowledgeStore
      const [home, stranger] = [yield* freshWorkspace, yield* freshWorkspace]
      const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256)
      yield* knowledge.putSegment(home, "a-0", bytes)
      yield* knowledge.putSegment(home, "empty", new Uint8Array())
      assert.deepStrictEqual(Array.from(Option.getOrThrow(yield* knowledge.getSegment(home, "a-0"))), Array.from(bytes))
      assert.strictEqual(Option.getOrThrow(yield* knowledge.getSegment(home, "empty")).length, 0)
      assert.isTrue(Option.isNone(yield* knowledge.getSegment(home, "a-1")))
      assert.isTrue(Option.isNone(yield* knowledge.getSegment(stranger, "a-0")))
      yield* knowledge.dropSegments(stranger, ["a-0"])
      yield* knowledge.dropSegments(home, ["empty", "absent"])
      assert.isTrue(Option.isNone(yield* knowledge.getSegment(home, "empty")))
      assert.isTrue(Option.isSome(yield* knowledge.getSegment(home, "a-0")))
    }))

  it.effect("returns nothing of a longer segment that one of the same name replaced", () =>
    Effect.gen(function*() {
      const knowledge = yield* KnowledgeStore
      const home = yield* freshWorkspace
      yield* knowledge.putSegment(home, "a", new Uint8Array(3 * 1024 * 1024))
      yield* knowledge.putSegment(home, "a", new Uint8Array([1, 2]))
      assert.deepStrictEqual(yield* knowledge.getSegment(home, "a"), Option.some(new Uint8Array([1, 2])))
    }))

  it.effect("counts pending documents once each, before the first snapshot", () =>
    Effect.gen(function*() {
      const knowledge = yield* KnowledgeStore
      const { admit, remove, workspaceId } = yield* freshSource
      yield* admit([item("a", "a"), item("b", "b")])
      yield* admit([item("a", "changed")])
      yield* remove(["b"])
      const { change_seq } = yield* knowledge.head(workspaceId)
      assert.deepStrictEqual([change_seq, yield* knowledge.countPending(workspaceId, 0)], [4, 2])
    }))
}
