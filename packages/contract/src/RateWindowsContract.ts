/**
 * The contract of `RateWindows`. Times are the store's own, so the remaining time of a window is compared in whole
 * seconds.
 */
import { assert } from "@effect/vitest"
import type { WindowState } from "@tributary/core/ports/RateWindows"
import { RateWindows } from "@tributary/core/ports/RateWindows"
import { Duration, Effect } from "effect"
import { fiftyTimes, freshWorkspace } from "./internal/fixtures.ts"
import { type Kit, StoreClock } from "./internal/Kit.ts"

const LIMIT = { limit: 3, window_seconds: 600 }

/** A store with its own clock may have taken some seconds to answer. */
const assertRemains = ({ resetMillis }: WindowState, seconds: number): void => {
  assert.isAtMost(resetMillis, seconds * 1_000)
  assert.isAbove(resetMillis, (seconds - 30) * 1_000)
}

export const rateWindowsContract = (it: Kit): void => {
  it.effect("counts requests up to the limit and refuses the rest", () =>
    Effect.gen(function*() {
      const windows = yield* RateWindows
      const home = yield* freshWorkspace
      const taken = yield* Effect.replicateEffect(windows.take(home, "ask", LIMIT), 5)
      assert.deepStrictEqual(taken.map(({ allowed }) => allowed), [true, true, true, false, false])
      assert.deepStrictEqual(taken.map(({ count }) => count), [1, 2, 3, 3, 3])
      for (const state of taken) assertRemains(state, 600)
    }))

  it.effect("shows a window without counting", () =>
    Effect.gen(function*() {
      const windows = yield* RateWindows
      const home = yield* freshWorkspace
      assert.deepStrictEqual(yield* windows.peek(home, "ask", LIMIT), { count: 0, resetMillis: 600_000 })
      yield* windows.take(home, "ask", LIMIT)
      yield* windows.peek(home, "ask", LIMIT)
      const seen = yield* windows.peek(home, "ask", LIMIT)
      assert.strictEqual(seen.count, 1)
      assertRemains(seen, 600)
      assert.deepStrictEqual(yield* windows.peek(home, "search", LIMIT), { count: 0, resetMillis: 600_000 })
    }))

  it.effect("opens a window with its first counted request and rolls it over as a whole", () =>
    Effect.gen(function*() {
      const windows = yield* RateWindows
      const clock = yield* StoreClock
      const home = yield* freshWorkspace
      yield* windows.take(home, "search", LIMIT)
      yield* clock.advance("400 seconds")
      const second = yield* windows.take(home, "search", LIMIT)
      assert.strictEqual(second.count, 2)
      assertRemains(second, 200)
      yield* clock.advance("200 seconds")
      assert.deepStrictEqual(yield* windows.peek(home, "search", LIMIT), { count: 0, resetMillis: 600_000 })
      const first = yield* windows.take(home, "search", LIMIT)
      assert.strictEqual(first.count, 1)
      assertRemains(first, 600)
    }))

  it.effect("does not extend the wait by refused requests", () =>
    Effect.gen(function*() {
      const windows = yield* RateWindows
      const clock = yield* StoreClock
      const home = yield* freshWorkspace
      const once = { limit: 1, window_seconds: 600 }
      yield* windows.take(home, "refresh", once)
      yield* clock.advance("500 seconds")
      const refused = yield* windows.take(home, "refresh", once)
      assert.isFalse(refused.allowed)
      assertRemains(refused, 100)
      yield* clock.advance("100 seconds")
      assert.isTrue((yield* windows.take(home, "refresh", once)).allowed)
    }))

  it.effect("makes nobody wait longer than a window, also if the clock is set back", () =>
    Effect.gen(function*() {
      const windows = yield* RateWindows
      const clock = yield* StoreClock
      const home = yield* freshWorkspace
      const once = { limit: 1, window_seconds: 600 }
      for (const minutes of [5, 120]) {
        yield* windows.take(home, "search", once)
        yield* clock.advance(Duration.minutes(-minutes))
        assert.deepStrictEqual(yield* windows.peek(home, "search", once), { count: 0, resetMillis: 600_000 })
        const taken = yield* windows.take(home, "search", once)
        assert.deepInclude(taken, { count: 1, allowed: true })
        assertRemains(taken, 600)
        assert.isFalse((yield* windows.take(home, "search", once)).allowed)
        yield* clock.advance(Duration.minutes(minutes))
      }
    }))

  it.effect("refuses everything at a limit of zero, and opens no window for it", () =>
    Effect.gen(function*() {
      const windows = yield* RateWindows
      const home = yield* freshWorkspace
      const none = { limit: 0, window_seconds: 600 }
      assert.deepStrictEqual(yield* windows.take(home, "ask", none), { count: 0, resetMillis: 600_000, allowed: false })
      assert.deepStrictEqual(yield* windows.peek(home, "ask", LIMIT), { count: 0, resetMillis: 600_000 })
    }))

  it.effect("applies the current limit to an open window", () =>
    Effect.gen(function*() {
      const windows = yield* RateWindows
      const home = yield* freshWorkspace
      yield* Effect.replicateEffect(windows.take(home, "ask", LIMIT), 3)
      assert.isTrue((yield* windows.take(home, "ask", { ...LIMIT, limit: 4 })).allowed)
      const lowered = yield* windows.take(home, "ask", { ...LIMIT, limit: 2 })
      assert.isFalse(lowered.allowed)
      assert.strictEqual(lowered.count, 4)
    }))

  it.effect("keeps a window for each workspace and operation", () =>
    Effect.gen(function*() {
      const windows = yield* RateWindows
      const [home, stranger] = [yield* freshWorkspace, yield* freshWorkspace]
      yield* Effect.replicateEffect(windows.take(home, "ask", LIMIT), 3)
      assert.strictEqual((yield* windows.take(home, "search", LIMIT)).count, 1)
      assert.strictEqual((yield* windows.take(stranger, "ask", LIMIT)).count, 1)
      assert.strictEqual((yield* windows.peek(home, "ask", LIMIT)).count, 3)
    }))

  it.effect("allows exactly the limit with fifty concurrent requests", () =>
    Effect.gen(function*() {
      const windows = yield* RateWindows
      const home = yield* freshWorkspace
      const limit = { limit: 20, window_seconds: 600 }
      const taken = yield* fiftyTimes(() => windows.take(home, "search", limit))
      const allowed = taken.filter(({ allowed }) => allowed)
      assert.strictEqual(allowed.length, 20)
      assert.strictEqual(new Set(allowed.map(({ count }) => count)).size, 20)
      assert.strictEqual((yield* windows.peek(home, "search", limit)).count, 20)
    }))
}
