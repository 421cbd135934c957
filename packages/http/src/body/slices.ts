/** Cooperative work: long tasks of one request yield to other requests. */
import { Effect } from "effect"

/** Milliseconds of work per slice. */
const SLICE = 8

/** Runs a generator that pauses at each `yield`, and yields to others now and then. */
export const inSlices = <A>(work: Generator<void, A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    const until = performance.now() + SLICE
    while (performance.now() < until) {
      const { done, value } = work.next()
      if (done === true) return Effect.succeed(value)
    }
    return Effect.andThen(Effect.yieldNow, inSlices(work))
  })

/** Runs it without pauses. */
export const atOnce = <A>(work: Generator<void, A>): A => {
  while (true) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}
