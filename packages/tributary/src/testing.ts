/** For a host's tests: the whole service in memory, with a test clock. */
import * as Memory from "@tributary/memory/Memory"
import { Duration, Effect, Latch, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { gated } from "./gated.ts"
import type { Calls } from "./KnowledgeBase.ts"
import { openWith } from "./open.ts"
import type { Parts } from "./parts.ts"

/** Checked before time stops for the service. */
const spanOf = (given: Duration.Input): Duration.Duration => {
  const span = Option.getOrUndefined(Duration.fromInput(given))
  const isSpan = span !== undefined && Duration.isFinite(span) && !Duration.isNegative(span) && !Number.isNaN(given)
  if (isSpan) return span
  throw new TypeError(`The clock advances by milliseconds or by a duration such as "8 days", not ${String(given)}.`)
}

/**
 * A knowledge base whose time begins at 1970 and only moves by `advance`: ranges, rate windows and
 * background work follow. Calls themselves take as long as they take.
 */
export const openForTests = async (options: Calls & Omit<Parts, "clock"> = {}) => {
  const clock = await Effect.runPromise(Effect.scoped(Layer.build(TestClock.layer())))
  const gate = Latch.makeUnsafe(true)
  const backend = gated(gate).pipe(Layer.provideMerge(Memory.layer), Layer.provideMerge(Layer.succeedContext(clock)))
  const kb = await openWith(backend, options)

  const advance = Effect.fnUntraced(function*(duration: Duration.Duration) {
    yield* gate.close
    yield* TestClock.adjust(duration)
    yield* gate.open
    yield* TestClock.adjust(0)
  })

  return {
    kb,
    /** Advances the clock. Due work starts; wait for it as usual, with `waitUntilUpToDate`. */
    advance: async (duration: Duration.Input) => Effect.runPromiseWith(clock)(advance(spanOf(duration))),
    [Symbol.asyncDispose]: () => kb.close()
  }
}
