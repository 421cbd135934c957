/** An embedding model that keeps queries waiting. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { type EmbeddingModel, ModelUnavailable } from "../../src/ports/Embedder.ts"
import { modelCalls } from "../../src/search/embedding/modelCalls.ts"

const VECTOR = [1, 0]

/** Answers each call after `delay` milliseconds. */
const slowModel = (answer: () => ReturnType<EmbeddingModel["embed"]>) => {
  const state = { delay: 0, calls: 0 }
  const model: EmbeddingModel = {
    model: "slow",
    dimensions: VECTOR.length,
    batch: 1,
    embed: () =>
      Effect.suspend(() => {
        state.calls++
        return Effect.delay(answer(), state.delay)
      })
  }
  return { model, state }
}

/** The outcome of a query after a number of seconds. */
const after = <A, E>(seconds: number, query: Effect.Effect<A, E>) =>
  Effect.gen(function*() {
    const fiber = yield* Effect.forkChild(Effect.result(query))
    yield* TestClock.adjust(`${seconds} seconds`)
    return (yield* Fiber.join(fiber))._tag
  })

describe("an embedding model", () => {
  it.effect("that kept a query waiting in vain is left alone for 15 seconds, and then called by one query", () =>
    Effect.gen(function*() {
      const { model, state } = slowModel(() => Effect.succeed([VECTOR]))
      const { embedQuery } = yield* modelCalls(model)
      state.delay = 60_000
      assert.strictEqual(yield* after(5, embedQuery("first")), "Failure")
      assert.strictEqual(yield* after(14, embedQuery("second")), "Failure")
      assert.strictEqual(state.calls, 1)
      yield* TestClock.adjust("1 second")
      const both = Effect.all([embedQuery("third"), embedQuery("fourth")], { concurrency: 2, mode: "result" })
      assert.strictEqual(yield* after(5, both), "Success")
      assert.strictEqual(state.calls, 2)
      state.delay = 0
      yield* TestClock.adjust("15 seconds")
      assert.strictEqual(yield* after(0, embedQuery("fifth")), "Success")
      assert.strictEqual(yield* after(0, embedQuery("sixth")), "Success")
      assert.strictEqual(state.calls, 4)
    }))

  it.effect("that refuses one query at once is asked the next", () =>
    Effect.gen(function*() {
      const { model, state } = slowModel(() => Effect.fail(new ModelUnavailable({ cause: "it is too long" })))
      const { embedQuery } = yield* modelCalls(model)
      assert.strictEqual(yield* after(0, embedQuery("first")), "Failure")
      assert.strictEqual(yield* after(0, embedQuery("second")), "Failure")
      assert.strictEqual(state.calls, 2)
    }))
})
