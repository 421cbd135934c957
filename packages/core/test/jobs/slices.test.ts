import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inSlices } from "../../src/jobs/Slices.ts"

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

describe("work in slices", () => {
  it.live("lets the event loop turn between any two, however many are at work", () =>
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
})
