/** Calls a model, which may be a host's own: one that throws, rejects a promise or is late is unavailable. */
import { Effect } from "effect"
import { ModelUnavailable } from "../ports/Embedder.ts"

export const callModel = <A>(milliseconds: number, call: () => Effect.Effect<A, ModelUnavailable>) =>
  Effect.suspend(call).pipe(
    Effect.catchDefect((cause) => Effect.fail(new ModelUnavailable({ cause }))),
    Effect.timeoutOrElse({
      duration: milliseconds,
      orElse: () => Effect.fail(new ModelUnavailable({ cause: new Error(`no answer within ${milliseconds} ms`) }))
    })
  )
