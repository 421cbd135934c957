import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { buildSegments } from "../../src/context/segments/buildSegments.ts"
import { WorkspaceId } from "../../src/model/Id.ts"
import { KnowledgeStore } from "../../src/ports/KnowledgeStore.ts"

it.effect("deletes the stored segments of an interrupted build, including one that was being stored", () => {
  const stored = new Set<string>()
  const store = Layer.mock(KnowledgeStore)({
    // Like a database: a sent write is executed even if nobody waits for the answer any more.
    putSegment: (_, segmentId) =>
      Effect.sync(() => void stored.add(segmentId)).pipe(
        Effect.delay("1 second"),
        Effect.forkDetach({ startImmediately: true }),
        Effect.flatMap(Fiber.join)
      ),
    dropSegments: (_, segmentIds) => Effect.sync(() => segmentIds.forEach((segmentId) => stored.delete(segmentId)))
  })
  return Effect.gen(function*() {
    const { drop, put } = yield* buildSegments(WorkspaceId.make(crypto.randomUUID()))
    const build = yield* Effect.forkChild(Effect.onError(Effect.forever(put(new Uint8Array())), () => drop))
    yield* TestClock.adjust("1500 millis")
    assert.lengthOf([...stored], 1)
    yield* Effect.forkChild(Fiber.interrupt(build), { startImmediately: true })
    yield* TestClock.adjust("1 second")
    yield* Fiber.await(build)
    assert.deepStrictEqual([...stored], [])
  }).pipe(Effect.provide(store))
})
