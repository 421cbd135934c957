/** Work that pauses, so that whatever takes long on one request is shared with all others. */
import { Effect } from "effect"

/** Milliseconds of work at a time. */
const SLICE = 8

/** Runs work that pauses at each `yield`, and lets others have their turn now and then. */
export const inSlices = <A>(work: Generator<void, A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    const until = performance.now() + SLICE
    while (performance.now() < until) {
      const { done, value } = work.next()
      if (done === true) return Effect.succeed(value)
    }
    return Effect.andThen(Effect.yieldNow, inSlices(work))
  })

/** Runs it at one go. */
export const atOnce = <A>(work: Generator<void, A>): A => {
  while (true) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}
