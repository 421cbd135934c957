/** The order of tasks that share a scarce resource. */
import { assert, describe, it } from "@effect/vitest"
import { makeFairQueue } from "@tributary/core/FairQueue"
import { Deferred, Effect, Fiber } from "effect"

const turns = () => makeFairQueue({ atOnce: 2, perKey: 1, most: 8, mostPerKey: 6, message: "Full." })

/** Tasks that end on request, and the order in which they started. */
const makeTasks = () => {
  const began: Array<string> = []
  const ends = new Map<string, Deferred.Deferred<void>>()
  const task = (name: string) =>
    Effect.gen(function*() {
      const end = yield* Deferred.make<void>()
      ends.set(name, end)
      began.push(name)
      yield* Deferred.await(end)
    })
  const finish = (name: string) => Effect.andThen(Deferred.succeed(ends.get(name)!, undefined), Effect.yieldNow)
  return { began, finish, task }
}

const begin = <A, E>(task: Effect.Effect<A, E>) => Effect.forkChild(task, { startImmediately: true })

describe("fair turns", () => {
  it.effect("start a second key at once, however many tasks of the first are waiting", () =>
    Effect.gen(function*() {
      const turn = turns()
      const { began, finish, task } = makeTasks()
      for (const name of ["a1", "a2", "a3", "a4"]) yield* begin(turn("a")(task(name)))
      assert.deepStrictEqual(began, ["a1"])
      yield* begin(turn("b")(task("b1")))
      assert.deepStrictEqual(began, ["a1", "b1"])
      for (const name of ["c1", "d1"]) yield* begin(turn(name[0]!)(task(name)))
      yield* finish("a1")
      yield* finish("b1")
      // The remaining tasks of the first key queue behind the keys that arrived meanwhile.
      assert.deepStrictEqual(began, ["a1", "b1", "c1", "d1"])
      yield* finish("c1")
      assert.deepStrictEqual(began.slice(4), ["a2"])
    }))

  it.effect("refuse tasks beyond the limit of a key or of all, and accept them again when tasks end or are cancelled", () =>
    Effect.gen(function*() {
      const turn = turns()
      const { finish, task } = makeTasks()
      const fibers = yield* Effect.forEach([1, 2, 3, 4, 5, 6], (number) => begin(turn("a")(task(`a${number}`))))
      assert.strictEqual((yield* Effect.flip(turn("a")(Effect.void))).message, "Full.")
      for (const key of ["b", "c"]) yield* begin(turn(key)(task(key)))
      assert.strictEqual((yield* Effect.flip(turn("d")(Effect.void)))._tag, "Overloaded")
      yield* Fiber.interrupt(fibers[5]!)
      yield* finish("b")
      yield* finish("c")
      yield* turn("d")(Effect.void)
      for (const fiber of fibers) yield* Fiber.interrupt(fiber)
      yield* turn("a")(Effect.void)
    }))

  it.effect("are crowded while a task waits for those of other keys", () =>
    Effect.gen(function*() {
      const turn = turns()
      const { finish, task } = makeTasks()
      for (const name of ["a1", "a2", "a3"]) yield* begin(turn("a")(task(name)))
      yield* begin(turn("b")(task("b1")))
      assert.isFalse(turn.isCrowded())
      yield* begin(turn("c")(task("c1")))
      assert.isTrue(turn.isCrowded())
      yield* finish("b1")
      assert.isFalse(turn.isCrowded())
    }))
})
