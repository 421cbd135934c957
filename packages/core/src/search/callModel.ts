/**
 * Calls a model, which may be a host's own: one that throws, rejects, returns no effect, is late or answers something
 * else is unavailable.
 */
import { Effect } from "effect"
import { ModelUnavailable } from "../ports/Embedder.ts"

const NO_EFFECT = "the function of the model returned no effect: Effect.tryPromise makes one of a promise"

/** `read` throws for an answer that is of no use. */
export const callModel = <A, B>(
  milliseconds: number,
  call: () => Effect.Effect<A, ModelUnavailable>,
  read: (answer: A) => B
) =>
  Effect.suspend(() => {
    const returned: unknown = call()
    if (Effect.isEffect(returned)) return Effect.map(returned as ReturnType<typeof call>, read)
    // Nobody waits for a promise, so that its rejection would end the process.
    if (returned instanceof Promise) returned.catch(() => {})
    return Effect.die(new TypeError(NO_EFFECT))
  }).pipe(
    Effect.catchDefect((cause) => Effect.fail(new ModelUnavailable({ cause }))),
    Effect.timeoutOrElse({
      duration: milliseconds,
      orElse: () => Effect.fail(new ModelUnavailable({ cause: new Error(`no answer within ${milliseconds} ms`) }))
    })
  )
