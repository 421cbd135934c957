// Which operations have a span.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Tracer } from "effect"
import { traceMethods } from "../src/internal/collectedTraces.ts"
import { TraceSampling } from "../src/ports/TraceSampling.ts"

const operations = traceMethods({ act: (text: string) => Effect.succeed(text) }, "Service", "internal")
const storage = traceMethods({ read: () => Effect.succeed(1) }, "Store", "client")

const names = Effect.fnUntraced(function*(isHosts: boolean, sampled: boolean | null) {
  const made: Array<string> = []
  const tracer = Tracer.make({
    span: (options) => {
      made.push(options.name)
      return new Tracer.NativeSpan(options)
    }
  })
  const parent = Tracer.externalSpan({ traceId: "1", spanId: "2", sampled: sampled === true })
  const calls = Effect.gen(function*() {
    assert.strictEqual(yield* operations.act("done"), "done")
    yield* storage.read()
  })
  yield* (sampled === null ? calls : Effect.withParentSpan(calls, parent)).pipe(
    Effect.provideService(Tracer.Tracer, tracer),
    Effect.provideService(TraceSampling, isHosts ? null : { begins: () => true, tracer })
  )
  return made
})

describe("An operation", () => {
  it.effect("has a span within a trace that is sent, as has the storage", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* names(false, true), ["Service.act", "Store.read"])
      assert.deepStrictEqual(yield* names(false, false), [])
    }))

  it.effect("has the attributes, links and level that a host gives to spans, as any other of its spans", () =>
    Effect.gen(function*() {
      const spans: Array<Tracer.Span> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      const other = Tracer.externalSpan({ traceId: "3", spanId: "4" })
      const within = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        effect.pipe(
          Effect.annotateSpans("tenant", "a"),
          Effect.linkSpans(other),
          Effect.provideService(Tracer.Tracer, tracer)
        )
      yield* within(Effect.suspend(() => operations.act("done")))
      yield* within(Effect.withSpan(Effect.void, "of the host"))
      yield* within(Effect.suspend(() => operations.act("done"))).pipe(
        Effect.provideService(Tracer.MinimumTraceLevel, "Error")
      )
      assert.deepStrictEqual(
        spans.map(({ attributes, links, name, sampled }) => ({
          name,
          tenant: attributes.get("tenant"),
          linked: links.map(({ span }) => span.traceId),
          sampled
        })),
        [
          { name: "Service.act", tenant: "a", linked: ["3"], sampled: true },
          { name: "of the host", tenant: "a", linked: ["3"], sampled: true },
          { name: "Service.act", tenant: "a", linked: ["3"], sampled: false }
        ]
      )
    }))

  it.effect("begins a trace only for the tracer of a host, and the storage never", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* names(true, null), ["Service.act"])
      assert.deepStrictEqual(yield* names(false, null), [])
    }))
})
