import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Context, Effect, Exit, Layer, Logger, Schema, Scope } from "effect"
import { TestClock } from "effect/testing"
import { StorageUnavailable } from "../../src/model/Error.ts"
import { WorkspaceId } from "../../src/model/Id.ts"
import { type StoredDay, type UsageBatch, UsageStore } from "../../src/ports/UsageStore.ts"
import { dayUsage } from "../../src/usage/dayUsage.ts"
import { bucketOf, quantileOf } from "../../src/usage/durations.ts"
import { UsageLog } from "../../src/usage/UsageLog.ts"
import { faultyPorts } from "../support/faultyPorts.ts"
import { integerBelow } from "../support/integerBelow.ts"
import { services, workspaceWith } from "../support/services.ts"

const WORKSPACE = WorkspaceId.make("0199d3a0-5b7e-7c2f-9a31-3f1f0c6f2f55")
const SEARCH = "POST /v1/knowledge/search"

/** The service over a store that a test can switch off, or whose answers it can lose, and what it was given. */
const opened = Effect.gen(function*() {
  const written: Array<Omit<UsageBatch, "number" | "writer">> = []
  const batches: Array<UsageBatch> = []
  const store = { isAway: false, isMute: false, isBroken: false }
  const add = (batch: UsageBatch) =>
    Effect.suspend(() => {
      if (store.isBroken) throw new Error("broken")
      const { day, usage } = batch
      if (!store.isAway) {
        batches.push(batch)
        written.push({ day, usage })
      }
      return store.isAway || store.isMute ? Effect.fail(new StorageUnavailable({ cause: "away" })) : Effect.void
    })
  const usageStore = { add, history: () => Effect.succeed([]), prune: () => Effect.void }
  const scope = yield* Scope.make()
  const layer = Layer.provide(UsageLog.layer, Layer.succeed(UsageStore, usageStore))
  const usage = Context.get(yield* Layer.buildWithScope(layer, scope), UsageLog)
  const record = (now: number, fields: { readonly outcome?: string; readonly millis?: number } = {}) =>
    usage.record({ workspaceId: WORKSPACE, operation: SEARCH, outcome: "ok", millis: 3, ...fields }, now)
  return { batches, close: Scope.close(scope, Exit.void), record, store, usage, written }
})

const search = (requests: number) => ({ operation: SEARCH, outcome: "ok", bucket: bucketOf(3), requests })

