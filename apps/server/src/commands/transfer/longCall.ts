/** Signals during a call of the database that takes long and gives no turn to the event loop. */
import * as Effect from "effect/Effect"

const SIGNALS = ["SIGHUP", "SIGINT", "SIGTERM"] as const

/**
 * A signal ends the process at once, as one without a handler: a handler would run only after the call. What the call
 * was writing is left behind, under a name that says so.
 */
export const endedBySignals = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() =>
      SIGNALS.map((signal) => {
        const listeners = process.listeners(signal)
        process.removeAllListeners(signal)
        return { signal, listeners }
      })
    ),
    () => call,
    (removed) =>
      Effect.sync(() => {
        for (const { listeners, signal } of removed) for (const listener of listeners) process.on(signal, listener)
      })
  )
