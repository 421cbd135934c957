import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { endSlice, inSharedSlices, inSlices } from "../../src/scheduling/Slices.ts"

const { setImmediate } = globalThis as unknown as { readonly setImmediate: (task: () => void) => unknown }

const LONG = 30

const PARTS = 5

/** Work in parts that are longer than a slice each. */
function* long(events: Array<string>): Generator<void, string> {
  for (let part = 0; part < PARTS; part++) {
    events.push("part")
    const until = performance.now() + LONG
    while (performance.now() < until) { /* Busy. */ }
    yield
  }
  return "done"
}

/** Counts the turns of the event loop. */
const countTurns = () => {
  let turns = 0
  let isWatched = true
  const count = () => {
    turns++
    if (isWatched) setImmediate(count)
  }
  setImmediate(count)
  return {
    turns: () => turns,
    stop: () => {
      isWatched = false
    }
  }
}

describe("work in slices", () => {
  it.live("yields to the event loop between any two, however many run at once", () =>
    Effect.gen(function*() {
      const events: Array<string> = []
      let isWatched = true
      const turn = () => {
        events.push("turn")
        if (isWatched) setTimeout(turn)
      }
      const started = Effect.sync(() => void setTimeout(turn))
      const results = yield* Effect.all([
        inSlices(long(events)),
        started,
        inSlices(long(events)),
        inSlices(long(events))
      ], {
        concurrency: "unbounded"
      })
      isWatched = false
      assert.deepStrictEqual([results[0], results[2], results[3]], ["done", "done", "done"])
      const parts = events.flatMap((event, index) => event === "part" ? [index] : [])
      assert.lengthOf(parts, 3 * PARTS)
      // The first slices of those that begin together are the only ones without a turn in between.
      assert.deepStrictEqual(parts.slice(3).filter((at) => events[at - 1] !== "turn"), [])
    }))

  it.live("does not share a turn, however short it is", () =>
    Effect.gen(function*() {
      const events: Array<string> = []
      let isWatched = true
      const turn = () => {
        events.push("turn")
        if (isWatched) setImmediate(turn)
      }
      const short = Effect.suspend(() =>
        inSlices((function*(): Generator<void, void> {
          events.push("work")
        })())
      )
      // Slices that ended just now keep their turn.
      yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
      setImmediate(turn)
      yield* Effect.all([short, short, short], { concurrency: "unbounded" })
      isWatched = false
      assert.deepStrictEqual(events, ["work", "turn", "work", "turn", "work"])
    }))

  it.live("has one slice in a turn for all requests that follow one another in it", () =>
    Effect.gen(function*() {
      // Slices that ended just now keep their turn.
      yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
      const { stop, turns } = countTurns()
      yield* inSharedSlices((function*(): Generator<void, void> {
        endSlice()
      })())
      const waited = yield* inSharedSlices((function*() {
        const at = turns()
        yield
        return turns() - at
      })())
      stop()
      assert.isAbove(waited, 0)
    }))

  it.live("yields before a step that is to have a turn of its own", () =>
    Effect.gen(function*() {
      const { stop, turns } = countTurns()
      const before = yield* inSlices((function*() {
        const at = turns()
        endSlice()
        yield
        return at
      })())
      stop()
      assert.isAbove(turns(), before)
    }))
})
