import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { untilJobEnds, untilUpToDate } from "../src/waiting.ts"
import { scripted, settled } from "./support/scripted.ts"
import { REBUILDING } from "./support/stub.ts"

const status = (changes: object = {}) => () => Response.json({ ...REBUILDING, ...changes })

const job = (status: string) => () =>
  Response.json({
    job_id: "00000000-0000-7000-8000-000000000000",
    status,
    query: "q",
    created_at: "2026-01-01T00:00:00.000Z",
    started_at: null,
    finished_at: null,
    attempt: 1,
    error: null,
    result: null
  })

describe("untilUpToDate", () => {
  it.effect("polls at once, then with increasing delays, and reports each status", () =>
    Effect.gen(function*() {
      const progress = status({ progress: { done: 1, total: 2 } })
      const { context, moments } = yield* scripted([status(), progress, progress, status({ up_to_date: true })])
      const seen: Array<number> = []
      const wait = untilUpToDate(({ progress }) => seen.push(progress?.done ?? 0))
      assert.isTrue((yield* settled(Effect.provide(wait, context))).up_to_date)
      assert.deepStrictEqual(moments, [0, 200, 500, 950])
      assert.deepStrictEqual(seen, [0, 1, 1, 0])
    }))

  it.effect("waits at most five seconds between two polls", () =>
    Effect.gen(function*() {
      const steps = Array.from({ length: 12 }, () => status())
      const { context, moments } = yield* scripted([...steps, status({ up_to_date: true })])
      yield* settled(Effect.provide(untilUpToDate(), context))
      assert.deepStrictEqual(moments.slice(-3).map((moment, index, all) => moment - (all[index - 1] ?? moment)), [
        0,
        5_000,
        5_000
      ])
    }))

  it.effect("does not confuse an earlier failed build with its end", () =>
    Effect.gen(function*() {
      const { context } = yield* scripted([status({ state: "failed", error: "No room." })])
      const error = yield* Effect.flip(settled(Effect.provide(untilUpToDate(), context)))
      assert.deepInclude(error, { code: "build_failed", message: "No room." })
    }))
})

describe("untilJobEnds", () => {
  it.effect("polls as long as the job runs, however short the client's timeout is", () =>
    Effect.gen(function*() {
      const steps = [job("queued"), job("running"), job("cancelled")]
      const { context, moments } = yield* scripted(steps, { timeout: 10, attemptTimeout: 10 })
      assert.strictEqual((yield* settled(Effect.provide(untilJobEnds("j"), context))).status, "cancelled")
      assert.lengthOf(moments, 3)
    }))
})
