import { assert, describe, it } from "@effect/vitest"
import { Ingest } from "@tributary/core/Ingest"
import { Meters } from "@tributary/core/Meters"
import type { Usage } from "@tributary/core/model/Usage"
import { RateWindows } from "@tributary/core/ports/RateWindows"
import { RateLimits } from "@tributary/core/RateLimits"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { connected, services, workspaceWith } from "../support/services.ts"

const metered = Meters.layer.pipe(Layer.provideMerge(RateLimits.layer), Layer.provideMerge(services))

describe("a rate limit", () => {
  it.effect("counts down, refuses, and opens again with the next window", () =>
    Effect.gen(function*() {
      const workspace = yield* workspaceWith({ limits: { ask: { limit: 2, window_seconds: 60 } } })
      const limits = yield* RateLimits
      assert.deepStrictEqual(yield* limits.take(workspace, "ask"), {
        limit: 2,
        window_seconds: 60,
        remaining: 1,
        reset: 60
      })
      yield* TestClock.adjust("29500 millis")
      assert.deepStrictEqual(yield* limits.take(workspace, "ask"), {
        limit: 2,
        window_seconds: 60,
        remaining: 0,
        reset: 31
      })
      const refused = yield* Effect.flip(limits.take(workspace, "ask"))
      assert.deepInclude(refused, {
        _tag: "rate_limit_exceeded",
        endpoint: "ask",
        limit: 2,
        remaining: 0,
        window_seconds: 60,
        retry_after: 31
      })
      yield* TestClock.adjust("30499 millis")
      assert.deepInclude(yield* Effect.flip(limits.take(workspace, "ask")), { retry_after: 1 })
      yield* TestClock.adjust("1 millis")
      assert.deepInclude(yield* limits.take(workspace, "ask"), { remaining: 1 })
    }).pipe(Effect.provide(metered)))

  it.effect("with windows of another length begins a new one", () =>
    Effect.gen(function*() {
      const workspace = yield* workspaceWith({ limits: { ask: { limit: 1, window_seconds: 60 } } })
      const shorter = { ...workspace, overrides: { ask: { limit: 1, window_seconds: 2 } } }
      const limits = yield* RateLimits
      yield* limits.take(workspace, "ask")
      assert.deepInclude((yield* limits.windows(shorter)).ask, { remaining: 1, reset: 2 })
      yield* limits.take(shorter, "ask")
      const refused = yield* Effect.flip(limits.take(shorter, "ask"))
      assert.deepInclude(refused, { window_seconds: 2, retry_after: 2 })
      yield* TestClock.adjust("2 seconds")
      assert.deepInclude(yield* limits.take(shorter, "ask"), { remaining: 0 })
      assert.deepInclude(yield* Effect.flip(limits.take(workspace, "ask")), { window_seconds: 60, retry_after: 58 })
    }).pipe(Effect.provide(metered)))

  it.effect("never reports less than a second of waiting", () =>
    Effect.gen(function*() {
      const workspace = yield* workspaceWith()
      const ending = Layer.mock(RateWindows, {
        take: () => Effect.succeed({ count: 9, resetMillis: 0, allowed: false })
      })
      const refused = yield* Effect.flip(Effect.provide(
        Effect.flatMap(RateLimits, (limits) => limits.take(workspace, "ask")),
        Layer.fresh(RateLimits.layer).pipe(Layer.provide(ending))
      ))
      assert.deepInclude(refused, { retry_after: 1, remaining: 0 })
    }).pipe(Effect.provide(metered)))

  it.effect("of 0 refuses everybody, and an absent one nobody", () =>
    Effect.gen(function*() {
      const workspace = yield* workspaceWith({ limits: { ask: { limit: 0, window_seconds: 60 }, search: null } })
      const limits = yield* RateLimits
      assert.strictEqual((yield* Effect.flip(limits.take(workspace, "ask")))._tag, "rate_limit_exceeded")
      for (let n = 0; n < 100; n++) assert.isNull(yield* limits.take(workspace, "search"))
    }).pipe(Effect.provide(metered)))

  it.effect("counts each operation and each workspace separately", () =>
    Effect.gen(function*() {
      const [one, two] = [yield* workspaceWith(), yield* workspaceWith()]
      const limits = yield* RateLimits
      yield* limits.take(one, "ask")
      assert.deepInclude(yield* limits.take(one, "search"), { remaining: 19 })
      assert.deepInclude(yield* limits.take(two, "ask"), { remaining: 4 })
    }).pipe(Effect.provide(metered)))
})

describe("usage", () => {
  it.effect("lists all meters and windows, without counting", () =>
    Effect.gen(function*() {
      const { source, workspace } = yield* connected({ limits: { documents: 2, storage: 3 } })
      yield* (yield* Ingest).text(workspace, source, [{ text: "a" }, { text: "é" }])
      yield* (yield* RateLimits).take(workspace, "refresh")
      const meters = yield* Meters
      const usage: Omit<Usage, "scopes"> = {
        workspace_id: workspace.workspace_id,
        entitlements: {
          tier: "free",
          documents: { used: 2, limit: 2, fraction_used: 1, state: "approaching" },
          storage: { used: 3, limit: 3, fraction_used: 1, state: "approaching" }
        },
        rate_limits: {
          ask: { limit: 5, window_seconds: 60, remaining: 5, reset: 60 },
          search: { limit: 20, window_seconds: 60, remaining: 20, reset: 60 },
          refresh: { limit: 2, window_seconds: 3_600, remaining: 1, reset: 3_600 }
        }
      }
      assert.deepStrictEqual(yield* meters.current(workspace), usage)
      assert.deepStrictEqual(yield* meters.current(workspace), usage)
    }).pipe(Effect.provide(metered)))

  it.effect("of an uncapped workspace has no limits", () =>
    Effect.gen(function*() {
      const workspace = yield* workspaceWith({ tier: "pro" })
      const { entitlements, rate_limits } = yield* (yield* Meters).current(workspace)
      const uncapped = { used: 0, fraction_used: 0, state: "ok" }
      assert.deepStrictEqual(entitlements, { tier: "pro", documents: uncapped, storage: uncapped })
      assert.deepStrictEqual(rate_limits, {})
    }).pipe(Effect.provide(metered)))
})
