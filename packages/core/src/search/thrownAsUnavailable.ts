/** A host's own model may throw, or reject a promise: it is unavailable then, as one that says so. */
import { Effect } from "effect"
import { ModelUnavailable } from "../ports/Embedder.ts"

export const thrownAsUnavailable = <A>(answer: () => Effect.Effect<A, ModelUnavailable>) =>
  Effect.catchDefect(Effect.suspend(answer), (cause) => Effect.fail(new ModelUnavailable({ cause })))