describe("the usage log", () => {
  it.effect("writes the counts of a minute together, by day, without delaying requests", () =>
    Effect.gen(function*() {
      const { record, written } = yield* opened
      for (let at = 0; at < 1_000; at++) record(0)
      record(86_400_000)
      assert.deepStrictEqual(written, [])
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(written, [
        { day: "1970-01-01", usage: [{ workspace_id: WORKSPACE, counts: [search(1_000)] }] },
        { day: "1970-01-02", usage: [{ workspace_id: WORKSPACE, counts: [search(1)] }] }
      ])
    }))

  it.effect("writes pending counts when the history is read, and when the service ends", () =>
    Effect.gen(function*() {
      const { close, record, usage, written } = yield* opened
      record(0)
      yield* usage.history(WORKSPACE, 30)
      assert.strictEqual(written.length, 1)
      record(0)
      yield* close
      assert.strictEqual(written.length, 2)
    }))

  it.effect("keeps counting while the storage is unavailable", () =>
    Effect.gen(function*() {
      const { record, store, written } = yield* opened
      store.isAway = true
      record(0)
      yield* TestClock.adjust("3 minutes")
      record(0)
      store.isAway = false
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(written.flatMap(({ usage }) => usage), [
        { workspace_id: WORKSPACE, counts: [search(1)] },
        { workspace_id: WORKSPACE, counts: [search(1)] }
      ])
    }))

  it.effect("keeps writing after the storage threw", () =>
    Effect.gen(function*() {
      const { record, store, written } = yield* opened
      store.isBroken = true
      record(0)
      yield* TestClock.adjust("1 minute")
      store.isBroken = false
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(written.flatMap(({ usage }) => usage), [{ workspace_id: WORKSPACE, counts: [search(1)] }])
    }))

  it.effect("writes a batch again as it was if the answer was lost, and what was counted since in the next one", () =>
    Effect.gen(function*() {
      const { batches, record, store } = yield* opened
      store.isMute = true
      record(0)
      yield* TestClock.adjust("1 minute")
      record(0)
      yield* TestClock.adjust("1 minute")
      store.isMute = false
      yield* TestClock.adjust("1 minute")
      const [first] = batches
      const next = { ...first!, number: first!.number + 1 }
      assert.deepStrictEqual(batches, [first!, first!, first!, next])
    }))

  it.effect.prop(
    "counts each request of two servers once, whichever writes fail or lose their answers",
    [Arbitrary.array(
      Arbitrary.all({
        act: Arbitrary.schema(Schema.Literals(["request", "request", "minute", "history"])),
        server: integerBelow(2),
        fault: Arbitrary.schema(Schema.Literals(["none", "none", "fails", "is lost"]))
      }),
      { maxLength: 30 }
    )],
    ([steps]) =>
      Effect.gen(function*() {
        let fault: typeof steps[number]["fault"] = "none"
        const ports = faultyPorts((name) =>
          Effect.sync(() => name !== "UsageStore.add" || fault === "none" ? null : fault)
        )
        const start = Effect.map(
          Layer.build(Layer.fresh(UsageLog.layer).pipe(Layer.provide(ports))),
          Context.get(UsageLog)
        )
        const servers = [yield* start, yield* start]
        const { workspace_id: workspaceId } = yield* workspaceWith({ tier: "pro" })
        let requests = 0
        for (const { act, server, fault: next } of steps) {
          fault = next
          const usage = servers[server]!
          if (act === "request") {
            requests++
            usage.record({ workspaceId, operation: SEARCH, outcome: "ok", millis: 3 }, 0)
          } else if (act === "minute") yield* TestClock.adjust("1 minute")
          else yield* Effect.ignore(usage.history(workspaceId, 1))
        }
        fault = "none"
        yield* TestClock.adjust("1 minute")
        const { days } = yield* servers[0]!.history(workspaceId, 1)
        assert.strictEqual(days[0]?.operations[0]?.requests ?? 0, requests)
      }).pipe(Effect.scoped, Effect.provide(Layer.fresh(services)))
  )

  it.effect("keeps at most 100,000 counts, and has room again once they are written", () =>
    Effect.gen(function*() {
      const { record, written } = yield* opened
      const count = () => written.splice(0).reduce((sum, { usage }) => sum + usage[0]!.counts.length, 0)
      for (let at = 0; at < 100_010; at++) record(0, { outcome: `one ${at}` })
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(count(), 100_000)
      for (let at = 0; at < 1_000; at++) record(0, { outcome: `other ${at}` })
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(count(), 1_000)
    }))

  it.effect("reports that counts are lost if the storage is unavailable when the service ends", () => {
    const lines: Array<unknown> = []
    const logger = Logger.layer([Logger.make(({ message }) => void lines.push(message))])
    return Effect.gen(function*() {
      const { close, record, store, written } = yield* opened
      record(0)
      store.isAway = true
      yield* close
      assert.deepStrictEqual(written, [])
      assert.deepStrictEqual(lines.flat().filter((line) => typeof line === "string"), ["buffered writes are lost"])
    }).pipe(Effect.provide(logger))
  })

  it.effect("records a workspace whose documents changed without a request", () =>
    Effect.gen(function*() {
      const { usage, written } = yield* opened
      yield* usage.touch(WORKSPACE)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(written, [{ day: "1970-01-01", usage: [{ workspace_id: WORKSPACE, counts: [] }] }])
    }))
})

describe("a day of usage", () => {
  it("sums requests, refusals and the durations of successful ones", () => {
    const ask = { operation: "POST /v1/knowledge/ask", outcome: "rate_limit_exceeded", bucket: 0, requests: 20 }
    const day: StoredDay = {
      day: "2026-03-01",
      documents: 7,
      storage: 99,
      counts: [
        search(90),
        { ...search(10), bucket: bucketOf(100) },
        { ...search(5), outcome: "validation_error", bucket: 0 },
        ask
      ]
    }
    const { operations, ...rest } = dayUsage(day)
    assert.deepStrictEqual(rest, { day: "2026-03-01", documents: 7, storage: 99 })
    const [first, second] = operations
    assert.deepInclude(first, { operation: SEARCH, requests: 105, refusals: { validation_error: 5 } })
    assert.closeTo(first!.p50_ms!, 3, 1)
    assert.closeTo(first!.p95_ms!, 100, 20)
    assert.deepStrictEqual(second, {
      operation: ask.operation,
      requests: 20,
      refusals: { rate_limit_exceeded: 20 },
      p50_ms: null,
      p95_ms: null
    })
  })

  it("has quantiles within a fifth of the real ones", () => {
    for (const millis of [2, 3, 17, 250, 4_000, 60_000]) {
      const counts = new Map([[bucketOf(millis / 9), 1], [bucketOf(millis), 98], [bucketOf(millis * 9), 1]])
      assert.closeTo(quantileOf(counts, 0.5)! / millis, 1, 0.21, String(millis))
    }
    assert.isNull(quantileOf(new Map(), 0.5))
    assert.isAbove(quantileOf(new Map([[bucketOf(1e9), 1]]), 0.95)!, 600_000)
  })
})
