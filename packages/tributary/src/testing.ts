/** For a host's own tests: the whole service in memory, with a clock that only the test moves. */
import * as Memory from "@tributary/memory/Memory"
import { type Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { openWith } from "./open.ts"

/**
 * A knowledge base whose time begins at 1970 and stands still until `advance` moves it: ranges, rate windows and
 * background work follow. Calls themselves take as long as they take.
 */
export const openForTests = async () => {
  const clock = await Effect.runPromise(Effect.scoped(Layer.build(TestClock.layer())))
  const kb = await openWith(Layer.provideMerge(Memory.layer, Layer.succeedContext(clock)))
  return {
    kb,
    /** Moves the clock, and lets everything run that was waiting for it. */
    advance: (duration: Duration.Input) => Effect.runPromiseWith(clock)(TestClock.adjust(duration)),
    [Symbol.asyncDispose]: () => kb.close()
  }
}
