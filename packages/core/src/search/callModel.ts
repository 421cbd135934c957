/** Calls a model, which may be a host's own: one that throws, rejects, returns no effect or is late is unavailable. */
import { Effect } from "effect"
import { ModelUnavailable } from "../ports/Embedder.ts"

const NO_EFFECT = "the function of the model returned no effect: Effect.tryPromise makes one of a promise"

export const callModel = <A>(milliseconds: number, call: () => Effect.Effect<A, ModelUnavailable>) =>
  Effect.suspend(() => {
    const returned: unknown = call()
    if (Effect.isEffect(returned)) return returned as ReturnType<typeof call>
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
