/** Counts requests until their responses are completely sent, so that the end of a service can wait for them. */
import { Effect, Latch } from "effect"

export const openRequests = () => {
  const idle = Latch.makeUnsafe(true)
  let open = 0
  let stopped = false

  const begin = Effect.sync(() => {
    open++
    idle.closeUnsafe()
  })
  const end = Effect.sync(() => {
    open--
    if (open === 0) idle.openUnsafe()
  })

  return {
    /** The scope of a request closes when its response is completely sent. */
    counted: <A, E, R>(app: Effect.Effect<A, E, R>) => Effect.andThen(Effect.acquireRelease(begin, () => end), app),
    /** From now on, mounts refuse requests. */
    stop: Effect.sync(() => {
      stopped = true
    }),
    isStopped: () => stopped,
    /** Waits until no request is open. */
    idle: idle.await
  }
}
