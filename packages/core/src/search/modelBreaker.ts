/**
 * A model for which a request waits in vain gets no calls for a while, and then a single one, so that not every request
 * waits for it. A quick failure may be due to the call, and costs nobody time.
 */
import { Clock, Effect, Exit } from "effect"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"
import { ModelUnavailable } from "../ports/Embedder.ts"

/** Milliseconds until a failure counts. */
const LONG = 1_000

/** Milliseconds without calls. */
const REST = 15_000

export const modelBreaker = Effect.gen(function*() {
  const breaker = yield* CircuitBreaker.make({ tripPolicy: CircuitBreaker.consecutive(1), openDuration: REST }).pipe(
    Effect.provide(CircuitBreaker.layerStoreMemory())
  )
  return <A>(call: Effect.Effect<A, ModelUnavailable>): Effect.Effect<A, ModelUnavailable> =>
    Effect.flatMap(Clock.currentTimeMillis, (begun) =>
      breaker.execute(call, {
        key: "model",
        classify: (exit) =>
          Exit.isSuccess(exit)
            ? CircuitBreaker.success
            : Effect.map(
              Clock.currentTimeMillis,
              (now) => now - begun < LONG ? CircuitBreaker.ignored : CircuitBreaker.failure()
            )
      })).pipe(
        Effect.catchTag(
          "CircuitBreakerError",
          () => Effect.fail(new ModelUnavailable({ cause: "it did not answer in time, and is left alone for a while" }))
        )
      )
})
