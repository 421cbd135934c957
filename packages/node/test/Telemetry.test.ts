// What is sent to a collector, and what a collector that does not take it costs.
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { Effect, Layer, Logger, Metric, Tracer } from "effect"
import { TraceSampling } from "@tributary/core/ports/TraceSampling"
import * as Telemetry from "../src/Telemetry.ts"
import { attributesOf, startCollector } from "./support/collector.ts"

/** Within a sampled trace, as a request or a job is. */
const traced = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.flatMap(TraceSampling, (sampling) => Effect.provideService(effect, Tracer.Tracer, sampling!.tracer))

const request = (name: string, options: Tracer.SpanOptions = {}) =>
  traced(Effect.withSpan(Effect.void, name, { kind: "server", ...options }))

const quietly = <A, E>(effect: Effect.Effect<A, E>, telemetry: Layer.Layer<never>) =>
  Effect.runPromise(Effect.provide(effect, Layer.provideMerge(telemetry, Logger.layer([]))))

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Completes if the layer needs no more than a second after the work. */
const endsInASecond = async <A>(work: Effect.Effect<A>, telemetry: Layer.Layer<never>) => {
  const worked = Promise.withResolvers<void>()
  const ended = quietly(Effect.tap(work, () => Effect.sync(() => worked.resolve())), telemetry)
  await worked.promise
  await turns(20)
  for (let passed = 0; passed < 1_000; passed += 100) {
    vi.advanceTimersByTime(100)
    await turns(5)
  }
  return await ended
}

const many = (count: number) => Effect.repeat(request("GET /many"), { times: count - 1 })

describe("Telemetry", () => {
  // It uses the machine's clock, whatever clock the service has.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }))
  afterEach(() => void vi.useRealTimers())

  it("sends spans with their parents, log lines and metrics, with the credential and the name of the service", async () => {
    const collector = await startCollector()
    const counter = Metric.counter("kites_total")
    const inner = Effect.withSpan(Effect.logInfo("kite sold"), "KiteStore.sell")
    const sale = traced(Effect.withSpan(inner, "POST /kites", { kind: "server" }))
    const work = Effect.andThen(Metric.update(counter, 3), sale)
    await quietly(
      work,
      Telemetry.layer({ url: `${collector.url}/`, headers: { authorization: "Bearer x" }, serviceName: "kites" })
    )
    const [sell, post] = collector.spans()
    assert.deepStrictEqual([sell!.name, post!.name], ["KiteStore.sell", "POST /kites"])
    assert.strictEqual(sell!.parentSpanId, post!.spanId)
    assert.strictEqual(sell!.traceId, post!.traceId)
    const [line] = collector.logs()
    assert.deepStrictEqual([line!.body.stringValue, line!.traceId], ["kite sold", post!.traceId])
    assert.include(collector.metrics().map(({ name }) => name), "kites_total")
    assert.deepStrictEqual([...new Set(collector.received.map(({ authorization }) => authorization))], ["Bearer x"])
    assert.sameMembers([...new Set(collector.received.map(({ path }) => path))], [
      "/v1/traces",
      "/v1/logs",
      "/v1/metrics"
    ])
    assert.match(collector.text(), /"service\.name","value":\{"stringValue":"kites"/)
    assert.match(collector.text(), /"service\.instance\.id"/)
    await collector.close()
  })

  it("sends the class and stack trace of an error, but not its message", async () => {
    const collector = await startCollector()
    const fails = Effect.logError("sale failed", new Error("quicksilver")).pipe(
      Effect.andThen(Effect.die(new TypeError("quicksilver\nquicksilver", { cause: new Error("quicksilver") }))),
      Effect.withSpan("POST /kites", {
        kind: "server",
        attributes: { "db.query.text": "quicksilver", "http.route": "/kites" }
      }),
      traced,
      Effect.catchCause((cause) => Effect.logError("request failed", cause))
    )
    await quietly(fails, Telemetry.layer({ url: collector.url }))
    const [span] = collector.spans()
    assert.strictEqual(span!.status.code, 2)
    assert.deepStrictEqual(attributesOf(span!), { "http.route": "/kites" })
    assert.match(collector.text(), /"exception\.type","value":\{"stringValue":"TypeError"/)
    assert.match(collector.text(), /"exception\.stacktrace","value":\{"stringValue":" +at .*Telemetry\.test\.ts/)
    assert.deepStrictEqual(collector.logs().map(({ body }) => body.stringValue), ["sale failed", "request failed"])
    assert.notInclude(collector.text(), "quicksilver")
    await collector.close()
  })

  it("sends nothing outside of requests and jobs, such as polls", async () => {
    const collector = await startCollector()
    const inner = Effect.withSpan(Effect.void, "inner")
    const poll = Effect.withSpan(inner, "poll")
    const job = traced(Effect.withSpan(inner, "job context", { kind: "consumer" }))
    await quietly(Effect.all([poll, job, request("GET /")]), Telemetry.layer({ url: collector.url }))
    assert.deepStrictEqual(collector.spans().map(({ name }) => name), ["inner", "job context", "GET /"])
    await collector.close()
  })

  it("samples the configured share of traces", async () => {
    const asked = Effect.map(
      TraceSampling,
      (sampling) => Array.from({ length: 2_000 }, () => sampling?.begins()).filter((begun) => begun)
    )
    const shareOf = async (ratio?: number) =>
      (await endsInASecond(
        asked,
        Telemetry.layer({ url: "http://127.0.0.1:9", ...(ratio === undefined ? {} : { ratio }) })
      )).length
    assert.deepStrictEqual(await Promise.all([shareOf(), shareOf(1), shareOf(0)]), [2_000, 2_000, 0])
    const tenth = await shareOf(0.1)
    assert.isAbove(tenth, 100)
    assert.isBelow(tenth, 320)
  })

  it("respects the caller's sampling decision", async () => {
    const collector = await startCollector()
    const under = (sampled: boolean) =>
      quietly(
        request(`GET /${sampled}`, {
          parent: Tracer.externalSpan({ traceId: "a".repeat(32), spanId: "b".repeat(16), sampled })
        }),
        Telemetry.layer({ url: collector.url })
      )
    await under(true)
    await under(false)
    assert.deepStrictEqual(collector.spans().map(({ name, parentSpanId }) => [name, parentSpanId]), [[
      "GET /true",
      "b".repeat(16)
    ]])
    await collector.close()
  })

  for (const mode of ["hangs", "fails", "slow"] as const) {
    it(`waits at most a second at the end for a collector that ${mode === "slow" ? "is slow" : mode}`, async () => {
      const collector = await startCollector(mode)
      await endsInASecond(many(5_000), Telemetry.layer({ url: collector.url }))
      await collector.close()
    })
  }

  it("waits at most a second at the end for a missing collector", async () => {
    const collector = await startCollector()
    await collector.close()
    await endsInASecond(many(5_000), Telemetry.layer({ url: collector.url }))
  })

  it("delays no request, whatever the collector does", async () => {
    const collector = await startCollector("hangs")
    const work = Effect.map(Effect.context<never>(), (context) => Effect.runSyncWith(context)(many(5_000)))
    await endsInASecond(work, Telemetry.layer({ url: collector.url }))
    await collector.close()
  })

  it("sends few batches at a time to a silent collector", async () => {
    const collector = await startCollector("hangs")
    await endsInASecond(many(20_000), Telemetry.layer({ url: collector.url }))
    assert.isAtLeast(collector.received.length, 1)
    assert.isAtMost(collector.received.length, 8)
    await collector.close()
  })
})
