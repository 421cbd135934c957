/** What the first search of a workspace waits for in a process that has nothing of it in memory. */
import { assert, it } from "@effect/vitest"
import type * as Memory from "@tributary/memory/Memory"
import { Clock, Context, Effect, Fiber, Latch, Layer } from "effect"
import { TestClock } from "effect/testing"
import { ContextViews } from "../../src/context/ContextViews.ts"
import { Ingest } from "../../src/ingest/Ingest.ts"
import { KnowledgeContext } from "../../src/context/KnowledgeContext.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { KnowledgeStore } from "../../src/ports/KnowledgeStore.ts"
import { SegmentCache } from "../../src/ports/SegmentCache.ts"
import { Workspaces } from "../../src/people/Workspaces.ts"
import { service } from "../support/wholeService.ts"
import { connected } from "../support/services.ts"

const DAY = 86_400_000

/** A workspace with one segment before its range and one within. */
const twoSegments = Effect.gen(function*() {
  const { id, source: connector_id, workspace } = yield* connected({ tier: "pro" })
  const now = yield* Clock.currentTimeMillis
  const items = [-800, -1].map((days) => ({
    external_id: String(days),
    text: `Written at ${days}.`,
    timestamp: new Date(now + days * DAY)
  }))
  yield* (yield* Ingest).text(workspace, connector_id, items)
  yield* (yield* KnowledgeContext).configure(workspace, {
    temporal_settings: { start: { type: "relative", days: 30 }, end: null }
  }, OPERATOR)
  yield* Effect.repeat(TestClock.adjust("1 second"), { times: 10 })
  return id
})

it.effect("reads the state once and segments side by side, and waits for no copy to be written", () =>
  Effect.gen(function*() {
    const id = yield* twoSegments
    const ports = yield* Effect.context<Layer.Success<typeof Memory.layer>>()
    const knowledge = Context.get(ports, KnowledgeStore)
    let [heads, reading, mostReading] = [0, 0, 0]
    const counting = KnowledgeStore.of({
      ...knowledge,
      head: (workspaceId) => Effect.suspend(() => (heads++, knowledge.head(workspaceId))),
      getSegment: Effect.fnUntraced(function*(workspaceId, segmentId) {
        mostReading = Math.max(mostReading, ++reading)
        yield* Effect.yieldNow
        reading--
        return yield* knowledge.getSegment(workspaceId, segmentId)
      })
    })
    let begun = 0
    const disk = Latch.makeUnsafe()
    const stuck = Effect.andThen(Effect.sync(() => begun++), disk.await)
    const context = yield* Layer.build(
      Layer.fresh(ContextViews.layer).pipe(
        Layer.provide(Layer.succeedContext(Context.add(ports, KnowledgeStore, counting))),
        Layer.provide(Layer.succeed(SegmentCache, {
          get: () => Effect.succeed(null),
          source: () => Effect.succeed(null),
          put: () => stuck,
          retain: () => stuck,
          workspaces: Effect.succeed([])
        }))
      )
    )
    const views = Context.get(context, ContextViews)
    const first = yield* Effect.forkChild(views.current(id), { startImmediately: true })
    yield* Effect.repeat(Effect.yieldNow, { times: 100 })
    const exit = first.pollUnsafe()
    yield* Effect.addFinalizer(() => disk.open)
    assert.strictEqual(exit?._tag, "Success")
    assert.lengthOf(exit?._tag === "Success" ? exit.value.view.parts : [], 2)
    assert.strictEqual(heads, 1)
    assert.strictEqual(mostReading, 2)
    // One write at a time.
    assert.strictEqual(begun, 1)
  }).pipe(Effect.scoped, Effect.provide(service)))

it.effect("a query whose state is answered late does not bring back an earlier snapshot", () =>
  Effect.gen(function*() {
    const id = yield* twoSegments
    const ports = yield* Effect.context<Layer.Success<typeof Memory.layer>>()
    const knowledge = Context.get(ports, KnowledgeStore)
    const answer = Latch.makeUnsafe()
    let isLate = true
    const late = KnowledgeStore.of({
      ...knowledge,
      head: (workspaceId) =>
        Effect.tap(knowledge.head(workspaceId), () => {
          const waits = isLate
          isLate = false
          return waits ? answer.await : Effect.void
        })
    })
    const context = yield* Layer.build(
      Layer.fresh(ContextViews.layer).pipe(
        Layer.provide(Layer.succeedContext(Context.add(ports, KnowledgeStore, late)))
      )
    )
    const views = Context.get(context, ContextViews)
    const first = yield* Effect.forkChild(views.current(id), { startImmediately: true })
    const before = yield* knowledge.head(id)
    yield* (yield* KnowledgeContext).refresh(id, {})
    yield* Effect.repeat(TestClock.adjust("1 second"), { times: 10 })
    const after = yield* knowledge.head(id)
    assert.notStrictEqual(after.snapshot?.snapshot_id, before.snapshot?.snapshot_id)
    yield* views.current(id)
    yield* answer.open
    const { head } = yield* Fiber.join(first)
    assert.strictEqual(head.snapshot?.snapshot_id, after.snapshot?.snapshot_id)
    assert.strictEqual((yield* views.loaded(id))?.snapshot_id, after.snapshot?.snapshot_id)
  }).pipe(Effect.scoped, Effect.provide(service)))

it.effect("what a process serves of an erased workspace is forgotten by the next sweep", () =>
  Effect.gen(function*() {
    const id = yield* twoSegments
    const ports = yield* Effect.context<Layer.Success<typeof Memory.layer>>()
    const knowledge = Context.get(ports, KnowledgeStore)
    let heads = 0
    const counting = KnowledgeStore.of({
      ...knowledge,
      head: (workspaceId) => Effect.suspend(() => (heads++, knowledge.head(workspaceId)))
    })
    const context = yield* Layer.build(
      Layer.fresh(ContextViews.layer).pipe(
        Layer.provide(Layer.succeedContext(Context.add(ports, KnowledgeStore, counting)))
      )
    )
    const views = Context.get(context, ContextViews)
    /** How many workspaces a sweep asks the store about. */
    const asked = Effect.map(views.sweep, () => {
      const count = heads
      heads = 0
      return count
    })
    yield* views.current(id)
    heads = 0
    assert.deepStrictEqual([yield* asked, yield* asked], [1, 1])
    yield* (yield* Workspaces).erase(id)
    yield* Effect.repeat(TestClock.adjust("1 second"), { times: 10 })
    assert.deepStrictEqual([yield* asked, yield* asked], [1, 0])
    assert.isNull(yield* views.loaded(id))
  }).pipe(Effect.scoped, Effect.provide(service)))
