/** How many tasks of a key run at once beside those of other keys. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeFairShare } from "../../src/scheduling/FairShare.ts"

const begin = <A, E>(task: Effect.Effect<A, E>) => Effect.forkChild(task, { startImmediately: true })

/** Tasks that end on request. `running` are those that have started and not ended. */
const makeTasks = () => {
  const share = makeFairShare()
  const running = new Map<string, Deferred.Deferred<void>>()
  const settle = Effect.repeat(Effect.yieldNow, { times: 20 })
  const start = (name: string) =>
    begin(
      share(name[0]!)(Effect.gen(function*() {
        const end = yield* Deferred.make<void>()
        running.set(name, end)
        yield* Effect.onExit(Deferred.await(end), () => Effect.sync(() => running.delete(name)))
      }))
    )
  const finish = Effect.fnUntraced(function*(...names: ReadonlyArray<string>) {
    for (const name of names) yield* Deferred.succeed(running.get(name)!, undefined)
    yield* settle
  })
  return { start, finish, names: () => [...running.keys()] }
}

describe("a fair share", () => {
  it.effect("is everything for a key that is alone", () =>
    Effect.gen(function*() {
      const { names, start } = makeTasks()
      for (const name of ["a1", "a2", "a3"]) yield* start(name)
      assert.deepStrictEqual(names(), ["a1", "a2", "a3"])
    }))

  it.effect("is one task at a time beside another key, and everything again a second after it", () =>
    Effect.gen(function*() {
      const { finish, names, start } = makeTasks()
      for (const name of ["a1", "a2", "b1", "a3", "a4", "b2"]) yield* start(name)
      assert.deepStrictEqual(names(), ["a1", "a2", "b1"])
      yield* finish("a1")
      assert.deepStrictEqual(names(), ["a2", "b1"])
      yield* finish("a2", "b1")
      assert.deepStrictEqual(names(), ["a3", "b2"])
      yield* finish("b2", "a3")
      yield* start("a5")
      assert.deepStrictEqual(names(), ["a4"])
      yield* TestClock.adjust("2 seconds")
      yield* start("a6")
      yield* Effect.repeat(Effect.yieldNow, { times: 20 })
      assert.deepStrictEqual(names(), ["a4", "a5", "a6"])
    }))

  it.effect("is everything for a key that is alone after the clock was set back", () =>
    Effect.gen(function*() {
      const { finish, names, start } = makeTasks()
      yield* TestClock.setTime(3_600_000)
      yield* start("b1")
      yield* finish("b1")
      yield* TestClock.setTime(0)
      for (const name of ["a1", "a2"]) yield* start(name)
      assert.deepStrictEqual(names(), ["a1", "a2"])
    }))

  it.effect("passes on when a waiting task is interrupted", () =>
    Effect.gen(function*() {
      const { finish, names, start } = makeTasks()
      yield* start("b1")
      yield* start("a1")
      const waiting = yield* start("a2")
      yield* start("a3")
      yield* Fiber.interrupt(waiting)
      yield* finish("a1")
      assert.deepStrictEqual(names(), ["b1", "a3"])
    }))
})
