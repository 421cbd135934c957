import type { EventLoopUtilization } from "node:perf_hooks"
import { setImmediate } from "node:timers/promises"
import { afterEach, assert, beforeEach, it, vi } from "vitest"
import { collectWhenIdle } from "../src/collectWhenIdle.ts"

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval"] }))
afterEach(() => void vi.useRealTimers())

const ROUND = 20_000

/** A thread that has worked as long as the test says. */
const makeThread = () => {
  const thread = { active: 0, idle: 0 }
  const measure = (one?: EventLoopUtilization, other?: EventLoopUtilization): EventLoopUtilization => {
    const active = (one ?? thread).active - (other?.active ?? 0)
    const idle = (one ?? thread).idle - (other?.idle ?? 0)
    return { active, idle, utilization: active / (active + idle) }
  }
  const round = (active: number) => {
    thread.active += active
    thread.idle += ROUND - active
    vi.advanceTimersByTime(ROUND)
  }
  return { measure, round }
}

it("collects in the first idle round after work", () => {
  const { measure, round } = makeThread()
  const collect = vi.fn()
  collectWhenIdle(collect, measure)
  round(15_000)
  round(15_000)
  assert.strictEqual(collect.mock.calls.length, 0)
  for (let times = 0; times < 9; times++) round(50)
  assert.strictEqual(collect.mock.calls.length, 1)
})

it("collects seldom in a thread that hardly works", () => {
  const { measure, round } = makeThread()
  const collect = vi.fn()
  collectWhenIdle(collect, measure)
  for (let times = 0; times < 10; times++) round(100)
  assert.strictEqual(collect.mock.calls.length, 2)
})

it("collects garbage", async () => {
  const { measure, round } = makeThread()
  collectWhenIdle(undefined, measure)
  const garbage = new WeakRef({ text: "nobody reads this" })
  // What was read in this turn is kept until its end.
  await setImmediate()
  round(1_000)
  assert.isUndefined(garbage.deref())
})
