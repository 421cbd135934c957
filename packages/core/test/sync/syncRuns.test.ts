/** The records of finished syncs. */
import { assert, it } from "@effect/vitest"
import * as Memory from "@tributary/memory/Memory"
import { Clock, Duration, Effect, Exit, Layer, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { StorageUnavailable } from "../../src/model/Error.ts"
import type { WorkspaceId } from "../../src/model/Id.ts"
import { JobStore } from "../../src/ports/JobStore.ts"
import { LEASE_LOST } from "../../src/ports/leaseLost.ts"
import { RetryableFailure } from "../../src/ports/Provider.ts"
import { TextExtractor } from "../../src/ports/TextExtractor.ts"
import { SyncRunStore } from "../../src/ports/SyncRunStore.ts"
import { countLeftOut } from "../../src/sync/run/leftOut.ts"
import { Syncs } from "../../src/sync/Syncs.ts"
import { connected, documentsOf, key, leap, node, settle, store, withSource } from "../support/connecting.ts"
import { fill, type TinySource, tinySource } from "../support/tinySource.ts"

const runsOf = Effect.fnUntraced(function*(workspaceId: WorkspaceId, id: string) {
  const { items } = yield* (yield* Syncs).runs(workspaceId, id, null, { limit: 100, cursor: null })
  return items
})

it.effect(
  "a finished sync is listed with its ingested, deleted and skipped items, and the next due time",
  withSource(25, function*(source) {
    const { id, workspaceId } = yield* connected({ documents: 20 })
    yield* settle()
    const [first] = yield* runsOf(workspaceId, id)
    assert.deepInclude(first, { resource: "notes", status: "completed", items_ingested: 20, items_deleted: 0 })
    assert.deepStrictEqual(first!.left_out, [{
      reason: "The plan's cap on documents is reached.",
      items: 5,
      external_ids: [0, 1, 2, 3, 4].map((at) => `notes/0002${at}`)
    }])
    assert.isAtMost(first!.started_at.getTime(), first!.ended_at.getTime())
    assert.isAbove(first!.next_attempt_at!.getTime(), first!.ended_at.getTime())
    source.resources.get("notes")!.delete("00000")
    yield* leap("70 minutes")
    yield* settle()
    const [second, ...before] = yield* runsOf(workspaceId, id)
    assert.deepInclude(second, { status: "completed", items_deleted: 1 })
    assert.deepStrictEqual(before, [first])
  })
)

it.effect("an item for which a host's extractor throws is left out of a sync, and all others are ingested", () => {
  const source = tinySource()
  fill(source, 12)
  source.resources.get("notes")!.set("00003", "broken")
  const reader = Layer.mock(TextExtractor)({
    fromMarkup: (content) => {
      if (content === "broken") throw new Error("out of range")
      return Effect.succeed({ title: null, text: content })
    }
  })
  return Effect.gen(function*() {
    const { id, state, workspaceId } = yield* connected()
    yield* settle()
    assert.deepInclude(yield* state(), { status: "completed", items_ingested: 11 })
    const [run] = yield* runsOf(workspaceId, id)
    assert.deepStrictEqual(run!.left_out, [{ reason: "It cannot be read.", items: 1, external_ids: ["notes/00003"] }])
  }).pipe(Effect.provide(Layer.provideMerge(node(source, [key(1)], reader), store)))
})

it.effect("a sync that another node resumes between two checkpoints counts also what the first one ingested", () => {
  const source = tinySource()
  source.step = 1_000
  fill(source, 250)
  source.faults.set("00220", Effect.never)
  return Effect.gen(function*() {
    const dying = yield* Scope.make()
    const first = yield* Layer.buildWithScope(node(source), dying)
    const { id, workspaceId } = yield* Effect.provideContext(connected(), first)
    yield* settle()
    yield* Scope.close(dying, yield* Effect.exit(Effect.void))
    assert.strictEqual(yield* documentsOf(workspaceId), 200)
    source.faults.clear()
    const second = yield* Layer.build(node(source))
    yield* settle(40)
    const [run] = yield* Effect.provideContext(runsOf(workspaceId, id), second)
    assert.deepInclude(run, { status: "completed", items_ingested: 250 })
    assert.deepStrictEqual(source.began.map(({ cursor }) => cursor), [null, null])
  }).pipe(Effect.scoped, Effect.provide(Layer.fresh(Memory.layer)))
})

it.effect(
  "a failed attempt is listed with its error and the next due time",
  withSource(3, function*(source) {
    source.faults.set("00001", Effect.fail(new RetryableFailure({ message: "The server is busy." })))
    const { id, workspaceId } = yield* connected()
    yield* settle(5)
    const [failed] = yield* runsOf(workspaceId, id)
    assert.deepInclude(failed, { status: "failed", error: "The server is busy." })
    source.faults.clear()
    yield* TestClock.setTime(failed!.next_attempt_at!.getTime())
    yield* settle()
    assert.deepStrictEqual((yield* runsOf(workspaceId, id)).map(({ error, status }) => [status, error]), [
      ["completed", null],
      ["failed", "The server is busy."]
    ])
  })
)

it.effect(
  "a sync that somebody cancels is listed as cancelled",
  withSource(3, function*(source) {
    source.faults.set("00001", Effect.never)
    const { id, syncs, workspaceId } = yield* connected()
    yield* settle()
    yield* syncs.cancel(workspaceId, id, "notes")
    yield* settle()
    const [run] = yield* runsOf(workspaceId, id)
    assert.deepInclude(run, { status: "cancelled", error: null })
    assert.isAbove(run!.next_attempt_at!.getTime(), run!.ended_at.getTime())
  })
)

/** The first sync hangs, until it has taken longer than it may: a minute, so that a test need not wait for hours. */
const withLate = <A, E, R>(test: (source: TinySource) => Effect.Effect<A, E, R>, ports: typeof store = store) => () => {
  const source = tinySource()
  fill(source, 20)
  source.faults.set("00015", Effect.suspend(() => source.syncs === 1 ? Effect.never : Effect.void))
  const hurried = Layer.effect(
    JobStore,
    Effect.map(JobStore, (jobs) =>
      JobStore.of({
        ...jobs,
        claim: (...args) =>
          Effect.map(
            jobs.claim(...args),
            Option.map(({ job, lease }) => ({ job: { ...job, deadline_seconds: 60 }, lease }))
          )
      }))
  )
  return Effect.provide(test(source), Layer.provideMerge(node(source), Layer.provideMerge(hurried, ports)))
}

const LATE = "It took longer than 6 hours. The next one continues from its last checkpoint."

it.effect(
  "a sync that takes longer than it may is listed with the reason, and continues from its last checkpoint",
  withLate(
    Effect.fnUntraced(function*(source) {
      const { id, state, workspaceId } = yield* connected()
      yield* settle(70)
      const [run, ...others] = yield* runsOf(workspaceId, id)
      assert.isEmpty(others)
      assert.deepInclude(run, { status: "failed", error: LATE, items_ingested: 10 })
      assert.isAtLeast(run!.ended_at.getTime() - run!.started_at.getTime(), 60_000)
      assert.isAbove(run!.next_attempt_at!.getTime(), run!.ended_at.getTime())
      assert.deepInclude(yield* state(), { status: "failed", error: LATE, completed_windows: 1 })
      yield* settle(50)
      assert.deepInclude(yield* state(), { status: "completed", error: null })
      assert.deepStrictEqual(source.began.map(({ cursor }) => cursor), [null, "10"])
    })
  )
)

it.effect(
  "a sync that takes longer than it may is listed with the reason also if another one was requested meanwhile",
  withLate(
    Effect.fnUntraced(function*() {
      const { id, syncs, workspaceId } = yield* connected()
      yield* settle(3)
      yield* syncs.start(workspaceId, id)
      yield* settle(70)
      assert.deepStrictEqual(
        (yield* runsOf(workspaceId, id)).map(({ error, status }) => [status, error]),
        [["completed", null], ["failed", LATE]]
      )
    })
  )
)

/** Each run is recorded only at the second try: the server ends at the first. */
const forgetful = Layer.effect(
  SyncRunStore,
  Effect.map(SyncRunStore, (runs) => {
    const tried = new Set<string>()
    return {
      ...runs,
      append: (...args) =>
        Effect.suspend(() => {
          const { resource, status } = args[1]
          if (tried.has(`${resource} ${status}`)) return runs.append(...args)
          tried.add(`${resource} ${status}`)
          return Effect.fail(new StorageUnavailable({ cause: "away" }))
        })
    }
  })
)

for (const isFollowed of [false, true]) {
  const circumstance = isFollowed ? ", and is followed by another one," : ""
  it.effect(
    `a sync that takes longer than it may${circumstance} is listed also if its server ends before it is recorded`,
    withLate(
      Effect.fnUntraced(function*() {
        const { id, syncs, workspaceId } = yield* connected()
        yield* settle(3)
        if (isFollowed) yield* syncs.start(workspaceId, id)
        yield* settle(150)
        assert.deepStrictEqual(
          (yield* runsOf(workspaceId, id)).map(({ error, status }) => [status, error]),
          [["completed", null], ["failed", LATE]]
        )
      }),
      Layer.provideMerge(forgetful, store)
    )
  )
}

it.effect("a sync whose servers keep ending is listed with the reason, once by all servers", () => {
  const source = tinySource()
  fill(source, 20)
  source.faults.set("00015", Effect.never)
  return Effect.gen(function*() {
    const jobs = yield* JobStore
    const dying = yield* Scope.make()
    const first = yield* Layer.buildWithScope(node(source), dying)
    const { id, workspaceId } = yield* Effect.provideContext(connected(), first)
    yield* settle(3)
    yield* Scope.close(dying, Exit.void)
    // Each of them claims the sync, and is gone without a word.
    yield* Effect.repeat(
      Effect.gen(function*() {
        yield* TestClock.adjust("20 minutes")
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* jobs.claim(["sync"], Duration.seconds(30), now)
        yield* TestClock.adjust("1 minute")
        yield* jobs.reap(new Date(yield* Clock.currentTimeMillis))
      }),
      { times: 10 }
    )
    source.faults.clear()
    const [here] = yield* Effect.all([Layer.build(node(source)), Layer.build(node(source))])
    yield* settle(60)
    const runs = yield* Effect.provideContext(runsOf(workspaceId, id), here)
    assert.deepStrictEqual(runs.map(({ error, status }) => [status, error]), [
      ["completed", null],
      ["failed", LEASE_LOST.message]
    ])
  }).pipe(Effect.scoped, Effect.provide(Layer.fresh(Memory.layer)))
})

it.effect("a sync that another server continues is listed once, when it has finished", () => {
  const source = tinySource()
  fill(source, 3)
  source.faults.set("00001", Effect.never)
  return Effect.gen(function*() {
    const ending = yield* Scope.make()
    const first = yield* Layer.buildWithScope(node(source), ending)
    const { id, workspaceId } = yield* Effect.provideContext(connected(), first)
    yield* settle()
    yield* Scope.close(ending, Exit.void)
    source.faults.clear()
    const second = yield* Layer.build(node(source))
    yield* settle()
    const runs = yield* Effect.provideContext(runsOf(workspaceId, id), second)
    assert.deepStrictEqual(runs.map(({ status }) => status), ["completed"])
  }).pipe(Effect.scoped, Effect.provide(Layer.fresh(Memory.layer)))
})

it("lists at most twenty reasons, each with its first items, the most frequent first", () => {
  const leftOut = countLeftOut()
  for (let at = 0; at < 6; at++) leftOut.add(`same/${at}`, "It is encrypted.")
  for (let at = 0; at < 30; at++) leftOut.add(`own/${at}`, `Reason ${at}`.padEnd(400, "."))
  const [other, same, ...rest] = leftOut.list()
  assert.deepInclude(other, { reason: "Other reasons.", items: 11 })
  assert.deepStrictEqual(same, {
    reason: "It is encrypted.",
    items: 6,
    external_ids: ["same/0", "same/1", "same/2", "same/3", "same/4"]
  })
  assert.strictEqual(rest.length, 19)
  assert.strictEqual(rest[0]!.reason.length, 300)
})
