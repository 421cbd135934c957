// Which operations have a span.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Tracer } from "effect"
import { spanned } from "../src/internal/collectedTraces.ts"
import { TraceSampling } from "../src/ports/TraceSampling.ts"

const operations = spanned({ act: (text: string) => Effect.succeed(text) }, "Service", "internal")
const storage = spanned({ read: () => Effect.succeed(1) }, "Store", "client")

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

  it.effect("begins a trace only for the tracer of a host, and the storage never", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* names(true, null), ["Service.act"])
      assert.deepStrictEqual(yield* names(false, null), [])
    }))
})
