/** The order of tasks that share the event loop. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeLoopTurns } from "../../src/scheduling/LoopTurns.ts"

/** An event loop in the test's hands, and the tasks in the order in which they ran. */
const makeLoop = () => {
  const ran: Array<string> = []
  let scheduled: Array<() => void> = []
  const { turnOf } = makeLoopTurns((task) => scheduled.push(task))
  return {
    ran,
    begin: (name: string) =>
      Effect.forkChild(Effect.andThen(turnOf(name[0]!), Effect.sync(() => ran.push(name))), { startImmediately: true }),
    /** Says whether anything is left to do. */
    turn: Effect.gen(function*() {
      const due = scheduled
      scheduled = []
      for (const task of due) task()
      yield* Effect.yieldNow
      return due.length > 0
    })
  }
}

it.effect("a task runs at once in a free turn, and otherwise in the next one", () =>
  Effect.gen(function*() {
    const { begin, ran, turn } = makeLoop()
    yield* begin("a1")
    assert.deepStrictEqual(ran, ["a1"])
    yield* begin("a2")
    assert.deepStrictEqual(ran, ["a1"])
    yield* turn
    assert.deepStrictEqual(ran, ["a1", "a2"])
    yield* turn
    assert.isFalse(yield* turn)
    yield* begin("a3")
    assert.deepStrictEqual(ran, ["a1", "a2", "a3"])
  }))

it.effect("a task waits for one task of each other key, however many there are", () =>
  Effect.gen(function*() {
    const { begin, ran, turn } = makeLoop()
    for (const name of ["a1", "a2", "a3", "a4", "a5"]) yield* begin(name)
    yield* begin("b1")
    yield* begin("c1")
    yield* begin("b2")
    for (let more = true; more;) more = yield* turn
    assert.deepStrictEqual(ran, ["a1", "a2", "b1", "c1", "a3", "b2", "a4", "a5"])
  }))

it.effect("a cancelled task does not run, and the tasks behind it do", () =>
  Effect.gen(function*() {
    const { begin, ran, turn } = makeLoop()
    yield* begin("a1")
    const given = yield* begin("a2")
    yield* begin("a3")
    given.interruptUnsafe()
    for (let more = true; more;) more = yield* turn
    assert.deepStrictEqual(ran, ["a1", "a3"])
  }))
