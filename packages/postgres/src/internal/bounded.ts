/** How long a statement may take, whatever it waits for: a lock, a free connection, or a server that is gone. */
import { StorageUnavailable } from "@tributary/core/model/Error"
import { Context, Effect, Fiber } from "effect"

/** Every statement is short; a client of ours has given up by then. Milliseconds. */
export const LongestStatement = Context.Reference("@tributary/postgres/LongestStatement", {
  defaultValue: () => 60_000
})

/**
 * Fails a query that takes too long, and interrupts it, also where its caller cannot be interrupted: the driver then
 * cancels it, or closes its connection.
 */
export const bounded = <A, E, R>(query: Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageUnavailable, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const longest = yield* LongestStatement
      const running = yield* Effect.forkDetach(Effect.interruptible(query), { startImmediately: true })
      return yield* restore(
        Effect.callback<A, E | StorageUnavailable>((resume) => {
          const timer = setTimeout(() => {
            resume(Effect.fail(new StorageUnavailable({ cause: `a statement took longer than ${longest} ms` })))
            running.interruptUnsafe()
          }, longest)
          running.addObserver((exit) => {
            clearTimeout(timer)
            resume(exit)
          })
          return Effect.andThen(Effect.sync(() => clearTimeout(timer)), Fiber.interrupt(running))
        })
      )
    })
  )
